#include "analyze/nodelets.h"

#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "analyze/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tag of a row: its text labels joined, or a size of blocks beside them. */
struct tag {
	uint32_t row;
	uint32_t text;    /* number of the joined labels; 0: there are none */
	const char *size; /* "4kB"; NULL: it is the text */
	int64_t number;   /* the size in bytes */
	struct values values;
	uint32_t last; /* one more than the sample that cum counted last */
};

/* A hostile file has sets of a thousand labels, and texts that each of them may name. */
enum { MOST_TAGS = 4 << 20, MOST_TEXT_BYTES = 128 << 20, MOST_LABELS = 64, MOST_SIZES = 8, LONGEST_LABEL = 100 };
typedef char label_line[2 * LONGEST_LABEL + 2];

struct collect {
	const struct table *table;
	const uint8_t *wanted;
	struct tag *tags;
	uint32_t n, cap;
	bool is_cut;
	struct index index;
	/* Joined labels, each text once; number 0 is that of none. */
	const char **texts;
	uint32_t n_texts, texts_cap;
	size_t text_bytes; /* of all of them */
	struct index text_index;
	uint32_t *text_of; /* by label set: one more than its text; 0: not joined yet */
	struct label_list labels;
};

/* ---- the text labels of a sample ---- */

struct text_key {
	const struct collect *collect;
	const char *text;
};

static bool same_text(const void *context, uint32_t at)
{
	const struct text_key *key = context;

	return strcmp(key->collect->texts[at], key->text) == 0;
}

static uint32_t intern_text(struct collect *collect, const char *text)
{
	struct text_key key = {collect, text};
	uint64_t hash = hash_bytes(text, strlen(text));
	uint32_t found = index_find(&collect->text_index, hash, same_text, &key);

	if (found != INDEX_NONE)
		return found;
	size_t length = strlen(text);
	if (collect->text_bytes + length > MOST_TEXT_BYTES) {
		collect->is_cut = true;
		return 0;
	}
	collect->text_bytes += length;
	MEM_GROW(collect->texts, collect->n_texts, collect->texts_cap);
	collect->texts[collect->n_texts] = arena_strndup(collect->table->arena, text, length);
	index_add(&collect->text_index, hash, collect->n_texts);
	return collect->n_texts++;
}

static int by_text(const void *x, const void *y)
{
	return strcmp(x, y);
}

/* Of a label; each is a line in a box. */
static void escape_line_ends(char line[sizeof(label_line)])
{
	label_line rest;

	for (char *at; (at = strchr(line, '\n'));) {
		snprintf(rest, sizeof rest, "%s", at + 1);
		snprintf(at, (size_t)(line + sizeof(label_line) - at), "\\x0a%s", rest);
	}
}

/* The first labels by their text, a line each. */
static void join_labels(const struct label_list *labels, char joined[MOST_LABELS * sizeof(label_line)])
{
	label_line lines[MOST_LABELS];
	size_t n = 0, used = 0;

	for (uint32_t i = 0; i < labels->n && n < MOST_LABELS; i++) {
		const struct shown_label *label = &labels->items[i];

		if (!label->text)
			continue;
		snprintf(lines[n], sizeof *lines, "%.*s:%.*s", (int)text_cut(label->key, LONGEST_LABEL), label->key,
		         (int)text_cut(label->text, LONGEST_LABEL), label->text);
		escape_line_ends(lines[n++]);
	}
	qsort(lines, n, sizeof *lines, by_text);
	*joined = '\0';
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(joined + used, sizeof(label_line) + 1, "%s%s", i ? "\n" : "", lines[i]);
}

static uint32_t text_of_sample(struct collect *collect, uint32_t sample)
{
	uint32_t *known = &collect->text_of[collect->table->view->profile->sample_labels[sample].row];
	char joined[MOST_LABELS * sizeof(label_line)];

	if (!*known) {
		join_labels(&collect->labels, joined);
		*known = intern_text(collect, joined) + 1;
	}
	return *known - 1;
}

/* ---- the tags of the rows ---- */

struct tag_key {
	const struct collect *collect;
	const struct tag *tag;
};

static bool same_tag(const void *context, uint32_t at)
{
	const struct tag_key *key = context;
	const struct tag *tag = &key->collect->tags[at], *wanted = key->tag;

	if (tag->row != wanted->row || tag->text != wanted->text || !tag->size != !wanted->size)
		return false;
	return !tag->size || strcmp(tag->size, wanted->size) == 0;
}

/* The row's tag like this one; NULL: it has none, and there is to be none. */
static struct tag *find_tag(struct collect *collect, const struct tag *wanted, bool adds)
{
	struct tag_key key = {collect, wanted};
	uint64_t hash = hash_pair(wanted->row, wanted->text);

	if (wanted->size)
		hash = hash_pair(hash, hash_bytes(wanted->size, strlen(wanted->size)));
	uint32_t found = index_find(&collect->index, hash, same_tag, &key);
	if (found != INDEX_NONE)
		return &collect->tags[found];
	collect->is_cut |= adds && collect->n >= MOST_TAGS;
	if (!adds || collect->n >= MOST_TAGS)
		return NULL;
	MEM_GROW(collect->tags, collect->n, collect->cap);
	collect->tags[collect->n] = *wanted;
	if (wanted->size)
		collect->tags[collect->n].size = arena_strndup(collect->table->arena, wanted->size, strlen(wanted->size));
	index_add(&collect->index, hash, collect->n);
	return &collect->tags[collect->n++];
}

static void add_flat(struct collect *collect, struct tag tag, const struct values *values)
{
	tag.row = collect->table->steps[0].row;
	struct tag *found = collect->wanted[tag.row] ? find_tag(collect, &tag, true) : NULL;

	if (!found)
		return;
	found->values.flat += values->flat;
	found->values.flat_count += values->flat_count;
}

static void add_cum(struct collect *collect, struct tag tag, uint32_t n_steps, uint32_t mark,
                    const struct values *values)
{
	for (uint32_t i = 0; i < n_steps; i++) {
		tag.row = collect->table->steps[i].row;
		if (collect->wanted[tag.row] == NODELETS_NONE)
			continue;
		struct tag *found = find_tag(collect, &tag, collect->wanted[tag.row] == NODELETS_CUM);
		if (!found || found->last == mark)
			continue;
		found->last = mark;
		found->values.cum += values->cum;
		found->values.cum_count += values->cum_count;
	}
}

/* Adds one tag of a sample: in a first pass to the leaf, in a second to all that it is below. */
static void add_tag(struct collect *collect, struct tag tag, uint32_t n_steps, uint32_t mark,
                    const struct values *values)
{
	if (mark)
		add_cum(collect, tag, n_steps, mark, values);
	else
		add_flat(collect, tag, values);
}

static void add_sample(struct collect *collect, uint32_t sample, uint32_t mark)
{
	struct values values = view_values(collect->table->view, sample);
	uint32_t n_steps = table_expand(collect->table, sample);
	char size[UNITS_TEXT];

	if (!n_steps)
		return;
	view_labels(collect->table->view, sample, &collect->labels);
	struct tag tag = {.text = text_of_sample(collect, sample)};
	if (tag.text)
		add_tag(collect, tag, n_steps, mark, &values);
	for (uint32_t i = 0, n = 0; i < collect->labels.n && n < MOST_SIZES; i++) {
		const struct shown_label *label = &collect->labels.items[i];

		if (label->text || strcmp(label->key, "bytes") != 0)
			continue;
		n++;
		tag.size = labels_number(size, label);
		tag.number = label->number;
		add_tag(collect, tag, n_steps, mark, &values);
	}
}

static int by_row(const void *x, const void *y)
{
	const struct tag *a = x, *b = y;

	return a->row < b->row ? -1 : a->row > b->row;
}

/* Drops what is light, and puts each row's together. */
static void keep_heavy_tags(struct collect *collect, double least)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < collect->n; i++)
		if (fabs(collect->tags[i].values.flat) >= least || fabs(collect->tags[i].values.cum) >= least)
			collect->tags[n++] = collect->tags[i];
	collect->n = n;
	if (n)
		qsort(collect->tags, n, sizeof *collect->tags, by_row);
}

static void collect_tags(struct collect *collect, const struct table *table, const uint8_t *wanted, double least)
{
	const struct view *view = table->view;

	*collect = (struct collect){.table = table, .wanted = wanted};
	collect->text_of = mem_zalloc(view->profile->n_label_sets, sizeof *collect->text_of);
	intern_text(collect, "");
	for (uint32_t i = 0; i < view->profile->n_samples; i++)
		if (view_has_value(view, i))
			add_sample(collect, i, 0);
	for (uint32_t i = 0; i < view->profile->n_samples; i++)
		if (view_has_value(view, i))
			add_sample(collect, i, i + 1);
	keep_heavy_tags(collect, least);
}

static void collect_free(struct collect *collect)
{
	index_free(&collect->index);
	index_free(&collect->text_index);
	free(collect->tags);
	free(collect->texts);
	free(collect->text_of);
	free(collect->labels.items);
}

uint32_t *nodelets_count(const struct table *table, const uint8_t *wanted, double least)
{
	uint32_t *counts = mem_zalloc(table->n, sizeof *counts);
	struct collect collect;

	collect_tags(&collect, table, wanted, least);
	for (uint32_t i = 0; i < collect.n; i++)
		counts[collect.tags[i].row] += collect.tags[i].values.flat != 0;
	collect_free(&collect);
	return counts;
}

/* ---- the boxes ---- */

struct boxes {
	const struct collect *collect;
	struct nodelets *ret;
	uint32_t cap;
	bool by_flat; /* of the row at work */
};

static int by_weight(const void *x, const void *y, void *context)
{
	const struct boxes *boxes = context;
	const struct tag *a = x, *b = y;
	double cum_a = fabs(a->values.cum), cum_b = fabs(b->values.cum), flat_a = fabs(a->values.flat),
		   flat_b = fabs(b->values.flat);
	const char *text_a = a->size ? a->size : boxes->collect->texts[a->text];
	const char *text_b = b->size ? b->size : boxes->collect->texts[b->text];

	if (!boxes->by_flat && cum_a != cum_b)
		return cum_a > cum_b ? -1 : 1;
	if (flat_a != flat_b)
		return flat_a > flat_b ? -1 : 1;
	return strcmp(text_a, text_b);
}

static void push(struct boxes *boxes, const struct tag *tag, uint32_t owner, const char *text)
{
	struct nodelets *ret = boxes->ret;
	struct values values = tag->values;
	bool by_flat = boxes->by_flat || values.flat == values.cum;

	view_finish_values(boxes->collect->table->view, &values);
	double weight = by_flat ? values.flat : values.cum;
	if (weight == 0)
		return;
	MEM_GROW(ret->items, ret->n, boxes->cap);
	ret->items[ret->n++] = (struct nodelet){tag->row, owner, text, weight, !by_flat};
}

static uint32_t nearest(const struct tag *seeds, int64_t number)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < NODELETS_OF_NODE; i++)
		if (fabs((double)seeds[i].number - (double)number) < fabs((double)seeds[best].number - (double)number))
			best = i;
	return best;
}

static const char *size_text(struct arena *arena, int64_t number)
{
	char text[UNITS_TEXT];

	labels_number(text, &(struct shown_label){"bytes", NULL, number, ""});
	return arena_strndup(arena, text, strlen(text));
}

/* The heaviest sizes begin the groups, and each other one joins the nearest. */
static uint32_t group_sizes(struct boxes *boxes, struct tag *tags, uint32_t n)
{
	struct arena *arena = boxes->collect->table->arena;
	int64_t least[NODELETS_OF_NODE], most[NODELETS_OF_NODE];
	struct tag seeds[NODELETS_OF_NODE];

	if (n <= NODELETS_OF_NODE)
		return n;
	memcpy(seeds, tags, sizeof seeds);
	for (uint32_t i = 0; i < NODELETS_OF_NODE; i++)
		least[i] = most[i] = seeds[i].number;
	for (uint32_t i = NODELETS_OF_NODE; i < n; i++) {
		uint32_t group = nearest(seeds, tags[i].number);

		values_add(&tags[group].values, &tags[i].values);
		least[group] = tags[i].number < least[group] ? tags[i].number : least[group];
		most[group] = tags[i].number > most[group] ? tags[i].number : most[group];
	}
	for (uint32_t i = 0; i < NODELETS_OF_NODE; i++)
		if (least[i] != most[i])
			tags[i].size = arena_printf(arena, "%s..%s", size_text(arena, least[i]), size_text(arena, most[i]));
	qsort_r(tags, NODELETS_OF_NODE, sizeof *tags, by_weight, boxes);
	return NODELETS_OF_NODE;
}

/* Sizes of samples that have these text labels, those of the row in tags[n], already by weight. */
static void push_sizes(struct boxes *boxes, const struct tag *tags, uint32_t n, uint32_t text, uint32_t owner)
{
	struct tag *sizes = mem_alloc(n, sizeof *sizes);
	uint32_t n_sizes = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tags[i].size && tags[i].text == text)
			sizes[n_sizes++] = tags[i];
	n_sizes = group_sizes(boxes, sizes, n_sizes);
	for (uint32_t i = 0; i < n_sizes; i++)
		push(boxes, &sizes[i], owner, sizes[i].size);
	free(sizes);
}

static void push_row(struct boxes *boxes, struct tag *tags, uint32_t n)
{
	uint32_t n_texts = 0;

	boxes->by_flat = boxes->collect->wanted[tags->row] == NODELETS_FLAT;
	qsort_r(tags, n, sizeof *tags, by_weight, boxes);
	for (uint32_t i = 0; i < n && n_texts < NODELETS_OF_NODE; i++) {
		uint32_t owner = boxes->ret->n;

		if (tags[i].size)
			continue;
		n_texts++;
		push(boxes, &tags[i], TABLE_NONE, boxes->collect->texts[tags[i].text]);
		if (boxes->ret->n > owner)
			push_sizes(boxes, tags, n, tags[i].text, owner);
	}
	push_sizes(boxes, tags, n, 0, TABLE_NONE);
}

void nodelets_build(const struct table *table, const uint8_t *wanted, double least, struct nodelets *ret)
{
	struct collect collect;
	struct boxes boxes = {.collect = &collect, .ret = ret};

	*ret = (struct nodelets){0};
	collect_tags(&collect, table, wanted, least);
	for (uint32_t first = 0, end; first < collect.n; first = end) {
		for (end = first; end < collect.n && collect.tags[end].row == collect.tags[first].row;)
			end++;
		push_row(&boxes, collect.tags + first, end - first);
	}
	ret->is_cut = collect.is_cut;
	collect_free(&collect);
}

void nodelets_free(struct nodelets *nodelets)
{
	free(nodelets->items);
	*nodelets = (struct nodelets){0};
}

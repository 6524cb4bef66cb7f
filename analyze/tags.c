#include "analyze/tags.h"

#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "analyze/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value of a label while they are counted, in the order of the samples. Keys and texts are the profile's, each of them
 * one string, so that they need not be read for each sample; numbers are short. */
struct counted {
	const char *key, *text;
	double weight, key_weight;
	double count; /* of a view of means: what the weight is divided by */
};

struct count {
	struct arena *arena;
	struct index index;
	struct counted *items;
	uint32_t n, cap;
};

struct text_key {
	const struct count *count;
	const char *key, *text;
};

static bool same_value(const void *context, uint32_t row)
{
	const struct text_key *key = context;
	const struct counted *item = &key->count->items[row];

	return item->key == key->key && text_compare(item->text, key->text) == 0;
}

static uint64_t hash_pointer(const char *text)
{
	return hash_u64((uintptr_t)text);
}

static struct counted *push_value(struct count *count, uint64_t hash, const char *key, const char *text)
{
	MEM_GROW(count->items, count->n, count->cap);
	count->items[count->n] = (struct counted){.key = key, .text = text};
	index_add(&count->index, hash, count->n);
	return &count->items[count->n++];
}

static struct counted *find_text(struct count *count, const char *key, const char *text)
{
	struct text_key wanted = {count, key, text};
	uint64_t hash = hash_pair(hash_pointer(key), hash_pointer(text));
	uint32_t row = index_find(&count->index, hash, same_value, &wanted);

	return row == INDEX_NONE ? push_value(count, hash, key, text) : &count->items[row];
}

static struct counted *find_number(struct count *count, const struct shown_label *label)
{
	char text[UNITS_TEXT];
	struct text_key wanted = {count, label->key, labels_number(text, label)};
	size_t length = strlen(text);
	uint64_t hash = hash_pair(hash_pointer(label->key), hash_bytes(text, length));
	uint32_t row = index_find(&count->index, hash, same_value, &wanted);

	return row == INDEX_NONE ? push_value(count, hash, label->key, arena_strndup(count->arena, text, length))
	                         : &count->items[row];
}

static void add_sample(struct count *count, const struct view *view, uint32_t sample, struct label_list *labels)
{
	view_labels(view, sample, labels);
	for (uint32_t i = 0; i < labels->n; i++) {
		const struct shown_label *label = &labels->items[i];
		struct counted *item = label->text ? find_text(count, label->key, label->text) : find_number(count, label);

		item->weight += view->values[sample];
		item->count += view->counts ? view->counts[sample] : 0;
	}
}

static int by_key(const void *x, const void *y)
{
	const struct counted *a = x, *b = y;
	int order = text_compare(a->key, b->key);

	return order ? order : text_compare(a->text, b->text);
}

static int by_weight(double a, double b)
{
	return fabs(a) > fabs(b) ? -1 : fabs(a) < fabs(b);
}

static int by_weights(const void *x, const void *y)
{
	const struct counted *a = x, *b = y;
	int order = by_weight(a->key_weight, b->key_weight);

	if (!order)
		order = text_compare(a->key, b->key);
	if (!order)
		order = by_weight(a->weight, b->weight);
	return order ? order : text_compare(a->text, b->text);
}

/* A number and a text may read alike. */
static void join_equals(struct count *count)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count->n; i++) {
		if (n && by_key(&count->items[i], &count->items[n - 1]) == 0) {
			count->items[n - 1].weight += count->items[i].weight;
			count->items[n - 1].count += count->items[i].count;
		} else {
			count->items[n++] = count->items[i];
		}
	}
	count->n = n;
}

/* One past the last value of the key that begins here. */
static uint32_t end_of_key(const struct count *count, uint32_t first)
{
	uint32_t end = first;

	while (end < count->n && text_compare(count->items[end].key, count->items[first].key) == 0)
		end++;
	return end;
}

/* Turns sums into what is shown of a key. */
static void show_key(struct counted *items, uint32_t n, const struct view *view)
{
	double sum = 0, count = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum += items[i].weight;
		count += items[i].count;
		items[i].weight = view_shown(view, view_hold(items[i].weight), items[i].count);
	}
	for (uint32_t i = 0; i < n; i++)
		items[i].key_weight = view_shown(view, view_hold(sum), count);
}

/* Each key's values together, by weight, and the keys likewise. */
static void sort_values(struct count *count, const struct view *view)
{
	if (count->n)
		qsort(count->items, count->n, sizeof *count->items, by_key);
	join_equals(count);
	for (uint32_t first = 0, end; first < count->n; first = end) {
		end = end_of_key(count, first);
		show_key(count->items + first, end - first, view);
	}
	if (count->n)
		qsort(count->items, count->n, sizeof *count->items, by_weights);
}

static void fill(const struct count *count, struct tags *tags)
{
	tags->keys = mem_alloc(count->n, sizeof *tags->keys);
	tags->values = mem_alloc(count->n, sizeof *tags->values);
	for (uint32_t first = 0, end; first < count->n; first = end) {
		const struct counted *item = &count->items[first];

		end = end_of_key(count, first);
		tags->keys[tags->n_keys++] = (struct tag_key){item->key, item->key_weight, first, end - first};
	}
	for (uint32_t i = 0; i < count->n; i++)
		tags->values[tags->n_values++] = (struct tag_value){count->items[i].text, count->items[i].weight};
}

void tags_tally(const struct view *view, struct arena *arena, struct tags *ret)
{
	struct count count = {.arena = arena};
	struct label_list labels = {0};

	*ret = (struct tags){0};
	for (uint32_t i = 0; i < view->profile->n_samples; i++)
		if (view->passes[i])
			add_sample(&count, view, i, &labels);
	sort_values(&count, view);
	fill(&count, ret);
	index_free(&count.index);
	free(count.items);
	free(labels.items);
}

void tags_free(struct tags *tags)
{
	free(tags->keys);
	free(tags->values);
	*tags = (struct tags){0};
}

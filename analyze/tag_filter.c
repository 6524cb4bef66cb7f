#include "analyze/tag_filter.h"

#include "analyze/base/index.h"
#include "analyze/base/regex.h"
#include "analyze/base/text.h"
#include "analyze/labels.h"
#include "analyze/tag_range.h"

#include <stdlib.h>
#include <string.h>

struct tag_filter {
	const struct profile *p;
	const char *option; /* "tagfocus" */
	const char *text;   /* of the user */
	bool drops;         /* samples that match, and not the others */
	const char *value;  /* behind its "=" */
	bool has_key;
	uint32_t key;        /* string of the key; NO_STR: no label has it */
	bool *of_set;        /* by label set: it matches */
	unsigned n_given_up; /* texts that were too long or took too long */
};

/* ---- the text of a filter ---- */

#define NO_STR UINT32_MAX

static const char *value_of(const char *text)
{
	const char *equals = strchr(text, '=');

	return equals ? equals + 1 : text;
}

const char *tag_filter_range(const char *text)
{
	struct tag_range range;
	const char *value = value_of(text);

	return tag_range_parse(value, &range) ? value : NULL;
}

static uint32_t find_str(const struct profile *p, const char *text, size_t length)
{
	for (uint32_t i = 0; i < p->n_strs; i++)
		if (p->strs[i].length == length && memcmp(p->strs[i].text, text, length) == 0)
			return i;
	return NO_STR;
}

static bool has_key(const struct tag_filter *filter, const struct label *label)
{
	return !filter->has_key || label->key.row == filter->key;
}

/* ---- ranges ---- */

/* Limits for the numbers of each unit, worked out once. */
struct scales {
	const struct tag_range *range;
	struct tag_limits *limits;
	uint32_t n, cap;
	uint32_t *of_unit,
		*of_key; /* by string: one more than the row of limits; of the unit, or where there is none, the key */
};

static void init_scales(struct scales *scales, const struct profile *p, const struct tag_range *range)
{
	*scales = (struct scales){.range = range};
	scales->of_unit = mem_zalloc(p->n_strs, sizeof *scales->of_unit);
	scales->of_key = mem_zalloc(p->n_strs, sizeof *scales->of_key);
}

static void free_scales(struct scales *scales)
{
	free(scales->limits);
	free(scales->of_unit);
	free(scales->of_key);
}

static const struct tag_limits *limits_of(struct scales *scales, const struct profile *p, const struct label *label)
{
	uint32_t *known = label->unit.row ? &scales->of_unit[label->unit.row] : &scales->of_key[label->key.row];

	if (!*known) {
		const char *unit = labels_unit(profile_text(p, label->key), profile_text(p, label->unit));

		MEM_GROW(scales->limits, scales->n, scales->cap);
		scales->limits[scales->n] = tag_range_in(scales->range, unit);
		*known = ++scales->n;
	}
	return &scales->limits[*known - 1];
}

/* A text label that is what the user typed: "5" may be a name. */
static void match_numbers(struct tag_filter *filter, const struct tag_range *range)
{
	const struct profile *p = filter->p;
	uint32_t text = find_str(p, filter->value, strlen(filter->value));
	struct scales scales;

	init_scales(&scales, p, range);
	for (uint32_t i = 0; i < p->n_label_sets; i++) {
		const struct label_set *set = &p->label_sets[i];

		for (uint32_t k = set->first; k < set->first + set->n && !filter->of_set[i]; k++) {
			const struct label *label = &p->labels[k];

			if (has_key(filter, label))
				filter->of_set[i] = label->text.row ? label->text.row == text
				                                    : tag_limits_hold(limits_of(&scales, p, label), label->number);
		}
	}
	free_scales(&scales);
}

/* ---- patterns ---- */

/* What is matched: each value of the key, or each "key:value", once. */
struct text {
	str_id key, value;
};

struct texts {
	const struct tag_filter *filter;
	struct text *items;
	uint32_t n, cap;
	uint32_t *of_label; /* by label: one more than its row of items; 0: a number, or of another key */
	struct index index;
	size_t longest;
	uint64_t n_bytes; /* that were matched */
};

struct text_key {
	const struct texts *texts;
	struct text text;
};

static bool same_text(const void *context, uint32_t row)
{
	const struct text_key *key = context;
	const struct text *text = &key->texts->items[row];

	return text->key.row == key->text.key.row && text->value.row == key->text.value.row;
}

static uint32_t intern_text(struct texts *texts, struct text text)
{
	struct text_key key = {texts, text};
	uint64_t hash = hash_pair(text.key.row, text.value.row);
	uint32_t row = index_find(&texts->index, hash, same_text, &key);

	if (row != INDEX_NONE)
		return row;
	MEM_GROW(texts->items, texts->n, texts->cap);
	texts->items[texts->n] = text;
	index_add(&texts->index, hash, texts->n);
	return texts->n++;
}

static void list_texts(struct texts *texts, const struct tag_filter *filter)
{
	const struct profile *p = filter->p;

	*texts = (struct texts){.filter = filter};
	texts->of_label = mem_zalloc(p->n_labels, sizeof *texts->of_label);
	for (uint32_t i = 0; i < p->n_labels; i++) {
		const struct label *label = &p->labels[i];

		if (label->text.row && has_key(filter, label))
			texts->of_label[i] = intern_text(texts, (struct text){label->key, label->text}) + 1;
	}
}

static void free_texts(struct texts *texts)
{
	free(texts->items);
	free(texts->of_label);
	index_free(&texts->index);
}

/* One long key may stand before a million values, and one long value behind a million keys. */
enum { FREE_BYTES = 32 << 20, ALWAYS_BYTES = 200 };

static bool is_too_much(struct texts *texts, size_t length)
{
	texts->n_bytes += length;
	return texts->n_bytes > FREE_BYTES && length > ALWAYS_BYTES;
}

static bool match_pair(const struct str *key, const struct str *value, struct regex *regex)
{
	size_t length = (size_t)key->length + 1 + value->length;
	char CLEANUP(mem_free_local) *text = mem_alloc(length + 1, 1);

	memcpy(text, key->text, key->length);
	text[key->length] = ':';
	memcpy(text + key->length + 1, value->text, value->length + 1);
	return regex_match(regex, text);
}

static bool match_text(struct texts *texts, const struct text *text, struct regex *regex, unsigned *n_given_up)
{
	const struct profile *p = texts->filter->p;
	const struct str *key = &p->strs[text->key.row], *value = &p->strs[text->value.row];

	if (is_too_much(texts, (size_t)key->length + value->length)) {
		++*n_given_up;
		return false;
	}
	return texts->filter->has_key ? regex_match(regex, value->text) : match_pair(key, value, regex);
}

/* One of several patterns: with a key it is another way to match, without one it is another condition. */
static void match_pattern(struct tag_filter *filter, struct texts *texts, struct regex *regex)
{
	const struct profile *p = filter->p;
	bool *found = mem_alloc(texts->n, sizeof *found);

	for (uint32_t i = 0; i < texts->n; i++)
		found[i] = match_text(texts, &texts->items[i], regex, &filter->n_given_up);
	for (uint32_t i = 0; i < p->n_label_sets; i++) {
		const struct label_set *set = &p->label_sets[i];
		bool any = false;

		for (uint32_t k = set->first; k < set->first + set->n && !any; k++)
			any = texts->of_label[k] && found[texts->of_label[k] - 1];
		filter->of_set[i] = filter->has_key ? filter->of_set[i] || any : filter->of_set[i] && any;
	}
	filter->n_given_up += regex_n_given_up(regex);
	free(found);
}

static struct err *match_part(struct tag_filter *filter, struct texts *texts, const char *part, size_t length)
{
	char CLEANUP(mem_free_local) *pattern = mem_strndup(part, length);
	struct regex *regex;
	struct err *err = regex_new(filter->option, pattern, &regex);

	if (err)
		return err;
	match_pattern(filter, texts, regex);
	regex_free(regex);
	return NULL;
}

static struct err *match_patterns(struct tag_filter *filter)
{
	struct texts texts;
	struct err *err = NULL;

	list_texts(&texts, filter);
	for (uint32_t i = 0; i < filter->p->n_label_sets; i++)
		filter->of_set[i] = !filter->has_key;
	for (const char *at = filter->value;; at++) {
		size_t length = strcspn(at, ",");

		err = match_part(filter, &texts, at, length);
		at += length;
		if (err || !*at)
			break;
	}
	free_texts(&texts);
	return err;
}

/* ---- samples ---- */

/* The size of blocks is no label of the profile, but of each sample. */
static bool sees_blocks(const struct tag_filter *filter)
{
	return !filter->has_key || text_after(filter->text, "bytes=");
}

static bool is_found(const struct tag_filter *filter, const struct tag_limits *blocks, uint32_t sample)
{
	int64_t size;

	if (filter->of_set[filter->p->sample_labels[sample].row])
		return true;
	return blocks && labels_block_size(filter->p, sample, &size) && tag_limits_hold(blocks, size);
}

static void note_filter(const struct tag_filter *filter, bool any, struct diag *notes)
{
	if (!any)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN, "--%s=%s: no sample has such a label", filter->option, filter->text);
	if (filter->n_given_up)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "--%s=%s: %u labels took too long to match and count as no match",
		         filter->option, filter->text, filter->n_given_up);
}

static void narrow(const struct tag_filter *filter, const struct tag_limits *blocks, struct diag *notes, bool *passes)
{
	bool any = false;

	for (uint32_t i = 0; i < filter->p->n_samples; i++) {
		bool found = is_found(filter, blocks, i);

		any |= found;
		passes[i] &= found != filter->drops;
	}
	note_filter(filter, any, notes);
}

static struct err *match(struct tag_filter *filter, const struct tag_range *range)
{
	if (!range)
		return match_patterns(filter);
	match_numbers(filter, range);
	return NULL;
}

static struct err *apply(struct tag_filter *filter, struct diag *notes, bool *passes)
{
	const struct profile *p = filter->p;
	struct tag_range range;

	filter->value = value_of(filter->text);
	filter->has_key = filter->value > filter->text;
	filter->key = filter->has_key ? find_str(p, filter->text, (size_t)(filter->value - filter->text) - 1) : NO_STR;
	filter->of_set = mem_zalloc(p->n_label_sets, sizeof *filter->of_set);
	bool is_range = tag_range_parse(filter->value, &range);
	struct err *err = match(filter, is_range ? &range : NULL);
	if (!err) {
		struct tag_limits blocks = is_range ? tag_range_in(&range, "bytes") : (struct tag_limits){0};

		narrow(filter, is_range && sees_blocks(filter) ? &blocks : NULL, notes, passes);
	}
	free(filter->of_set);
	return err;
}

struct err *tag_filter_find(const struct profile *p, const struct tag_opts *opts, struct diag *notes, bool **ret)
{
	struct err *err = NULL;
	bool *passes;

	*ret = NULL;
	if (!opts->focus && !opts->ignore)
		return NULL;
	passes = mem_alloc(p->n_samples, sizeof *passes);
	memset(passes, true, p->n_samples);
	if (opts->focus)
		err = apply(&(struct tag_filter){.p = p, .option = "tagfocus", .text = opts->focus}, notes, passes);
	if (!err && opts->ignore)
		err = apply(&(struct tag_filter){.p = p, .option = "tagignore", .text = opts->ignore, .drops = true}, notes,
		            passes);
	if (err)
		free(passes);
	else
		*ret = passes;
	return err;
}

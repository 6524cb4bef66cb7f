#include "analyze/sizes.h"

#include "analyze/base/text.h"
#include "analyze/labels.h"

#include <math.h>
#include <stdlib.h>

struct work {
	const struct table *table;
	struct sizes *sizes;
	uint32_t *last; /* by row: one more than the sample that counted it last */
	bool by_cum;
};

double sizes_least(uint32_t number)
{
	return number ? ldexp(1, (int)number - 1) : 0;
}

static uint32_t bucket_of(int64_t size)
{
	return size <= 0 ? 0 : 64 - (uint32_t)__builtin_clzll((unsigned long long)size);
}

/* The row's bucket, or a new one in its place. */
static struct size_bucket *find_bucket(struct sizes *sizes, uint32_t row, uint32_t number)
{
	uint32_t before = 0, at = sizes->first[row];

	for (; at && sizes->buckets[at - 1].number < number; at = sizes->buckets[at - 1].next)
		before = at;
	if (at && sizes->buckets[at - 1].number == number)
		return &sizes->buckets[at - 1];
	MEM_GROW(sizes->buckets, sizes->n, sizes->cap);
	sizes->buckets[sizes->n++] = (struct size_bucket){.next = at, .number = number};
	*(before ? &sizes->buckets[before - 1].next : &sizes->first[row]) = sizes->n;
	return &sizes->buckets[sizes->n - 1];
}

static uint32_t number_of(const struct work *work, uint32_t sample, uint32_t set)
{
	const struct sizes *sizes = work->sizes;
	int64_t size;

	return labels_block_size_in(work->table->view->profile, sample, set, sizes->objects, sizes->space, &size)
	           ? bucket_of(size)
	           : SIZES_UNKNOWN;
}

/* sign: -1 takes away, as the base does. */
static void add_side(const struct work *work, uint32_t sample, uint32_t set, double sign, uint32_t row)
{
	const struct view *view = work->table->view;
	double objects = view_side_value(view, sample, set, work->sizes->objects);
	double space = view_side_value(view, sample, set, work->sizes->space);

	if (objects == 0 && space == 0)
		return;
	struct size_bucket *bucket = find_bucket(work->sizes, row, number_of(work, sample, set));
	bucket->objects += sign * objects;
	bucket->space += sign * space;
}

static void add_to_row(const struct work *work, uint32_t sample, uint32_t row)
{
	add_side(work, sample, SET_MAIN, 1, row);
	if (work->table->view->has_base)
		add_side(work, sample, SET_BASE, -1, row);
}

/* To the leaf, or to all rows of the stack, each once. */
static void add_sample(const struct work *work, uint32_t sample)
{
	uint32_t n = table_expand(work->table, sample);

	for (uint32_t i = 0; i < (work->by_cum ? n : n != 0); i++) {
		uint32_t row = work->table->steps[i].row;

		if (work->last[row] == sample + 1)
			continue;
		work->last[row] = sample + 1;
		add_to_row(work, sample, row);
	}
}

static struct err *no_heap(const struct profile *profile, uint32_t type)
{
	struct arena *arena = arena_new();
	struct err *err = err_new("--sizes: expected objects or space of a heap, which has blocks; found %s",
	                          text_printable(profile_text(profile, profile->types[type].type), arena));

	arena_free(arena);
	return err;
}

struct err *sizes_build(const struct table *table, bool by_cum, struct sizes *ret)
{
	const struct view *view = table->view;
	const struct profile *profile = view->profile;
	struct work work = {.table = table, .sizes = ret, .by_cum = by_cum};

	if (!labels_block_types(profile, view->opts.type, &ret->objects, &ret->space))
		return no_heap(profile, view->opts.type);
	if (profile->hides_blocks && profile->n_samples)
		return err_new("--sizes: expected labels that say how large the blocks are (bytes): the profile has none");
	ret->first = mem_zalloc(table->n, sizeof *ret->first);
	work.last = mem_zalloc(table->n, sizeof *work.last);
	for (uint32_t i = 0; i < profile->n_samples; i++)
		if (view->passes[i])
			add_sample(&work, i);
	for (uint32_t i = 0; i < ret->n; i++) {
		ret->buckets[i].objects = view_row_sum(view, ret->buckets[i].objects);
		ret->buckets[i].space = view_row_sum(view, ret->buckets[i].space);
	}
	free(work.last);
	return NULL;
}

void sizes_free(struct sizes *sizes)
{
	free(sizes->first);
	free(sizes->buckets);
	*sizes = (struct sizes){0};
}

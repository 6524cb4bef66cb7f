#include "render/stack_set.h"

#include <stdlib.h>
#include <string.h>

struct stack_key {
	const struct stack_set *set;
	struct stack_span span;
};

static bool same_stack(const void *context, uint32_t at)
{
	const struct stack_key *key = context;
	const uint32_t *frames = key->set->frames;
	struct stack_span other = key->set->stacks[at];

	return other.n == key->span.n &&
	       memcmp(frames + other.first, frames + key->span.first, other.n * sizeof *frames) == 0;
}

static void push_frames(struct stack_set *set, const struct table *table, uint32_t n, const uint32_t *number_of)
{
	for (uint32_t i = n; i-- > 0;) {
		uint32_t row = table->steps[i].row;

		MEM_GROW(set->frames, set->n_frames, set->cap_frames);
		set->frames[set->n_frames++] = number_of ? number_of[row] : row;
	}
}

static void push_stack(struct stack_set *set, struct stack_span span)
{
	MEM_GROW(set->stacks, set->n, set->cap);
	set->stacks[set->n++] = span;
	for (uint32_t i = 0; i < set->n_values; i++) {
		MEM_GROW(set->values, set->n_sums, set->cap_sums);
		set->values[set->n_sums++] = 0;
	}
}

double *stack_set_find(struct stack_set *set, const struct table *table, uint32_t sample, const uint32_t *number_of)
{
	uint32_t n = table_expand(table, sample);
	struct stack_key key = {set, {set->n_frames, n}};

	if (!n)
		return NULL;
	push_frames(set, table, n, number_of);
	uint64_t hash = hash_bytes(set->frames + key.span.first, n * sizeof *set->frames);
	uint32_t at = index_find(&set->index, hash, same_stack, &key);
	if (at == INDEX_NONE) {
		at = set->n;
		index_add(&set->index, hash, at);
		push_stack(set, key.span);
	} else {
		set->n_frames = key.span.first;
	}
	return set->values + (size_t)at * set->n_values;
}

struct sort {
	const struct stack_set *set;
	uint32_t value;
};

static int by_value(const void *x, const void *y, void *context)
{
	const struct sort *sort = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	double a_value = stack_set_value(sort->set, a, sort->value), b_value = stack_set_value(sort->set, b, sort->value);

	if (a_value != b_value)
		return a_value > b_value ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int by_frames(const void *x, const void *y, void *context)
{
	const struct stack_set *set = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const uint32_t *a_frames = stack_set_frames(set, a), *b_frames = stack_set_frames(set, b);
	uint32_t a_n = set->stacks[a].n, b_n = set->stacks[b].n;

	for (uint32_t i = 0; i < a_n && i < b_n; i++)
		if (a_frames[i] != b_frames[i])
			return a_frames[i] < b_frames[i] ? -1 : 1;
	return a_n < b_n ? -1 : a_n > b_n;
}

static uint32_t *list_stacks(const struct stack_set *set)
{
	uint32_t *list = mem_alloc(set->n, sizeof *list);

	for (uint32_t i = 0; i < set->n; i++)
		list[i] = i;
	return list;
}

uint32_t *stack_set_order(const struct stack_set *set, uint32_t value)
{
	uint32_t *order = list_stacks(set);
	struct sort sort = {set, value};

	if (set->n)
		qsort_r(order, set->n, sizeof *order, by_value, &sort);
	return order;
}

uint32_t *stack_set_order_by_frames(const struct stack_set *set)
{
	uint32_t *order = list_stacks(set);

	if (set->n)
		qsort_r(order, set->n, sizeof *order, by_frames, (void *)(uintptr_t)set);
	return order;
}

void stack_set_free(struct stack_set *set)
{
	free(set->stacks);
	free(set->frames);
	free(set->values);
	index_free(&set->index);
}

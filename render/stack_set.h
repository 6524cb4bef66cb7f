/* The different stacks of a table's samples, each with its sums. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/tally.h"

struct stack_span {
	uint32_t first, n; /* frames, root first */
};

struct stack_set {
	struct stack_span *stacks; /* in the order in which they were found */
	uint32_t n, cap;
	uint32_t *frames; /* numbers */
	uint32_t n_frames, cap_frames;
	uint32_t n_values; /* of each stack; the caller sets it before the first stack */
	double *values;
	uint32_t n_sums, cap_sums;
	struct index index;
};

/* The sums of the sample's stack, which the caller adds to; at first they are 0. number_of gives the frame of each row of
 * the table; NULL: it is the row. NULL is returned for a sample without a stack. */
double *stack_set_find(struct stack_set *set, const struct table *table, uint32_t sample, const uint32_t *number_of);
/* The stacks by one of their values, the largest first with its sign, then as they were found; the caller frees it. */
uint32_t *stack_set_order(const struct stack_set *set, uint32_t value);
/* Likewise by their frames, root first. */
uint32_t *stack_set_order_by_frames(const struct stack_set *set);
void stack_set_free(struct stack_set *set);

/* The frames of a stack, root first. */
static inline const uint32_t *stack_set_frames(const struct stack_set *set, uint32_t stack)
{
	return set->frames + set->stacks[stack].first;
}

static inline double stack_set_value(const struct stack_set *set, uint32_t stack, uint32_t value)
{
	return set->values[(size_t)stack * set->n_values + value];
}

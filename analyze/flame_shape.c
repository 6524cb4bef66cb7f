#include "analyze/flame_shape.h"

#include <stdlib.h>
#include <string.h>

/* ---- which nodes are kept ---- */

/* Shares are not negative, so their bits go up as they do. */
static uint64_t rank_of(float share, uint32_t node)
{
	uint32_t bits;

	memcpy(&bits, &share, sizeof bits);
	return (uint64_t)bits << 32 | (UINT32_MAX - node);
}

/* The nth largest, found digit by digit: how long that takes does not hang on the order of the ranks. */
static uint64_t nth_rank(const float *shares, uint32_t n, uint32_t nth)
{
	enum { DIGIT = 8, N_DIGITS = 1 << DIGIT };
	uint64_t found = 0;

	for (unsigned shift = 64; shift;) {
		uint32_t counts[N_DIGITS] = {0}, digit = N_DIGITS - 1;

		shift -= DIGIT;
		for (uint32_t i = 0; i < n; i++) {
			uint64_t rank = rank_of(shares[i], i);

			/* Two steps, for one of 64 is none. */
			counts[rank >> shift & (N_DIGITS - 1)] += (rank ^ found) >> shift >> DIGIT == 0;
		}
		while (nth > counts[digit])
			nth -= counts[digit--];
		found |= (uint64_t)digit << shift;
	}
	return found;
}

bool *shape_choose(const float *shares, uint32_t n, const struct flame_opts *opts)
{
	bool *keeps = mem_alloc(n, sizeof *keeps);
	uint64_t least = 0;

	if (opts->most && opts->most < n) {
		uint64_t large = rank_of((float)opts->fraction, UINT32_MAX), nth = nth_rank(shares, n, opts->most);

		least = nth < large ? nth : large;
	}
	for (uint32_t i = 0; i < n; i++)
		keeps[i] = rank_of(shares[i], i) >= least;
	return keeps;
}

/* ---- the others become one for each caller ---- */

static void end_samples_at(struct shape *shape, const uint32_t *now)
{
	for (uint32_t i = 0; i < shape->n_samples; i++)
		if (shape->end_of[i] != TABLE_NONE)
			shape->end_of[i] = now[shape->end_of[i]];
}

static uint32_t put_node(struct shape *shape, uint32_t caller, uint32_t row)
{
	shape->nodes[shape->n] = (struct tree_node){caller, row};
	return shape->n++;
}

/* known: by caller, and last for the roots: the node for what is folded there. */
static uint32_t fold_node(struct shape *shape, uint32_t caller, uint32_t n_callers, uint32_t *known)
{
	uint32_t slot = caller == TABLE_NONE ? n_callers : caller;

	if (caller != TABLE_NONE && shape->nodes[caller].row == FLAME_FOLDED)
		return caller;
	if (known[slot] == TABLE_NONE)
		known[slot] = put_node(shape, caller, FLAME_FOLDED);
	return known[slot];
}

/* No node gets a higher number than it had, so the new ones overwrite what was read already. */
void shape_fold(struct shape *shape, const bool *keeps)
{
	uint32_t n = shape->n, *now = mem_alloc(n, sizeof *now), *known = mem_alloc((size_t)n + 1, sizeof *known);

	memset(known, 0xff, ((size_t)n + 1) * sizeof *known);
	shape->n_folded = mem_zalloc(n, sizeof *shape->n_folded);
	shape->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct tree_node node = shape->nodes[i];
		uint32_t caller = node.caller == TABLE_NONE ? TABLE_NONE : now[node.caller];

		now[i] = keeps[i] ? put_node(shape, caller, node.row) : fold_node(shape, caller, n, known);
		shape->n_folded[now[i]] += !keeps[i];
	}
	end_samples_at(shape, now);
	free(known);
	free(now);
}

uint32_t shape_add_root(struct shape *shape, uint32_t row)
{
	shape->nodes = mem_realloc(shape->nodes, (size_t)shape->n + 1, sizeof *shape->nodes);
	shape->n_folded = mem_realloc(shape->n_folded, (size_t)shape->n + 1, sizeof *shape->n_folded);
	shape->n_folded[shape->n] = 0;
	return put_node(shape, TABLE_NONE, row);
}

/* ---- order ---- */

struct order {
	const struct tree_node *nodes;
	const double *sizes;
};

static int compare_siblings(const void *x, const void *y, void *context)
{
	const struct order *order = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct tree_node *a_node = &order->nodes[a], *b_node = &order->nodes[b];
	bool a_has_row = a_node->row < FLAME_NO_STACK, b_has_row = b_node->row < FLAME_NO_STACK;

	/* TABLE_NONE becomes 0, so that roots come first. */
	if (a_node->caller != b_node->caller)
		return a_node->caller + 1 < b_node->caller + 1 ? -1 : 1;
	if (a_has_row != b_has_row)
		return a_has_row ? -1 : 1;
	if (order->sizes[a] != order->sizes[b])
		return order->sizes[a] > order->sizes[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* By caller, then as siblings go. */
static uint32_t *sort_nodes(const struct shape *shape, const double *sizes)
{
	struct order order = {shape->nodes, sizes};
	uint32_t *sorted = mem_alloc(shape->n, sizeof *sorted);

	for (uint32_t i = 0; i < shape->n; i++)
		sorted[i] = i;
	qsort_r(sorted, shape->n, sizeof *sorted, compare_siblings, &order);
	return sorted;
}

/* How many nodes lie below each, with itself. */
static uint32_t *count_below(const struct shape *shape)
{
	uint32_t *counts = mem_alloc(shape->n, sizeof *counts);

	for (uint32_t i = 0; i < shape->n; i++)
		counts[i] = 1;
	for (uint32_t i = shape->n; i-- > 0;)
		if (shape->nodes[i].caller != TABLE_NONE)
			counts[shape->nodes[i].caller] += counts[i];
	return counts;
}

/* Where each node stands, if each is followed by all that is below it. */
static uint32_t *find_places(const struct shape *shape, const double *sizes)
{
	uint32_t *CLEANUP(mem_free_local) sorted = sort_nodes(shape, sizes);
	uint32_t *CLEANUP(mem_free_local) below = count_below(shape);
	/* By caller, and last for the roots: the place of the next one below it. */
	uint32_t *CLEANUP(mem_free_local) next = mem_zalloc((size_t)shape->n + 1, sizeof *next);
	uint32_t *places = mem_alloc(shape->n, sizeof *places);

	for (uint32_t i = 0; i < shape->n; i++) {
		uint32_t node = sorted[i], caller = shape->nodes[node].caller;
		uint32_t *place = &next[caller == TABLE_NONE ? shape->n : caller];

		places[node] = *place;
		next[node] = *place + 1;
		*place += below[node];
	}
	return places;
}

void shape_order(struct shape *shape, const double *sizes)
{
	uint32_t *places = find_places(shape, sizes), *n_folded = mem_alloc(shape->n, sizeof *n_folded);
	struct tree_node *nodes = mem_alloc(shape->n, sizeof *nodes);

	for (uint32_t i = 0; i < shape->n; i++) {
		uint32_t caller = shape->nodes[i].caller;

		nodes[places[i]] = (struct tree_node){caller == TABLE_NONE ? caller : places[caller], shape->nodes[i].row};
		n_folded[places[i]] = shape->n_folded[i];
	}
	end_samples_at(shape, places);
	free(places);
	free(shape->nodes);
	free(shape->n_folded);
	shape->nodes = nodes;
	shape->n_folded = n_folded;
}

/* What a flame graph draws: the call tree, small nodes folded, with what each has in every sample type on both sides. */
#pragma once

#include "analyze/tree.h"

enum { FLAME_NODES = 200000, FLAME_MOST_TYPES = 16 };
static const double FLAME_FRACTION = 0.0001;
static const size_t FLAME_MOST_VALUES = 32 << 20;
static const uint32_t FLAME_TREND_VALUES = 8 << 20; /* of FLAME_NODES where there are snapshots, so many values */

/* In the place of a row. */
static const uint32_t FLAME_FOLDED = UINT32_MAX;       /* nodes that are too small, all below one caller */
static const uint32_t FLAME_NO_STACK = UINT32_MAX - 1; /* samples without a stack */

struct flame_opts {
	/* Nodes are kept that have this part of a total in any column, and the most largest; the others are folded. 0 as most:
	 * no limit. */
	uint32_t most;
	double fraction;
	size_t most_values; /* in all columns together: types for which there is no room are left out. 0: no limit */
};

struct flame {
	uint32_t types[FLAME_MOST_TYPES]; /* of the profile, in its order; the view's is among them */
	uint32_t n_types;
	uint32_t shown;  /* the place of the view's */
	uint32_t n_sets; /* the profile's: itself, and its base where there is one, or its snapshots */

	/* Each is followed by all that is below it; nodes of one caller go by size in the view's type, the largest first, and
	 * those that are of no row stand behind. */
	struct tree_node *nodes; /* row: of the table, or one of those above */
	uint32_t *n_folded;      /* by node: how many it stands for, where it is FLAME_FOLDED; else 0 */
	uint32_t n;
	uint32_t n_before; /* nodes before any were folded */

	/* Columns; flame_column says where one is. self: of the samples that end in the node. flat and cum: of the table's
	 * rows, with what is folded too, each sample once a row. Sums are held (view.h), and where both sides differ by what
	 * scaling has left alone, they are equal. */
	double *self, *flat, *cum;
};

/* The table is one of functions, files, lines or addresses, and no tree. */
void flame_build(const struct table *table, const struct flame_opts *opts, struct diag *notes, struct flame *ret);
void flame_free(struct flame *flame);

static inline uint32_t flame_n_columns(const struct flame *flame)
{
	return flame->n_types * flame->n_sets;
}

/* Where the column of a type, by its place in flame->types, begins in columns of n values. */
static inline size_t flame_column(const struct flame *flame, uint32_t type, uint32_t set, uint32_t n)
{
	return ((size_t)type * flame->n_sets + set) * n;
}

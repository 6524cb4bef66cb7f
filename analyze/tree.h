/* The call tree: a node for each way from a root to a function, not for each function. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/tally.h"

enum { TREE_MOST_ROWS = 4 << 20 };

struct tree_node {
	uint32_t caller; /* a lower node; TABLE_NONE: it is a root */
	uint32_t row;    /* of the table */
};

struct tree {
	struct tree_node *nodes;
	uint32_t n, cap;
	uint32_t *leaf_of; /* by sample: the node at its leaf; TABLE_NONE: none */
};

/* The ways to the rows of a table of functions, files, lines or addresses, by the samples that its view keeps.
 * A tree of more than most nodes, or twice the table's rows, is cut: nodes far from the root are left out, what they have
 * counts for the one above them, and a note says so. */
void tree_grow(const struct table *table, uint32_t most, struct diag *notes, struct tree *ret);
void tree_free(struct tree *tree);

/* Turns the table into one of the nodes of its tree: table->callers says what leads where, and table->entries keep the
 * numbers that rows had before. */
void tree_split(struct table *table, uint32_t most, struct diag *notes);

/* Of a row of a table that was split: the one that called it; TABLE_NONE: there is none, or *depth frames are enough. A caller
 * begins with a *depth of 0. */
uint32_t tree_caller(const struct table *table, uint32_t row, uint32_t *depth);
/* The label of a row; where the table was split those of its frames, leaf first: "create <- main <- _start". It may lie in the
 * arena. */
const char *tree_label(const struct table *table, uint32_t row, struct arena *arena);

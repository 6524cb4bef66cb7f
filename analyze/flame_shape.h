/* The shape of a flame: which nodes of a call tree it keeps, and their order. */
#pragma once

#include "analyze/flame.h"

/* A call tree that becomes a flame's. Nodes are numbered anew at each step, callers always first. */
struct shape {
	struct tree_node *nodes;
	uint32_t *n_folded; /* by node, as struct flame has it; NULL: none is folded yet */
	uint32_t n;
	uint32_t *end_of; /* by sample: the node that it ends in; TABLE_NONE: none */
	uint32_t n_samples;
};

/* Which nodes are kept, by the largest part of a total that each has, where no node has more than its caller; of equal
 * parts, the lower number comes first. A node is kept only where its caller is. The caller frees what is returned. */
bool *shape_choose(const float *shares, uint32_t n, const struct flame_opts *opts);

/* Makes one of the nodes below each caller that are not kept, and of all below them. */
void shape_fold(struct shape *shape, const bool *keeps);

/* Adds a root of no row. */
uint32_t shape_add_root(struct shape *shape, uint32_t row);

/* Puts the nodes into the order of a flame, by their sizes. */
void shape_order(struct shape *shape, const double *sizes);

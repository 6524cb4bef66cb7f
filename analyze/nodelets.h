/* The labels of the samples at a graph's nodes: the boxes that --tagnodes hangs on them, chosen as google/pprof does. */
#pragma once

#include "analyze/tally.h"

enum { NODELETS_OF_NODE = 4 };

/* What the samples at a row have in common: text labels, or a size of blocks, of those with the same text labels. */
struct nodelet {
	uint32_t row;
	uint32_t owner;   /* the nodelet that it hangs on, a lower one; TABLE_NONE: the row itself */
	const char *text; /* "thread:1" and others, a line each; or "4kB", "1kB..64kB" */
	double weight;
	bool passed_on; /* part of the weight comes from nodes below that are not shown */
};

struct nodelets {
	struct nodelet *items; /* those of a row together, heaviest first */
	uint32_t n;
	bool is_cut; /* there were too many tags, or too long ones, to look at them all */
};

enum nodelet_rows {
	NODELETS_NONE,
	NODELETS_FLAT, /* what the row itself has */
	NODELETS_CUM,  /* and what is below it */
};

/* wanted: by row of the table, enum nodelet_rows. Tags of less than least are left out. The texts are in the table's
 * arena or the profile. */
void nodelets_build(const struct table *table, const uint8_t *wanted, double least, struct nodelets *ret);
void nodelets_free(struct nodelets *nodelets);

/* By row: how many tags with a flat value of their own each of these rows has; the caller frees the array. */
uint32_t *nodelets_count(const struct table *table, const uint8_t *wanted, double least);

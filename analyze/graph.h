/* The call graph: who calls whom and with how much, cut down to what can be read. */
#pragma once

#include "analyze/tally.h"

struct graph_opts {
	uint32_t node_count;  /* at most so many nodes; 0: no limit */
	double node_fraction; /* nodes with less |cum| than this part of the total are dropped */
	double edge_fraction; /* edges likewise */
	uint32_t max_degree;  /* at most so many edges into and out of a node; 0: no limit */
	bool for_picture;     /* nodes are chosen for what a picture tells, and edges that say nothing new are dropped */
	bool has_tags;        /* a node's tags count as nodes (nodelets.h) */
	bool inlined_alone;   /* edges into rows that nothing is inlined into are left out; not of a call tree */
	bool by_cum;          /* the order of nodes where it is not for a picture */
};

struct edge {
	uint32_t from, to; /* rows of the table: caller and callee */
	double weight;     /* each sample counted once */
	/* Likewise, in the type that counts what the weight sums up, which divides it in a view of means; else the samples
	 * (profile_count_type). */
	double calls;
	bool residual; /* it passes over nodes that were dropped */
	bool inlined;  /* every call that it stands for is inlined */
};

struct graph {
	uint32_t *nodes; /* rows of the table, in the order in which they are shown */
	uint32_t n_nodes;
	struct edge *edges; /* heaviest first; of a view of means, where it is not for a picture, by mean */
	uint32_t n_edges;
	double node_cut, edge_cut; /* nodes and edges below were dropped; 0: none were */
	uint32_t n_dropped_nodes;  /* for being below node_cut */
	uint32_t n_dropped_edges;
	uint32_t n_before_limit; /* nodes that node_count chose from */
};

void graph_build(const struct table *table, const struct graph_opts *opts, struct graph *ret);
/* Divides the weights of the edges by their calls; of a view of means. */
void graph_take_means(const struct view *view, struct graph *graph);
void graph_free(struct graph *graph);

/* Edge numbers grouped by the row at one end, each group in the graph's order: heaviest first. */
struct edge_groups {
	uint32_t *first; /* by row; the next row's is the end */
	uint32_t *edges;
};

/* The edges that lead into each of the table's rows, and those from it. */
void graph_group_edges(const struct graph *graph, uint32_t n_rows, struct edge_groups *into, struct edge_groups *from);
void edge_groups_free(struct edge_groups *groups);

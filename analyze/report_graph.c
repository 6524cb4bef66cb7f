#include "analyze/report_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { GRAPH_NODES = 80 };
/* Beyond these, dot takes more than some seconds: it grows with the square of the edges. Each label has a box and an
 * edge. */
enum { MOST_NODES_LAID_OUT = 300, MOST_EDGES_LAID_OUT = 300 };

/* google/pprof's limits: a tree is read like a picture, and --peek and --callgrind look at everything. */
static struct graph_opts limits_for(const struct report_opts *opts, unsigned parts)
{
	struct graph_opts limits = {
		.for_picture = parts & PART_GRAPH, .inlined_alone = parts & PART_TOP, .by_cum = opts->by_cum};

	limits.has_tags = limits.for_picture && opts->tag_nodes;
	if (!opts->trim || (parts & (PART_PEEK | PART_CALLS)))
		return limits;
	limits.node_fraction = opts->node_fraction;
	limits.edge_fraction = opts->edge_fraction;
	limits.node_count = opts->node_count >= 0 ? (uint32_t)opts->node_count : parts & PART_TOP ? 0 : GRAPH_NODES;
	limits.max_degree = limits.for_picture ? (uint32_t)opts->max_degree : 0;
	return limits;
}

static void build_nodelets(struct report *report)
{
	const struct graph *graph = &report->graph;
	uint8_t *wanted = mem_zalloc(report->table.n, 1);

	for (uint32_t i = 0; i < graph->n_nodes; i++)
		wanted[graph->nodes[i]] = NODELETS_CUM;
	for (uint32_t i = 0; i < graph->n_edges; i++)
		wanted[graph->edges[i].from] = NODELETS_FLAT;
	nodelets_build(&report->table, wanted, graph->node_cut, &report->nodelets);
	free(wanted);
}

static void build_boxes(struct report *report, const struct graph_opts *limits)
{
	graph_free(&report->graph);
	nodelets_free(&report->nodelets);
	graph_build(&report->table, limits, &report->graph);
	if (limits->has_tags)
		build_nodelets(report);
}

static bool is_too_large(const struct report *report)
{
	uint32_t n_labels = report->nodelets.n;

	return report->graph.n_nodes + n_labels > MOST_NODES_LAID_OUT ||
	       report->graph.n_edges + n_labels > MOST_EDGES_LAID_OUT;
}

/* Of nodes with their labels; limit: what was too large. */
static uint32_t smaller_count(const struct report *report, uint32_t limit)
{
	double n_nodes = report->graph.n_nodes + report->nodelets.n, n_edges = report->graph.n_edges + report->nodelets.n;
	uint32_t count = (uint32_t)(n_nodes * fmin(MOST_NODES_LAID_OUT / n_nodes, MOST_EDGES_LAID_OUT / (n_edges + 1)));

	if (limit && count >= limit)
		count = limit / 10 * 9;
	return count ? count : 1;
}

/* A graph that is too large to lay out is that of a smaller --nodecount. */
static void cut_for_layout(struct report *report, struct graph_opts *limits)
{
	const struct graph *graph = &report->graph;
	uint32_t n_nodes = graph->n_nodes, n_edges = graph->n_edges;

	if (!is_too_large(report))
		return;
	while (is_too_large(report) && limits->node_count != 1) {
		limits->node_count = smaller_count(report, limits->node_count);
		build_boxes(report, limits);
	}
	diag_add(&report->notes, NOTE_WARNING, NOTE_PLAIN,
	         "the graph of %" PRIu32 " nodes and %" PRIu32 " edges is cut to %" PRIu32 " and %" PRIu32
	         ", which can be laid out in time; --dot writes the whole",
	         n_nodes, n_edges, graph->n_nodes, graph->n_edges);
}

void report_build_graph(struct report *report, unsigned parts)
{
	struct graph_opts graph = limits_for(&report->opts, parts);

	build_boxes(report, &graph);
	if (parts & PART_PICTURE)
		cut_for_layout(report, &graph);
	if (report->nodelets.is_cut)
		diag_add(&report->notes, NOTE_WARNING, NOTE_PLAIN, "--tagnodes: there are too many labels, some are left out");
	report->n_order = report->graph.n_nodes;
	report->order = mem_alloc(report->n_order, sizeof *report->order);
	for (uint32_t i = 0; i < report->n_order; i++)
		report->order[i] = report->graph.nodes[i];
}

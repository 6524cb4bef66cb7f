#include "render/header.h"

#include <stdlib.h>
#include <string.h>

/* google/pprof's call graph as text: each node with its callers above and its callees below. */

#define SEPARATOR "----------------------------------------------------------+-------------\n"
#define LEGEND "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n"

/* Edge numbers grouped by the row at one end, each group in the graph's order: heaviest first. */
struct groups {
	uint32_t *first; /* by row; the next row's is the end */
	uint32_t *edges;
};

static uint32_t callee_of(const struct edge *edge)
{
	return edge->to;
}

static uint32_t caller_of(const struct edge *edge)
{
	return edge->from;
}

static void group_edges(const struct report *report, uint32_t (*row_of)(const struct edge *), struct groups *ret)
{
	const struct graph *graph = &report->graph;
	uint32_t n_rows = report->table.n;
	uint32_t *next = mem_zalloc((size_t)n_rows + 2, sizeof *next);

	ret->edges = mem_alloc(graph->n_edges, sizeof *ret->edges);
	for (uint32_t i = 0; i < graph->n_edges; i++)
		next[row_of(&graph->edges[i]) + 2]++;
	for (uint32_t i = 2; i < n_rows + 2; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < graph->n_edges; i++)
		ret->edges[next[row_of(&graph->edges[i]) + 1]++] = i;
	/* Each row's place has moved to its end, which is where the next row begins. */
	ret->first = next;
}

static void free_groups(struct groups *groups)
{
	free(groups->first);
	free(groups->edges);
}

static void write_edge(const struct report *report, const struct edge *edge, uint32_t other, double cum,
                       struct out *out)
{
	char weight[UNITS_TEXT], percent[UNITS_TEXT];

	out_printf(out, "%50s %s |   ", units_label(weight, &report->modern, edge->weight),
	           units_percent_label(percent, edge->weight, cum));
	out_name(out, report->table.rows[other].label);
	out_text(out, edge->inlined ? " (inline)\n" : "\n");
}

static void write_callers(const struct report *report, const struct groups *into, uint32_t row, struct out *out)
{
	for (uint32_t i = into->first[row]; i < into->first[row + 1]; i++) {
		const struct edge *edge = &report->graph.edges[into->edges[i]];

		write_edge(report, edge, edge->from, report->table.rows[row].cum, out);
	}
}

static void write_callees(const struct report *report, const struct groups *from, uint32_t row, struct out *out)
{
	for (uint32_t i = from->first[row]; i < from->first[row + 1]; i++) {
		const struct edge *edge = &report->graph.edges[from->edges[i]];

		write_edge(report, edge, edge->to, report->table.rows[row].cum, out);
	}
}

static void write_node(const struct report *report, const struct row *row, double running, struct out *out)
{
	header_columns(report, row, running, out);
	out_line(out, "                | ", row->label);
}

/* The running sum is that of the nodes that are written. */
static void write_nodes(const struct report *report, struct out *out)
{
	struct groups into, from;
	double running = 0;

	group_edges(report, callee_of, &into);
	group_edges(report, caller_of, &from);
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		uint32_t row = report->order[i];

		if (report->matches && !report->matches[row])
			continue;
		running = view_hold(running + report->table.rows[row].flat);
		out_text(out, SEPARATOR);
		write_callers(report, &into, row, out);
		write_node(report, &report->table.rows[row], running, out);
		write_callees(report, &from, row, out);
	}
	free_groups(&into);
	free_groups(&from);
}

static struct err *write(const struct report *report, struct out *out)
{
	header_profile(report, out);
	header_nodes(report, out);
	out_text(out, SEPARATOR LEGEND);
	write_nodes(report, out);
	if (report->n_order)
		out_text(out, SEPARATOR);
	return NULL;
}

const struct renderer render_tree = {
	.name = "tree",
	.help = "google/pprof's table of functions, each with its callers and callees",
	.ext = "txt",
	.parts = PART_TREE,
	.write = write,
};

const struct renderer render_peek = {
	.name = "peek",
	.arg = "REGEX",
	.help = "the callers and callees of functions that match, with nothing left out",
	.ext = "txt",
	.parts = PART_PEEK,
	.write = write,
};

#include "render/header.h"
#include "render/look.h"

#include <stdlib.h>
#include <string.h>

/* google/pprof's call graph as text: each node with its callers above and its callees below. */

#define SEPARATOR "----------------------------------------------------------+-------------\n"
#define LEGEND "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n"

static void write_edge(const struct report *report, const struct edge *edge, uint32_t other, double cum,
                       struct out *out)
{
	char weight[UNITS_TEXT], percent[UNITS_TEXT];
	const char *part = report->view->opts.mean ? "-" : units_percent_label(percent, edge->weight, cum);

	out_printf(out, "%50s %6s |   ", units_label(weight, &report->modern, edge->weight), part);
	look_end_row(out, report->table.rows[other].label, edge->inlined ? " (inline)" : "");
}

static void write_callers(const struct report *report, const struct edge_groups *into, uint32_t row, struct out *out)
{
	for (uint32_t i = into->first[row]; i < into->first[row + 1]; i++) {
		const struct edge *edge = &report->graph.edges[into->edges[i]];

		write_edge(report, edge, edge->from, report->table.rows[row].cum, out);
	}
}

static void write_callees(const struct report *report, const struct edge_groups *from, uint32_t row, struct out *out)
{
	for (uint32_t i = from->first[row]; i < from->first[row + 1]; i++) {
		const struct edge *edge = &report->graph.edges[from->edges[i]];

		write_edge(report, edge, edge->to, report->table.rows[row].cum, out);
	}
}

static void write_node(const struct report *report, const struct row *row, double running, struct out *out)
{
	out_style(out, look_of_row(report, row));
	header_columns(report, row, running, out);
	out_text(out, "                | ");
	look_end_row(out, row->label, "");
}

/* The running sum is that of the nodes that are written. */
static void write_nodes(const struct report *report, struct out *out)
{
	struct edge_groups into, from;
	double running = 0;

	graph_group_edges(&report->graph, report->table.n, &into, &from);
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
	edge_groups_free(&into);
	edge_groups_free(&from);
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

#include "analyze/base/text.h"
#include "render/renderer.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_FILTER = 80 };

/* google/pprof's table: header lines, then a row a node with the unit behind each value. */

/* A long pattern is cut, as google/pprof does. */
static void write_filter(const struct report *report, const char *filter, struct out *out)
{
	const char *shown = text_printable(filter, report->arena);
	size_t length = strlen(shown);

	if (length <= LONGEST_FILTER) {
		out_printf(out, "   %s\n", shown);
		return;
	}
	length = LONGEST_FILTER;
	while (((unsigned char)shown[length] & 0xc0) == 0x80) /* within a character of UTF-8 */
		length--;
	out_printf(out, "   %.*s…\n", (int)length, shown);
}

static void write_labels(const struct report *report, struct out *out)
{
	if (*report->program) {
		out_text(out, "File: ");
		out_name(out, report->program);
		out_text(out, "\n");
	}
	out_printf(out, "Type: %s\n", report->type);
	if (report->n_filters)
		out_text(out, "Active filters:\n");
	for (uint32_t i = 0; i < report->n_filters; i++)
		write_filter(report, report->filters[i], out);
}

static double sum_shown(const struct report *report)
{
	double sum = 0;

	for (uint32_t i = 0; i < report->n_order; i++)
		sum += report->table.rows[report->order[i]].flat;
	return view_hold(sum);
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

static void write_legend(const struct report *report, struct out *out)
{
	const struct graph *graph = &report->graph;
	double total = report->divisor_of_all, shown = sum_shown(report);
	char text[UNITS_TEXT], percent[UNITS_TEXT], whole[UNITS_TEXT];

	units_percent_label(percent, shown, total);
	out_printf(out, "Showing nodes accounting for %s, %s of %s total", units_label(text, &report->modern, shown),
	           percent + strspn(percent, " "), units_label(whole, &report->modern, total));
	if (report->divisor_of_all_note)
		out_printf(out, " (%s)", report->divisor_of_all_note);
	out_text(out, "\n");
	if (graph->n_dropped_nodes)
		out_printf(out, "Dropped %u node%s (cum < %s)\n", graph->n_dropped_nodes, plural(graph->n_dropped_nodes),
		           units_label(text, &report->modern, graph->node_cut));
	if (graph->n_before_limit > graph->n_nodes)
		out_printf(out, "Showing top %u nodes out of %u\n", graph->n_nodes, graph->n_before_limit);
}

enum { CALLED = 1, INLINED = 2 };

/* Which rows are entered by calls and which by inlining, by row. */
static uint8_t *find_entries(const struct report *report)
{
	uint8_t *entries = mem_zalloc(report->table.n, 1);

	for (uint32_t i = 0; i < report->graph.n_edges; i++)
		entries[report->graph.edges[i].to] |= report->graph.edges[i].inlined ? INLINED : CALLED;
	return entries;
}

static const char *inline_mark(uint8_t entries)
{
	return entries == INLINED ? " (inline)" : entries == (INLINED | CALLED) ? " (partial-inline)" : "";
}

static void write_row(const struct report *report, const struct row *row, double running, const char *mark,
                      struct out *out)
{
	const struct unit_style *unit = &report->modern;
	double total = report->divisor_of_all;
	char flat[UNITS_TEXT], flat_percent[UNITS_TEXT], sum_percent[UNITS_TEXT], cum[UNITS_TEXT], cum_percent[UNITS_TEXT];

	out_printf(out, "%10s %s %s %10s %s  ", units_label(flat, unit, row->flat),
	           units_percent_label(flat_percent, row->flat, total), units_percent_label(sum_percent, running, total),
	           units_label(cum, unit, row->cum), units_percent_label(cum_percent, row->cum, total));
	out_name(out, row->label);
	out_printf(out, "%s\n", mark);
}

static struct err *write(const struct report *report, struct out *out)
{
	uint8_t *entries = find_entries(report);
	double running = 0;

	write_labels(report, out);
	write_legend(report, out);
	out_text(out, "      flat  flat%   sum%        cum   cum%\n");
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		uint32_t at = report->order[i];

		running = view_hold(running + report->table.rows[at].flat);
		write_row(report, &report->table.rows[at], running, inline_mark(entries[at]), out);
	}
	free(entries);
	return NULL;
}

const struct renderer render_top = {
	.name = "top",
	.help = "the table of google/pprof, biggest first",
	.ext = "txt",
	.parts = PART_TOP,
	.write = write,
};

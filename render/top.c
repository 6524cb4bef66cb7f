#include "render/header.h"
#include "render/look.h"
#include "render/top_columns.h"
#include "render/top_sizes.h"

#include <stdlib.h>

/* google/pprof's table: header lines, then a row a node with the unit behind each value. */

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

struct top {
	const struct report *report;
	uint8_t *entries;
	struct top_columns columns;
	double running; /* flat of the rows so far */
};

static void write_heading(const struct top *top, struct out *out)
{
	header_profile(top->report, out);
	header_nodes(top->report, out);
	if (top->report->columns.n)
		top_columns_heading(&top->columns, out);
	else
		out_text(out, "      flat  flat%   sum%        cum   cum%\n");
	if (top->report->opts.sizes)
		top_sizes_heading(top->report, out);
}

static void write_row(struct top *top, uint32_t at, struct out *out)
{
	const struct report *report = top->report;
	const struct row *row = &report->table.rows[at];

	top->running = view_hold(top->running + row->flat);
	out_style(out, look_of_row(report, row));
	if (report->columns.n)
		top_columns_row(&top->columns, at, out);
	else
		header_columns(report, row, top->running, out);
	out_text(out, "  ");
	look_end_row(out, row->label, inline_mark(top->entries[at]));
	if (report->opts.sizes)
		top_sizes_row(report, at, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct top top = {.report = report, .entries = find_entries(report)};

	top_columns_init(report, &top.columns);
	write_heading(&top, out);
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++)
		write_row(&top, report->order[i], out);
	free(top.entries);
	return NULL;
}

const struct renderer render_top = {
	.name = "top",
	.help = "the table of google/pprof, biggest first",
	.ext = "txt",
	.parts = PART_TOP,
	.write = write,
};

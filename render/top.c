#include "render/header.h"
#include "render/look.h"

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

static struct err *write(const struct report *report, struct out *out)
{
	uint8_t *entries = find_entries(report);
	double running = 0;

	header_profile(report, out);
	header_nodes(report, out);
	out_text(out, "      flat  flat%   sum%        cum   cum%\n");
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		uint32_t at = report->order[i];
		const struct row *row = &report->table.rows[at];

		running = view_hold(running + row->flat);
		out_style(out, look_of_row(report, row));
		header_columns(report, row, running, out);
		out_text(out, "  ");
		look_end_row(out, row->label, inline_mark(entries[at]));
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

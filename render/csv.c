#include "render/csv_cells.h"
#include "render/renderer.h"

/* The table of --text for spreadsheets. */

/* The number alone, for the column says what it is. Means are no parts of a total. */
static void write_percent(const struct report *report, double value, struct out *out)
{
	double percent = report->divisor != 0 ? 100 * value / report->divisor : 0;

	out_text(out, ",");
	if (!report->view->opts.mean)
		out_printf(out, "%.4f", percent == 0 ? 0 : percent);
}

static void write_row(const struct report *report, const struct row *row, double running, const struct csv_unit *unit,
                      struct out *out)
{
	csv_value(unit, row->flat, out);
	write_percent(report, row->flat, out);
	write_percent(report, running, out);
	out_text(out, ",");
	csv_value(unit, row->cum, out);
	write_percent(report, row->cum, out);
	csv_text(unit->name, out);
	csv_text(*row->name ? row->name : row->label, out);
	csv_place(report, row, out);
	out_text(out, "\r\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	struct csv_unit unit = csv_unit(report);
	double running = 0;

	out_text(out, "flat,flat%,sum%,cum,cum%,unit,name");
	csv_place_head(report, out);
	out_text(out, "\r\n");
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		const struct row *row = &report->table.rows[report->order[i]];

		running = view_hold(running + row->flat);
		write_row(report, row, running, &unit, out);
	}
	return NULL;
}

const struct renderer render_csv = {
	.name = "csv",
	.help = "the table for spreadsheets, with exact values",
	.ext = "csv",
	.parts = PART_TABLE,
	.trend = &render_trend_csv,
	.write = write,
};

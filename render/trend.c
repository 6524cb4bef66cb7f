#include "render/header.h"
#include "render/look.h"

#include <inttypes.h>

/* The rows over snapshots, the likeliest leak first. */

static void write_value(const struct report *report, double value, struct out *out)
{
	char text[UNITS_TEXT];

	out_printf(out, " %10s", report_label_alone(text, report, value));
}

static void write_row(const struct report *report, const struct series_row *row, struct out *out)
{
	const struct series *series = &report->series;
	char share[UNITS_TEXT];

	for (uint32_t i = 0; i < series->n_snapshots; i++)
		write_value(report, row->values[i], out);
	write_value(report, row->growth, out);
	write_value(report, row->step, out);
	write_value(report, row->churn, out);
	out_printf(out, " %s %3.0f%% %4" PRIu32 " %-8s ", units_percent_label(share, row->growth, series->divisor),
	           100 * row->monotone, row->first_seen + 1, shape_name(row->shape));
	look_end_row(out, row == &series->total ? "total" : report->table.rows[row->row].label, "");
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct series *series = &report->series;

	header_profile(report, out);
	write_row(report, &series->total, out);
	for (uint32_t i = 0; i < series->n_rows; i++)
		write_row(report, &series->rows[i], out);
	return NULL;
}

const struct renderer render_trend = {
	.name = "trend",
	.help = "the rows over snapshots",
	.ext = "txt",
	.parts = PART_SERIES,
	.both_sides = true,
	.write = write,
};

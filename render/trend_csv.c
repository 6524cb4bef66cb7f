#include "render/renderer.h"

static struct err *write(const struct report *report, struct out *out)
{
	for (uint32_t i = 0; i < report->series.n_rows; i++)
		out_printf(out, "%s\r\n", report->table.rows[report->series.rows[i].row].label);
	return NULL;
}

const struct renderer render_trend_csv = {
	.name = "csv",
	.ext = "csv",
	.parts = PART_SERIES,
	.both_sides = true,
	.write = write,
};

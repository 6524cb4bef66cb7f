#include "analyze/tree.h"
#include "render/csv_cells.h"
#include "render/renderer.h"
#include "render/trend_rows.h"

#include <inttypes.h>

/* The rows over snapshots for spreadsheets. */

static void write_head(const struct report *report, struct out *out)
{
	const struct series *series = &report->series;
	struct arena *arena = arena_new();
	const char **names = trend_names(series, arena);

	out_text(out, "rank,name");
	csv_place_head(report, out);
	out_text(out, ",unit");
	for (uint32_t i = 0; i < series->n_snapshots; i++)
		csv_text(names[i], out);
	out_text(out, ",growth,slope_per_snapshot,slope_per_second,share,monotone,first_seen,churn,score,shape\r\n");
	arena_free(arena);
}

static void write_name(const struct report *report, const struct row *row, struct out *out)
{
	struct arena *arena = arena_new();
	bool is_way = report->table.callers || !*row->name;

	csv_text(is_way ? tree_label(&report->table, (uint32_t)(row - report->table.rows), arena) : row->name, out);
	arena_free(arena);
}

static void write_value(const struct csv_unit *unit, double value, struct out *out)
{
	out_text(out, ",");
	csv_value(unit, value, out);
}

static void write_value_if(bool known, const struct csv_unit *unit, double value, struct out *out)
{
	if (known)
		write_value(unit, value, out);
	else
		out_text(out, ",");
}

static void write_fraction(double value, struct out *out)
{
	out_text(out, ",");
	out_json_number(out, value);
}

static void write_first_seen(const struct series *series, const struct series_row *row, struct out *out)
{
	out_text(out, ",");
	if (row->first_seen < series->n_snapshots)
		out_printf(out, "%" PRIu32, row->first_seen + 1);
}

static void write_row(const struct report *report, const struct series_row *row, const struct csv_unit *unit,
                      struct out *out)
{
	const struct series *series = &report->series;
	const struct row *place = &report->table.rows[row->row];

	write_name(report, place, out);
	csv_place(report, place, out);
	csv_text(unit->name, out);
	for (uint32_t i = 0; i < series->n_snapshots; i++)
		write_value(unit, row->values[i], out);
	write_value(unit, row->growth, out);
	write_value(unit, row->step, out);
	write_value_if(series->has_times, unit, row->per_second, out);
	write_fraction(series_share(series, row), out);
	write_fraction(row->monotone, out);
	write_first_seen(series, row, out);
	write_value_if(series->has_churn, unit, row->churn, out);
	write_value(unit, row->score, out);
	csv_text(shape_name(row->shape), out);
	out_text(out, "\r\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct series *series = &report->series;
	struct csv_unit unit = csv_unit(report);
	uint32_t n_rows = trend_n_rows(report, 0);

	write_head(report, out);
	for (uint32_t i = 0; i < n_rows && !out_has_failed(out); i++) {
		out_printf(out, "%" PRIu32, i + 1);
		write_row(report, &series->rows[i], &unit, out);
	}
	return NULL;
}

const struct renderer render_trend_csv = {
	.name = "csv",
	.ext = "csv",
	.parts = PART_SERIES,
	.both_sides = true,
	.write = write,
};

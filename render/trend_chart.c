#include "render/trend_chart.h"

#include <math.h>

enum {
	USUAL_ROWS = 10,
	N_LOOKS = CHART_MOST_ROWS / CHART_HUES,
};

static struct arena *arena_of(const struct chart *chart)
{
	return chart->report->arena;
}

static uint32_t count_rows(const struct chart *chart)
{
	int wanted = chart->report->opts.node_count;
	uint32_t most = wanted < 0                                ? USUAL_ROWS
	                : wanted == 0 || wanted > CHART_MOST_ROWS ? CHART_MOST_ROWS
	                                                          : (uint32_t)wanted;

	return chart->series->n_rows < most ? chart->series->n_rows : most;
}

static bool can_stack(const struct chart *chart)
{
	for (uint32_t i = 0; i < chart->n_bands; i++)
		for (uint32_t k = 0; k < chart->series->n_snapshots; k++)
			if (chart->bands[i].values[k] < 0)
				return false;
	return !chart->report->opts.by_cum;
}

static void add_row(struct chart *chart, uint32_t rank)
{
	static const char *const overs[N_LOOKS] = {"", "hatch", "dots", "bars"};
	const struct series_row *row = &chart->series->rows[rank];

	chart->bands[chart->n_bands++] = (struct band){
		.row = row,
		.name = svg_name(chart->report, chart->report->table.rows[row->row].label),
		.number = arena_printf(arena_of(chart), "%u", rank + 1),
		.class = arena_printf(arena_of(chart), "hue%u dash%u", rank % CHART_HUES, (rank + rank / CHART_HUES) % N_LOOKS),
		.over = overs[rank / CHART_HUES],
		.values = row->values,
	};
}

/* The total less the rows; nothing where that is what rounding has left, or the total is held at the end of its range. */
static double rest_at(const struct chart *chart, uint32_t snapshot)
{
	static const double RESIDUE = 1e-9;
	double total = chart->series->total.values[snapshot], rest = total, sum = fabs(total);

	for (uint32_t i = 0; i < chart->n_rows; i++) {
		rest -= chart->bands[i].values[snapshot];
		sum += fabs(chart->bands[i].values[snapshot]);
	}
	return fabs(rest) <= RESIDUE * sum || fabs(total) >= VIEW_MOST ? 0 : rest;
}

static void add_rest(struct chart *chart)
{
	double *values = arena_alloc(arena_of(chart), chart->series->n_snapshots, sizeof *values);
	bool has_any = false;

	for (uint32_t i = 0; i < chart->series->n_snapshots; i++) {
		values[i] = rest_at(chart, i);
		has_any |= values[i] != 0;
	}
	if (has_any)
		chart->bands[chart->n_bands++] =
			(struct band){.name = "other", .number = "", .class = "other", .over = "", .values = values};
}

static void stack_bands(struct chart *chart)
{
	uint32_t n = chart->series->n_snapshots;
	const double *below = NULL;

	for (uint32_t i = 0; i < chart->n_bands; i++) {
		double *sums = arena_alloc(arena_of(chart), n, sizeof *sums);

		for (uint32_t k = 0; k < n && below; k++)
			sums[k] = below[k] + chart->bands[i - 1].values[k];
		chart->bands[i].below = below = sums;
	}
}

void chart_choose_bands(struct chart *chart)
{
	uint32_t n_rows = count_rows(chart);

	chart->bands = arena_alloc(arena_of(chart), n_rows + 1, sizeof *chart->bands);
	while (chart->n_rows < n_rows)
		add_row(chart, chart->n_rows++);
	if (!chart->report->opts.by_cum)
		add_rest(chart);
	chart->stacked = can_stack(chart);
	if (chart->stacked)
		stack_bands(chart);
}

static void widen(const struct chart *chart, const struct band *band, double *low, double *high)
{
	for (uint32_t i = 0; i < chart->series->n_snapshots; i++) {
		double value = band->values[i] + (band->below ? band->below[i] : 0);

		*low = fmin(*low, value);
		*high = fmax(*high, value);
	}
}

bool chart_is_empty(const struct chart *chart)
{
	return chart->values.low == chart->values.high;
}

void chart_choose_values(struct chart *chart)
{
	struct band total = {.values = chart->series->total.values};
	double low = 0, high = 0;

	widen(chart, &total, &low, &high);
	for (uint32_t i = 0; i < chart->n_bands; i++)
		widen(chart, &chart->bands[i], &low, &high);
	struct unit_style unit = report_unit_alone(chart->report, fmax(-low, high));
	if (low < high)
		chart->values = axis_of_values(&unit, low, high);
}

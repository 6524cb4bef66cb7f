#include "analyze/series.h"

#include "analyze/base/text.h"
#include "analyze/snapshots.h"

#include <math.h>
#include <stdlib.h>

enum { SPANS = 4 };

/* A series in the making. */
struct making {
	const struct table *table;
	const struct view *view;
	bool by_cum;
	struct series *series;
	struct arena *arena;
	uint32_t alloc_type; /* what was ever allocated, or n_types */
	double *values;      /* [row][snapshot], the total behind the rows */
	double *churn;       /* by row, likewise */
	/* By row: what is below it too, and whether it ever holds any of that. */
	double *churn_below;
	bool *holds;
};

const char *shape_name(enum shape shape)
{
	static const char *const names[] = {
		[SHAPE_GROWS] = "grows",   [SHAPE_GREW] = "grew",   [SHAPE_NEW] = "new",     [SHAPE_RETURNED] = "returned",
		[SHAPE_SHRANK] = "shrank", [SHAPE_CHURN] = "churn", [SHAPE_LEVEL] = "level",
	};

	return names[shape];
}

double series_share(const struct series *series, const struct series_row *row)
{
	return series->divisor == 0 ? 0 : row->growth / series->divisor;
}

/* ---- snapshots ---- */

/* Of times as they are, a double holds no more than the nearest 256 nanoseconds. */
double series_nanos(const struct series *series, uint32_t snapshot)
{
	return (double)((uint64_t)series->snapshots[snapshot].time_nanos - (uint64_t)series->snapshots[0].time_nanos);
}

static bool have_times(const struct series *series)
{
	uint32_t n = series->n_snapshots;

	for (uint32_t i = 0; i < n; i++)
		if (!series->snapshots[i].time_nanos ||
		    (i && series->snapshots[i].time_nanos < series->snapshots[i - 1].time_nanos))
			return false;
	return series->snapshots[n - 1].time_nanos > series->snapshots[0].time_nanos;
}

static void list_snapshots(struct making *making)
{
	const struct profile *p = making->view->profile;
	struct series *series = making->series;

	series->n_snapshots = p->n_sets;
	series->snapshots = arena_alloc(making->arena, p->n_sets, sizeof *series->snapshots);
	for (uint32_t i = 0; i < p->n_sets; i++) {
		const struct source *source = snapshots_source(p, i);

		series->snapshots[i] = (struct snapshot){profile_text(p, source->name), source->time_nanos};
	}
	series->has_times = have_times(series);
}

/* "alloc_space" of "inuse_space", where the profile knows what was freed. */
static uint32_t find_alloc_type(const struct making *making)
{
	const struct profile *p = making->view->profile;
	const char *what = text_after(profile_text(p, p->types[making->view->opts.type].type), "inuse_");
	uint32_t found = what ? profile_find_type(p, arena_printf(making->arena, "alloc_%s", what)) : p->n_types;

	for (uint32_t i = 0; found < p->n_types && i < p->n_samples; i++)
		if (profile_value(p, i, SET_MAIN, found) != 0)
			return found;
	return p->n_types;
}

/* ---- sums ---- */

static void add_values(const struct making *making, uint32_t row, const double *values, double churn)
{
	double *to = making->values + (size_t)row * making->series->n_snapshots;

	for (uint32_t i = 0; i < making->series->n_snapshots; i++)
		to[i] += values[i];
	making->churn[row] += churn;
}

static bool has_any(const double *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (values[i] != 0)
			return true;
	return false;
}

static void add_to_rows(const struct making *making, uint32_t *last, uint32_t sample, const double *values,
                        double churn)
{
	const struct table *table = making->table;
	uint32_t n_steps = table_expand(table, sample);
	bool holds = has_any(values, making->series->n_snapshots);

	add_values(making, table->n, values, churn);
	for (uint32_t i = 0; i < n_steps; i++) {
		uint32_t row = table->steps[i].row;

		if (last[row] == sample + 1)
			continue;
		last[row] = sample + 1;
		making->churn_below[row] += churn;
		making->holds[row] |= holds;
		if (!i || making->by_cum)
			add_values(making, row, values, churn);
	}
}

/* What was allocated between the first snapshot and the last, less what is left of it. */
static double churn_of(const struct making *making, uint32_t sample, double growth)
{
	const struct view *view = making->view;

	if (!making->series->has_churn || view->profile->n_sets == 1)
		return 0;
	return view_side_value(view, sample, SET_MAIN, making->alloc_type) -
	       view_side_value(view, sample, SET_BASE, making->alloc_type) - growth;
}

static void sum_rows(struct making *making)
{
	const struct view *view = making->view;
	uint32_t n = making->series->n_snapshots;
	uint32_t *last = mem_zalloc(making->table->n, sizeof *last);
	double *values = mem_alloc(n, sizeof *values);

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		if (!view->passes[i])
			continue;
		for (uint32_t k = 0; k < n; k++)
			values[k] = view_side_value(view, i, profile_snapshot_set(view->profile, k), view->opts.type);
		add_to_rows(making, last, i, values, churn_of(making, i, values[n - 1] - values[0]));
	}
	free(values);
	free(last);
}

/* ---- what a row does ---- */

static double find_peak(const double *values, uint32_t n)
{
	double peak = 0;

	for (uint32_t i = 0; i < n; i++)
		peak = fmax(peak, fabs(values[i]));
	return peak;
}

/* The largest fall from a value to a later one, and the largest rise. */
struct swing {
	double fall, rise;
};

static struct swing find_swing(const double *values, uint32_t n)
{
	double top = values[0], bottom = values[0];
	struct swing swing = {0};

	for (uint32_t i = 1; i < n; i++) {
		top = fmax(top, values[i]);
		bottom = fmin(bottom, values[i]);
		swing.fall = fmax(swing.fall, top - values[i]);
		swing.rise = fmax(swing.rise, values[i] - bottom);
	}
	return swing;
}

static double find_monotone(const double *values, uint32_t n)
{
	uint32_t n_steady = 0;

	for (uint32_t i = 1; i < n; i++)
		n_steady += values[i] >= values[i - 1];
	return n > 1 ? (double)n_steady / (n - 1) : 1;
}

/* The slope of the line through (x, values) with the least squares. x: NULL: 0, 1, 2 ... */
static double fit_slope(const double *x, const double *values, uint32_t n)
{
	double mean_x = 0, mean = 0, above = 0, below = 0;

	for (uint32_t i = 0; i < n; i++) {
		mean_x += (x ? x[i] : i) / n;
		mean += values[i] / n;
	}
	for (uint32_t i = 0; i < n; i++) {
		double from_mean = (x ? x[i] : i) - mean_x;

		above += from_mean * (values[i] - mean);
		below += from_mean * from_mean;
	}
	return below > 0 ? above / below : 0;
}

/* The terms of series_row.score, of n values. */
struct steadiness {
	double kept, even, ongoing;
	uint32_t n_spans;
};

static double find_even(const double *values, uint32_t n, double growth, uint32_t n_spans)
{
	double sum = 0;

	for (uint32_t i = 0; i < n_spans; i++) {
		uint32_t from = i * (n - 1) / n_spans, to = (i + 1) * (n - 1) / n_spans;

		sum += fmax(0, fmin(values[to] - values[from], growth * (to - from) / (n - 1)));
	}
	return sum / growth;
}

static double find_ongoing(const double *values, uint32_t n, double growth)
{
	double sum = 0;

	for (uint32_t i = 0; i + 1 < n; i++) {
		double steady = growth * (n - 1 - i) / (n - 1);

		sum += fmax(0, fmin((values[n - 1] - values[i]) / steady, 1));
	}
	return sum / (n - 1);
}

static struct steadiness find_steadiness(const struct series_row *row, uint32_t n)
{
	struct steadiness steadiness = {.n_spans = n - 1 < SPANS ? n - 1 : SPANS};

	steadiness.kept = row->growth / (row->growth + find_swing(row->values, n).fall);
	steadiness.even = find_even(row->values, n, row->growth, steadiness.n_spans);
	steadiness.ongoing = find_ongoing(row->values, n, row->growth);
	return steadiness;
}

/* What has not grown, or gave most of it back. */
static enum shape shape_of_rest(const struct series_row *row, uint32_t n)
{
	static const double SOME = 0.1;
	double rise = find_swing(row->values, n).rise;

	if (rise < -row->growth / 2)
		return SHAPE_SHRANK;
	if (rise > SOME * find_peak(row->values, n))
		return SHAPE_RETURNED;
	return row->churn > 0 ? SHAPE_CHURN : SHAPE_LEVEL;
}

static enum shape shape_of_growth(const struct series_row *row, const struct steadiness *steadiness, uint32_t n)
{
	/* In one span alone there may have been one step alone. */
	bool in_spans = steadiness->n_spans == 1 || steadiness->even * steadiness->n_spans >= 1.5;

	if (n > 2 && row->first_seen + 1 == n)
		return SHAPE_NEW;
	if (steadiness->kept <= 2 / 3.)
		return shape_of_rest(row, n);
	return in_spans && steadiness->ongoing >= 0.5 ? SHAPE_GROWS : SHAPE_GREW;
}

static void judge(struct series_row *row, uint32_t n)
{
	if (row->growth > 0) {
		struct steadiness steadiness = find_steadiness(row, n);
		double steady = steadiness.kept * steadiness.even;

		row->score = row->growth * steady * steady * steadiness.ongoing;
		row->shape = shape_of_growth(row, &steadiness, n);
		return;
	}
	row->shape = shape_of_rest(row, n);
}

/* A row of whole stacks has nothing below it: what goes through it are other stacks. */
static bool goes_by_itself(const struct making *making, uint32_t row)
{
	return making->holds[row] || making->table->callers;
}

static struct series_row make_row(const struct making *making, uint32_t at, const double *seconds)
{
	uint32_t n = making->series->n_snapshots;
	double *values = making->values + (size_t)at * n;
	struct series_row row = {.row = at, .values = values, .first_seen = n};

	for (uint32_t i = n; i-- > 0;) {
		values[i] = view_hold(values[i]);
		if (values[i] != 0)
			row.first_seen = i;
	}
	row.growth = view_hold(values[n - 1] - values[0]);
	row.step = fit_slope(NULL, values, n);
	row.per_second = making->series->has_times ? fit_slope(seconds, values, n) : 0;
	row.churn = fmax(0, view_hold(goes_by_itself(making, at) ? making->churn[at] : making->churn_below[at]));
	row.monotone = find_monotone(values, n);
	judge(&row, n);
	return row;
}

static double *list_seconds(const struct series *series)
{
	double *seconds = mem_alloc(series->n_snapshots, sizeof *seconds);

	for (uint32_t i = 0; i < series->n_snapshots; i++)
		seconds[i] = series_nanos(series, i) / 1e9;
	return seconds;
}

/* ---- order ---- */

static int descending(double a, double b)
{
	return a > b ? -1 : a < b;
}

static int compare(const void *x, const void *y, void *context)
{
	const struct series_row *a = x, *b = y;
	const struct making *making = context;
	uint32_t n = making->series->n_snapshots;
	int order = descending(a->score, b->score);

	if (!order)
		order = descending(a->growth, b->growth);
	if (!order)
		order = descending(find_peak(a->values, n), find_peak(b->values, n));
	if (!order)
		order = descending(a->churn, b->churn);
	if (!order)
		order = text_compare(making->table->rows[a->row].label, making->table->rows[b->row].label);
	return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

/* ---- all of it ---- */

static void make_rows(struct making *making)
{
	struct series *series = making->series;
	double *seconds = list_seconds(series);

	series->total = make_row(making, making->table->n, seconds);
	series->rows = arena_alloc(making->arena, making->table->n, sizeof *series->rows);
	for (uint32_t i = 0; i < making->table->n; i++) {
		struct series_row row = make_row(making, i, seconds);

		if (row.first_seen < series->n_snapshots || row.churn > 0)
			series->rows[series->n_rows++] = row;
	}
	free(seconds);
	qsort_r(series->rows, series->n_rows, sizeof *series->rows, compare, making);
}

void series_build(const struct table *table, bool by_cum, struct arena *arena, struct series *ret)
{
	struct making making = {.table = table, .view = table->view, .by_cum = by_cum, .series = ret, .arena = arena};
	const struct view_total *kept = &table->view->kept;
	size_t n_rows = (size_t)table->n + 1;

	*ret = (struct series){.divisor = view_divisor(kept), .divisor_is_sum = kept->has_gain && kept->has_loss};
	list_snapshots(&making);
	making.alloc_type = find_alloc_type(&making);
	ret->has_churn = making.alloc_type < table->view->profile->n_types;
	making.values = arena_alloc(arena, n_rows * ret->n_snapshots, sizeof *making.values);
	making.churn = mem_zalloc(n_rows, sizeof *making.churn);
	making.churn_below = mem_zalloc(n_rows, sizeof *making.churn_below);
	making.holds = mem_zalloc(n_rows, sizeof *making.holds);
	making.holds[table->n] = true;
	sum_rows(&making);
	make_rows(&making);
	free(making.churn);
	free(making.churn_below);
	free(making.holds);
}

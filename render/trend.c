#include "analyze/base/text.h"
#include "analyze/tree.h"
#include "render/header.h"
#include "render/look.h"
#include "render/trend_rows.h"
#include "render/when.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows over snapshots, the likeliest leak first. Each snapshot has a column; where there is no room for these, there are the
 * first, the last, and between them a picture of all. */

enum {
	USUAL_ROWS = 30,
	MOST_COLUMNS = 24,
	MOST_BARS = 24,
	FEW_BARS = 12,
	NAME_ROOM = 20,
	GAP = 2,
	CELL_TEXT = 4 * MOST_BARS
};

struct layout;

struct kind {
	const char *name;
	void (*write)(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT]);
	bool is_left;
	unsigned goes; /* where there is no room: the first column that goes has 1; 0: it stays */
};

struct column {
	const struct kind *kind; /* NULL: the values of a snapshot */
	const char *name;
	uint32_t snapshot, width;
};

struct layout {
	const struct report *report;
	const struct series *series;
	struct arena *arena;
	uint32_t n_rows;
	const char **headings; /* of the snapshots */
	const struct rate *rate;
	uint32_t n_bars; /* of the picture; 0: there is none */
	unsigned n_gone; /* how many of the columns that may go */
	struct column *columns;
	uint32_t n_columns;
};

/* ---- values ---- */

static void write_label(const struct layout *layout, double value, char *text)
{
	report_label_alone(text, layout->report, value);
}

/* What is no change has no sign. */
static void write_change(const struct layout *layout, double change, char *text)
{
	write_label(layout, change, text + 1);
	if (change > 0 && strcmp(text + 1, "0") != 0)
		*text = '+';
	else
		memmove(text, text + 1, strlen(text + 1) + 1);
}

static void write_growth(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	write_change(layout, row->growth, text);
}

static void write_step(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	write_change(layout, row->step, text);
}

static void write_churn(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	write_label(layout, row->churn, text);
}

static void write_share(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	char percent[UNITS_TEXT];

	strcpy(text, units_percent_alone(percent, row->growth, layout->series->divisor));
}

/* 100% says that it never falls, so nothing is rounded up to it. */
static void write_monotone(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	static const double RESIDUE = 1e-9; /* 100 * 0.29 is less than 29 */

	(void)layout;
	snprintf(text, CELL_TEXT, "%.0f%%", floor(100 * row->monotone + RESIDUE));
}

static void write_since(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	bool is_seen = row->first_seen < layout->series->n_snapshots;

	snprintf(text, CELL_TEXT, "%s", is_seen ? layout->headings[row->first_seen] : "-");
}

static void write_shape(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	(void)layout;
	strcpy(text, shape_name(row->shape));
}

/* ---- growth by time ---- */

struct rate {
	double seconds;
	const char *name;
};

/* The first of these units in which a snapshot or more is taken. */
static const struct rate *choose_rate(const struct series *series)
{
	static const struct rate rates[] = {{1, "per sec"}, {60, "per min"}, {3600, "per hour"}, {86400, "per day"}};
	uint32_t n_steps = series->n_snapshots - 1, i = 0;

	if (!series->has_times)
		return NULL;
	double nanos = series_nanos(series, n_steps);
	while (i + 1 < sizeof rates / sizeof *rates && rates[i].seconds * 1e9 * n_steps < nanos)
		i++;
	return &rates[i];
}

static void write_rate(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	write_change(layout, row->per_second * layout->rate->seconds, text);
}

/* ---- the picture ---- */

struct range {
	double low, high;
};

static struct range range_of(const double *values, uint32_t n)
{
	struct range range = {0, 0};

	for (uint32_t i = 0; i < n; i++) {
		range.low = fmin(range.low, values[i]);
		range.high = fmax(range.high, values[i]);
	}
	return range;
}

static double largest(const double *values, uint32_t from, uint32_t to)
{
	double found = values[from];

	for (uint32_t i = from + 1; i < to; i++)
		if (fabs(values[i]) > fabs(found))
			found = values[i];
	return found;
}

/* Where bars are few, the first and the last snapshot still have their own; one of the others is as high as the highest of the
 * snapshots it stands for. */
static double value_of_bar(const double *values, uint32_t n, uint32_t bar, uint32_t n_bars)
{
	if (!bar || n == n_bars)
		return values[bar];
	if (bar + 1 == n_bars)
		return values[n - 1];
	uint64_t n_between = n - 2, n_inner = n_bars - 2;

	return largest(values, 1 + (uint32_t)((bar - 1) * n_between / n_inner), 1 + (uint32_t)(bar * n_between / n_inner));
}

/* A blank is nothing. With values below 0, it begins at the lowest. */
static const char *bar_of(double value, const struct range *range)
{
	static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double eighths = ceil(8 * ((value - range->low) / (range->high - range->low)));

	if (value == 0 && range->low == 0)
		return " ";
	return bars[(int)fmin(fmax(eighths, 1), 8) - 1];
}

static void write_bars(const struct layout *layout, const struct series_row *row, char text[CELL_TEXT])
{
	uint32_t n = layout->series->n_snapshots;
	struct range range = range_of(row->values, n);

	*text = '\0';
	for (uint32_t i = 0; i < layout->n_bars; i++)
		text = stpcpy(text, bar_of(value_of_bar(row->values, n, i, layout->n_bars), &range));
}

/* ---- what columns there are ---- */

static const struct kind picture = {"trend", write_bars, .is_left = true};
static const struct kind kinds[] = {
	{"growth", write_growth, .goes = 0}, {"per snap", write_step, .goes = 4},
	{NULL, write_rate, .goes = 6},       {"share", write_share, .goes = 2},
	{"mono", write_monotone, .goes = 1}, {"since", write_since, .goes = 3},
	{"churn", write_churn, .goes = 5},   {"shape", write_shape, .is_left = true, .goes = 7},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds, MOST_GONE = 7 };

/* ---- columns ---- */

static bool is_known(const struct layout *layout, const struct kind *kind)
{
	if (kind->write == write_rate)
		return layout->rate != NULL;
	return kind->write != write_churn || layout->series->has_churn;
}

static const char *name_of(const struct layout *layout, const struct kind *kind)
{
	return kind->name ? kind->name : layout->rate->name;
}

static void write_cell(const struct layout *layout, const struct column *column, const struct series_row *row,
                       char text[CELL_TEXT])
{
	if (column->kind)
		column->kind->write(layout, row, text);
	else
		write_label(layout, row->values[column->snapshot], text);
}

static void widen(const struct layout *layout, struct column *column, const struct series_row *row)
{
	char text[CELL_TEXT];

	write_cell(layout, column, row, text);
	uint32_t width = text_columns(text);
	if (width > column->width)
		column->width = width;
}

static void add_column(struct layout *layout, struct column column)
{
	column.width = text_columns(column.name);
	widen(layout, &column, &layout->series->total);
	for (uint32_t i = 0; i < layout->n_rows; i++)
		widen(layout, &column, &layout->series->rows[i]);
	layout->columns[layout->n_columns++] = column;
}

static void add_snapshot(struct layout *layout, uint32_t number)
{
	add_column(layout, (struct column){.name = layout->headings[number], .snapshot = number});
}

static void add_snapshots(struct layout *layout)
{
	uint32_t n = layout->series->n_snapshots;

	if (layout->n_bars) {
		add_snapshot(layout, 0);
		add_column(layout, (struct column){.kind = &picture, .name = picture.name});
		add_snapshot(layout, n - 1);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		add_snapshot(layout, i);
}

static void add_kinds(struct layout *layout)
{
	for (uint32_t i = 0; i < N_KINDS; i++) {
		const struct kind *kind = &kinds[i];

		if (is_known(layout, kind) && (!kind->goes || kind->goes > layout->n_gone))
			add_column(layout, (struct column){.kind = kind, .name = name_of(layout, kind)});
	}
}

/* ---- what fits ---- */

/* From wide to narrow: a column a snapshot, a picture, a smaller one, and one column after the other goes. */
static void lay_out(struct layout *layout, unsigned step)
{
	uint32_t n = layout->series->n_snapshots, most = step < 2 ? MOST_BARS : FEW_BARS;

	layout->n_bars = !step || n <= 2 ? 0 : n < most ? n : most;
	layout->n_gone = step < 2 ? 0 : step - 2;
	layout->n_columns = 0;
	add_snapshots(layout);
	add_kinds(layout);
}

static uint32_t width_of(const struct layout *layout)
{
	uint32_t width = 0;

	for (uint32_t i = 0; i < layout->n_columns; i++)
		width += layout->columns[i].width + GAP;
	return width;
}

/* The room that names need: a long one is cut. */
static uint32_t room_for_names(const struct layout *layout)
{
	uint32_t room = 0;

	for (uint32_t i = 0; i < layout->n_rows && room < NAME_ROOM; i++) {
		struct arena *arena = arena_new();
		uint32_t width =
			text_columns(text_printable(tree_label(&layout->report->table, layout->series->rows[i].row, arena), arena));

		room = width > room ? width : room;
		arena_free(arena);
	}
	return room < NAME_ROOM ? room : NAME_ROOM;
}

static void fit(struct layout *layout, uint32_t n_columns)
{
	uint32_t n = layout->series->n_snapshots, names = n_columns ? room_for_names(layout) : 0;
	unsigned step = n > (n_columns ? n_columns : MOST_COLUMNS);

	layout->columns = arena_alloc(layout->arena, (size_t)n + 2 + N_KINDS, sizeof *layout->columns);
	do
		lay_out(layout, step++);
	while (n_columns && width_of(layout) + names > n_columns && layout->n_gone < MOST_GONE);
}

/* ---- lines ---- */

static void write_snapshots(const struct layout *layout, struct out *out)
{
	uint32_t n = layout->series->n_snapshots;
	const char **names = trend_names(layout->series, layout->arena);

	out_printf(out, "Snapshots: %" PRIu32 ", ", n);
	out_name(out, names[0]);
	out_text(out, " to ");
	out_line(out, "", names[n - 1]);
}

static void write_times(const struct series *series, struct out *out)
{
	int64_t first = series->snapshots[0].time_nanos, last = series->snapshots[series->n_snapshots - 1].time_nanos, span;
	char from[WHEN_TEXT], to[WHEN_TEXT], text[WHEN_TEXT];

	if (!series->has_times)
		return;
	out_printf(out, "Time: %s to %s", when_short(from, first), when_short(to, last));
	if (!__builtin_sub_overflow(last, first, &span))
		out_printf(out, " (%s)", when_span(text, span));
	out_text(out, "\n");
}

static void write_head(const struct layout *layout, struct out *out)
{
	const struct report *report = layout->report;
	char text[UNITS_TEXT];

	header_what(report, out);
	if (!report->opts.compact_labels) {
		write_snapshots(layout, out);
		write_times(layout->series, out);
	}
	header_filters(report, out);
	if (layout->series->divisor_is_sum)
		out_printf(out, "Shares are of %s, the sum of |changes|\n",
		           report_label_alone(text, report, layout->series->divisor));
}

static void write_padded(const struct column *column, const char *text, struct out *out)
{
	int blanks = (int)(column->width - text_columns(text));
	bool is_left = column->kind && column->kind->is_left;

	out_printf(out, "%*s", is_left ? 0 : blanks, "");
	out_text(out, text);
	out_printf(out, "%*s", GAP + (is_left ? blanks : 0), "");
}

static void write_names(const struct layout *layout, struct out *out)
{
	for (uint32_t i = 0; i < layout->n_columns; i++)
		write_padded(&layout->columns[i], layout->columns[i].name, out);
	out_text(out, "name\n");
}

static void write_row(const struct layout *layout, const struct series_row *row, const char *name, struct out *out)
{
	char text[CELL_TEXT];

	out_style(out, look_of_change(row->growth));
	for (uint32_t i = 0; i < layout->n_columns; i++) {
		write_cell(layout, &layout->columns[i], row, text);
		write_padded(&layout->columns[i], text, out);
	}
	look_end_row(out, name, "");
}

static void write_rows(const struct layout *layout, struct out *out)
{
	for (uint32_t i = 0; i < layout->n_rows && !out_has_failed(out); i++) {
		struct arena *arena = arena_new();
		const struct series_row *row = &layout->series->rows[i];

		write_row(layout, row, tree_label(&layout->report->table, row->row, arena), out);
		arena_free(arena);
	}
}

static void write_gone(const struct layout *layout, struct out *out)
{
	const char *comma = "";

	out_text(out, "No room for ");
	for (uint32_t i = 0; i < N_KINDS; i++) {
		if (!is_known(layout, &kinds[i]) || !kinds[i].goes || kinds[i].goes > layout->n_gone)
			continue;
		out_printf(out, "%s%s", comma, name_of(layout, &kinds[i]));
		comma = ", ";
	}
	out_text(out, ": a wider terminal or a file has them\n");
}

/* What the table does not show, and where it is. */
static void write_rest(const struct layout *layout, struct out *out)
{
	const struct series *series = layout->series;

	if (layout->n_rows < series->n_rows)
		out_printf(out, "Showing %" PRIu32 " of %" PRIu32 " rows: --trend=0 shows all\n", layout->n_rows,
		           series->n_rows);
	if (layout->n_bars && !out_columns(out))
		out_printf(out, "Showing the first and the last of %" PRIu32 " snapshots: --csv has a column for each\n",
		           series->n_snapshots);
	if (layout->n_gone)
		write_gone(layout, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct layout layout = {.report = report, .series = &report->series, .arena = arena_new()};

	layout.n_rows = trend_n_rows(report, USUAL_ROWS);
	layout.headings = trend_headings(layout.series, layout.arena);
	layout.rate = choose_rate(layout.series);
	fit(&layout, out_columns(out));
	write_head(&layout, out);
	write_names(&layout, out);
	write_row(&layout, &layout.series->total, "total", out);
	write_rows(&layout, out);
	write_rest(&layout, out);
	arena_free(layout.arena);
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

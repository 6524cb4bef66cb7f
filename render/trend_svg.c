#include "render/trend_svg.h"

#include "analyze/base/text.h"
#include "render/html_assets.h"
#include "render/trend_chart.h"
#include "render/when.h"

#include <math.h>

/* The rows over the snapshots as a picture: areas on each other, the likeliest leak at the bottom, and the total above. What
 * cannot stand on each other are lines: rows that share what is below them (--cum), and values below 0. */

enum {
	RIGHT = SVG_WIDTH - 240, /* behind it stand the names */
	HEIGHT = 360,            /* of what values are drawn in */
	LEAST_LEFT = 60,
	BESIDE = 8,          /* an axis or the end, where texts begin */
	LEAST_APART = 60,    /* values of the total are */
	BELOW = 3 * SVG_ROW, /* it: marks, what they say, what that is */
	NAME_COLUMNS = 30,
};

static struct arena *arena_of(const struct chart *chart)
{
	return chart->report->arena;
}

static double last_of(const struct chart *chart, const double *values)
{
	return values[chart->series->n_snapshots - 1];
}

/* ---- where it stands ---- */

static double place_of_part(const struct chart *chart, double part)
{
	return chart->left + part * (RIGHT - chart->left);
}

static double width_of(const char *text)
{
	return text_columns(text) * SVG_COLUMN;
}

static void choose_left(struct chart *chart)
{
	char text[UNITS_TEXT];

	chart->left = LEAST_LEFT;
	for (uint32_t i = 0; !chart_is_empty(chart) && i < axis_ticks(&chart->values); i++) {
		const char *label = units_label(text, &chart->values.unit, axis_tick(&chart->values, i));
		chart->left = fmax(chart->left, SVG_MARGIN + width_of(label) + BESIDE);
	}
}

static void choose_places(struct chart *chart)
{
	const struct series *series = chart->series;
	uint32_t n = series->n_snapshots;
	double all = series->has_times ? series_nanos(series, n - 1) : fmax(n - 1.0, 1);

	chart->places = arena_alloc(arena_of(chart), n, sizeof *chart->places);
	for (uint32_t i = 0; i < n; i++)
		chart->places[i] = place_of_part(chart, (series->has_times ? series_nanos(series, i) : i) / all);
	if (series->has_times)
		chart->time = axis_of_time(all);
	else
		chart->snapshots = axis_snapshots(series, arena_of(chart));
}

static double height_of(const struct chart *chart, double value)
{
	return chart->top + (chart->values.high - value) / (chart->values.high - chart->values.low) * HEIGHT;
}

/* ---- texts ---- */

static const char *value_text(const struct chart *chart, double value)
{
	char text[UNITS_TEXT];

	return arena_printf(arena_of(chart), "%s", report_label_alone(text, chart->report, value));
}

/* "+3GB" */
static const char *change_text(const struct chart *chart, double change)
{
	return arena_printf(arena_of(chart), "%s%s", change > 0 ? "+" : "", value_text(chart, change));
}

/* "1GB → 4GB" */
static const char *ends_text(const struct chart *chart, const double *values)
{
	return arena_printf(arena_of(chart), "%s \u2192 %s", value_text(chart, values[0]),
	                    value_text(chart, last_of(chart, values)));
}

static const char *share_text(const struct chart *chart, double growth)
{
	char text[UNITS_TEXT];

	return arena_printf(arena_of(chart), "%s", units_percent_alone(text, growth, chart->series->divisor));
}

static const char *slope_text(const struct chart *chart, const struct series_row *row)
{
	const char *step = change_text(chart, row->step);

	if (!chart->series->has_times)
		return arena_printf(arena_of(chart), "%s a snapshot", step);
	return arena_printf(arena_of(chart), "%s a snapshot, %s a second", step, change_text(chart, row->per_second));
}

static const char *seen_text(const struct chart *chart, const struct series_row *row)
{
	if (row->first_seen == chart->series->n_snapshots)
		return "";
	return arena_printf(arena_of(chart), ", first seen in %s",
	                    text_printable(chart->series->snapshots[row->first_seen].name, arena_of(chart)));
}

/* ---- the lines above ---- */

static void add_times(struct chart *chart)
{
	const struct snapshot *snapshots = chart->series->snapshots;
	char from[WHEN_TEXT], to[WHEN_TEXT];

	if (chart->series->has_times)
		svg_add_line(&chart->lines,
		             arena_printf(arena_of(chart), "From %s to %s", when_short(from, snapshots[0].time_nanos),
		                          when_short(to, snapshots[chart->series->n_snapshots - 1].time_nanos)));
}

static void add_lines(struct chart *chart)
{
	const struct report *report = chart->report;
	const struct series_row *total = &chart->series->total;
	struct svg_lines *lines = &chart->lines;
	struct arena *arena = arena_of(chart);

	svg_add_line(lines, arena_printf(arena, "%s%s over %u snapshots", svg_program(report), report->type,
	                                 chart->series->n_snapshots));
	if (chart_is_empty(chart))
		svg_add_line(lines, "There is nothing to draw: no snapshot holds anything");
	else
		svg_add_line(lines, arena_printf(arena, "Total: %s, %s, %s", ends_text(chart, total->values),
		                                 change_text(chart, total->growth), slope_text(chart, total)));
	add_times(chart);
	svg_add_filters(lines);
	if (chart->n_rows < chart->series->n_rows)
		svg_add_line(lines, arena_printf(arena, "Drawn: the first %u of %u rows, in the order of their leak scores",
		                                 chart->n_rows, chart->series->n_rows));
	if (!chart->stacked)
		svg_add_line(lines, report->opts.by_cum ? "Lines, not areas: rows hold what is below them too"
		                                        : "Lines, not areas: there are values below 0");
}

/* ---- shapes ---- */

static void write_point(struct out *out, char command, double x, double y)
{
	char text[2] = {command};

	out_markup(out, text);
	out_json_number(out, round(x * 100) / 100);
	out_markup(out, " ");
	out_json_number(out, round(y * 100) / 100);
}

static void write_straight(struct out *out, const char *class, double x, double y, double to_x, double to_y)
{
	out_markup(out, "<path");
	svg_attribute(out, "class", class);
	out_markup(out, " d=\"");
	write_point(out, 'M', x, y);
	write_point(out, 'L', to_x, to_y);
	out_markup(out, "\"/>\n");
}

static double upper_edge(const struct chart *chart, const struct band *band, uint32_t snapshot)
{
	return height_of(chart, band->values[snapshot] + (band->below ? band->below[snapshot] : 0));
}

static void write_path(const struct chart *chart, const struct band *band, const char *class, struct out *out)
{
	uint32_t n = chart->series->n_snapshots;

	out_markup(out, "<path");
	svg_attribute(out, "class", class);
	out_markup(out, " d=\"");
	for (uint32_t i = 0; i < n; i++)
		write_point(out, i ? 'L' : 'M', chart->places[i], upper_edge(chart, band, i));
	for (uint32_t i = n; band->below && i-- > 0;)
		write_point(out, 'L', chart->places[i], height_of(chart, band->below[i]));
	out_markup(out, band->below ? "Z\"/>" : "\"/>");
}

static void write_title(const struct chart *chart, const struct band *band, struct out *out)
{
	const struct series_row *row = band->row;
	double growth = last_of(chart, band->values) - band->values[0];

	out_markup(out, "<title>");
	out_text(out, band->name);
	out_printf(out, "\n%s, %s (%s of all growth)", ends_text(chart, band->values), change_text(chart, growth),
	           share_text(chart, growth));
	if (row)
		out_printf(out, "\n%s\n%s%s", slope_text(chart, row), shape_name(row->shape), seen_text(chart, row));
	if (row && row->churn > 0)
		out_printf(out, "\nallocated and freed again: %s", value_text(chart, row->churn));
	out_markup(out, "</title>");
}

static bool holds_anything(const struct chart *chart, const struct band *band)
{
	for (uint32_t i = 0; i < chart->series->n_snapshots; i++)
		if (band->values[i] != 0)
			return true;
	return false;
}

static void begin_group(const struct chart *chart, const struct band *band, struct out *out)
{
	out_markup(out, "<g");
	svg_attribute(out, "class", arena_printf(arena_of(chart), "%s %s", chart->stacked ? "area" : "line", band->class));
	out_markup(out, ">");
}

static void write_band(const struct chart *chart, const struct band *band, struct out *out)
{
	begin_group(chart, band, out);
	write_title(chart, band, out);
	write_path(chart, band, "own", out);
	if (chart->stacked && *band->over)
		write_path(chart, band, band->over, out);
	out_markup(out, "</g>\n");
}

static void write_bands(const struct chart *chart, struct out *out)
{
	struct band total = {.values = chart->series->total.values};

	for (uint32_t i = 0; i < chart->n_bands; i++)
		if (holds_anything(chart, &chart->bands[i]))
			write_band(chart, &chart->bands[i], out);
	write_path(chart, &total, "total", out);
	out_markup(out, "\n");
}

/* ---- axes ---- */

static void write_value_axis(const struct chart *chart, struct out *out)
{
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < axis_ticks(&chart->values); i++) {
		double value = axis_tick(&chart->values, i), y = height_of(chart, value);

		write_straight(out, "grid", chart->left, y, RIGHT, y);
		svg_text(out, "right", chart->left - BESIDE, y + 4, units_label(text, &chart->values.unit, value));
	}
}

static void write_time_axis(const struct chart *chart, double y, struct out *out)
{
	uint32_t last = chart->series->n_snapshots - 1;
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < axis_ticks(&chart->time); i++) {
		double time = axis_tick(&chart->time, i), x = place_of_part(chart, time / series_nanos(chart->series, last));

		write_straight(out, "grid", x, chart->top, x, y - SVG_ROW);
		svg_text(out, "middle", x, y, units_label(text, &chart->time.unit, time));
	}
	svg_text(out, "middle", place_of_part(chart, 0.5), y + SVG_ROW, "since the first snapshot");
}

static uint32_t widest_label(const struct chart *chart)
{
	uint32_t widest = 0;

	for (uint32_t i = 0; i < chart->series->n_snapshots; i++) {
		uint32_t width = text_columns(chart->snapshots[i]);
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void write_snapshot_axis(const struct chart *chart, double y, struct out *out)
{
	double room = (widest_label(chart) + 2) * SVG_COLUMN;
	uint32_t n = chart->series->n_snapshots;
	uint32_t every = (uint32_t)axis_round(fmax(1, room * n / (RIGHT - chart->left)));

	for (uint32_t i = 0; i < n; i += every)
		svg_text(out, "middle", chart->places[i], y, chart->snapshots[i]);
	svg_text(out, "middle", place_of_part(chart, 0.5), y + SVG_ROW, "snapshot");
}

static void write_mark(const struct chart *chart, uint32_t snapshot, double y, struct out *out)
{
	const struct snapshot *at = &chart->series->snapshots[snapshot];
	char when[WHEN_TEXT];

	out_markup(out, "<g><title>");
	out_text(out, svg_name(chart->report, at->name));
	if (at->time_nanos)
		out_printf(out, "\n%s", when_short(when, at->time_nanos));
	out_printf(out, "\ntotal %s", value_text(chart, chart->series->total.values[snapshot]));
	out_markup(out, "</title>");
	write_straight(out, "mark", chart->places[snapshot], y, chart->places[snapshot], y + 5);
	out_markup(out, "</g>\n");
}

static void write_axes(const struct chart *chart, struct out *out)
{
	double bottom = chart->top + HEIGHT;

	write_value_axis(chart, out);
	(chart->series->has_times ? write_time_axis : write_snapshot_axis)(chart, bottom + 5 + SVG_ROW, out);
}

static void write_marks(const struct chart *chart, struct out *out)
{
	double zero = height_of(chart, 0);

	write_straight(out, "zero", chart->left, zero, RIGHT, zero);
	for (uint32_t i = 0; i < chart->series->n_snapshots; i++)
		write_mark(chart, i, chart->top + HEIGHT, out);
}

/* ---- texts beside what they are of ---- */

/* Whether the text finds room at a place, which then is taken: places[*n], and no two nearer than that. */
static bool take_place(double place, double apart, double *places, uint32_t *n)
{
	for (uint32_t i = 0; i < *n; i++)
		if (fabs(places[i] - place) < apart)
			return false;
	places[(*n)++] = place;
	return true;
}

static void write_name(const struct chart *chart, const char *class, const char *name, double y, struct out *out)
{
	svg_text(out, class, RIGHT + BESIDE, y + 4, text_fit(name, NAME_COLUMNS, arena_of(chart)));
}

static double middle_at_end(const struct chart *chart, const struct band *band)
{
	double last = last_of(chart, band->values);

	return height_of(chart, band->below ? last_of(chart, band->below) + last / 2 : last);
}

/* At the right end; who finds no room there has its name in the legend alone. */
static void write_names(const struct chart *chart, struct out *out)
{
	double y = height_of(chart, last_of(chart, chart->series->total.values)), taken[CHART_MOST_ROWS + 2] = {y};
	uint32_t n_taken = 1;

	write_name(
		chart, "columns",
		arena_printf(arena_of(chart), "total %s", value_text(chart, last_of(chart, chart->series->total.values))), y,
		out);
	for (uint32_t i = 0; i < chart->n_bands; i++) {
		const struct band *band = &chart->bands[i];

		y = middle_at_end(chart, band);
		if (last_of(chart, band->values) != 0 && take_place(y, SVG_ROW - 3, taken, &n_taken))
			write_name(chart, "name",
			           arena_printf(arena_of(chart), "%s%s%s", band->number, *band->number ? " " : "", band->name), y,
			           out);
	}
}

static uint32_t find_peak(const struct chart *chart)
{
	const double *values = chart->series->total.values;
	uint32_t peak = 0;

	for (uint32_t i = 0; i < chart->series->n_snapshots; i++)
		if (fabs(values[i]) > fabs(values[peak]))
			peak = i;
	return peak;
}

/* How high the line of the total is, at any place. */
static double line_at(const struct chart *chart, double x)
{
	const double *values = chart->series->total.values, *places = chart->places;
	uint32_t last = chart->series->n_snapshots - 1, next = 0;

	while (next < last && places[next] < x)
		next++;
	if (next == 0 || places[next] <= x)
		return height_of(chart, values[next]);
	double part = (x - places[next - 1]) / (places[next] - places[next - 1]);
	return height_of(chart, values[next - 1] + part * (values[next] - values[next - 1]));
}

/* Where the line lies below a text of this width. */
static double above_line(const struct chart *chart, double x, double width)
{
	enum { PARTS = 8 };
	double y = line_at(chart, x);

	for (int i = -PARTS; i <= PARTS; i++)
		y = fmin(y, line_at(chart, x + width / 2 * i / PARTS));
	return y - 6;
}

static void write_total_at(const struct chart *chart, uint32_t snapshot, double *taken, uint32_t *n_taken,
                           struct out *out)
{
	const char *text = value_text(chart, chart->series->total.values[snapshot]);
	double width = width_of(text);
	double x = fmax(fmin(chart->places[snapshot], RIGHT - width / 2), chart->left + width / 2);

	if (take_place(x, fmax(LEAST_APART, width + 2 * BESIDE), taken, n_taken))
		svg_text(out, "value middle", x, above_line(chart, x, width), text);
}

/* The last stands at the end, with its name; of the others the highest and the first are worth most. */
static void write_totals(const struct chart *chart, struct out *out)
{
	double taken[RIGHT / LEAST_APART + 2];
	uint32_t n_taken = 0, last = chart->series->n_snapshots - 1, peak = find_peak(chart);

	if (peak < last)
		write_total_at(chart, peak, taken, &n_taken, out);
	for (uint32_t i = 0; i < last; i++)
		write_total_at(chart, i, taken, &n_taken, out);
}

/* ---- the legend ---- */

enum {
	KEY_NUMBER = SVG_MARGIN + 62, /* where columns end */
	KEY_NAME = KEY_NUMBER + 12,   /* or begin */
	KEY_ENDS = 760,
	KEY_GROWTH = 915,
	KEY_SHARE = 1000,
	KEY_SHAPE = 1020,
	SAMPLE_WIDTH = 36,
	SAMPLE_HEIGHT = 12,
};

static void write_legend_head(double y, struct out *out)
{
	svg_text(out, "columns right", KEY_NUMBER, y, "#");
	svg_text(out, "columns", KEY_NAME, y, "name");
	svg_text(out, "columns right", KEY_ENDS, y, "first \u2192 last");
	svg_text(out, "columns right", KEY_GROWTH, y, "growth");
	svg_text(out, "columns right", KEY_SHARE, y, "of all");
	svg_text(out, "columns", KEY_SHAPE, y, "shape");
}

/* "grows", "churn of 4MB" */
static const char *shape_text(const struct chart *chart, const struct series_row *row)
{
	if (row->shape != SHAPE_CHURN)
		return shape_name(row->shape);
	return arena_printf(arena_of(chart), "%s of %s", shape_name(row->shape), value_text(chart, row->churn));
}

static void write_legend_texts(const struct chart *chart, const struct band *band, double y, struct out *out)
{
	double growth = last_of(chart, band->values) - band->values[0];
	const char *ends = ends_text(chart, band->values);
	double room = KEY_ENDS - width_of(ends) - 2 * BESIDE - KEY_NAME;

	svg_text(out, "right", KEY_NUMBER, y, band->number);
	svg_text(out, "name", KEY_NAME, y, text_fit(band->name, (uint32_t)(room / SVG_COLUMN), arena_of(chart)));
	svg_text(out, "right", KEY_ENDS, y, ends);
	svg_text(out, "right", KEY_GROWTH, y, change_text(chart, growth));
	svg_text(out, "right", KEY_SHARE, y, share_text(chart, growth));
	if (band->row)
		svg_text(out, "shape", KEY_SHAPE, y, shape_text(chart, band->row));
}

static void write_sample(const char *class, double y, struct out *out)
{
	out_markup(out, "<rect");
	svg_attribute(out, "class", class);
	svg_number(out, "x", SVG_MARGIN);
	svg_pixels(out, "y", y - SAMPLE_HEIGHT + 2);
	svg_number(out, "width", SAMPLE_WIDTH);
	svg_number(out, "height", SAMPLE_HEIGHT);
	out_markup(out, "/>");
}

/* What holds nothing is nowhere in the picture. */
static void write_look(const struct chart *chart, const struct band *band, double y, struct out *out)
{
	if (!holds_anything(chart, band))
		return;
	begin_group(chart, band, out);
	if (!band->below)
		write_straight(out, "own", SVG_MARGIN, y - 4, SVG_MARGIN + SAMPLE_WIDTH, y - 4);
	else
		write_sample("own", y, out);
	if (band->below && *band->over)
		write_sample(band->over, y, out);
	out_markup(out, "</g>\n");
}

static void write_legend(const struct chart *chart, double y, struct out *out)
{
	const struct series_row *row = &chart->series->total;
	struct band total = {.row = row, .name = "total", .number = "", .values = row->values};

	write_legend_head(y, out);
	for (uint32_t i = 0; i < chart->n_bands; i++) {
		y += SVG_ROW;
		out_markup(out, "<g>");
		write_title(chart, &chart->bands[i], out);
		write_look(chart, &chart->bands[i], y, out);
		write_legend_texts(chart, &chart->bands[i], y, out);
		out_markup(out, "</g>\n");
	}
	write_straight(out, "total", SVG_MARGIN, y + SVG_ROW - 4, SVG_MARGIN + SAMPLE_WIDTH, y + SVG_ROW - 4);
	write_legend_texts(chart, &total, y + SVG_ROW, out);
}

/* ---- the picture ---- */

/* Over what is an area already. */
static const char PATTERNS[] =
	"<defs>\n"
	"<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
	"<rect class=\"over\" width=\"1.5\" height=\"6\"/></pattern>\n"
	"<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<circle class=\"over\" cx=\"3\" cy=\"3\" r=\"1\"/></pattern>\n"
	"<pattern id=\"bars\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<rect class=\"over\" width=\"6\" height=\"1\"/></pattern>\n"
	"</defs>\n";

static void write_chart(const struct chart *chart, struct out *out)
{
	write_axes(chart, out);
	write_bands(chart, out);
	write_marks(chart, out);
	write_totals(chart, out);
	write_names(chart, out);
}

static void write_picture(struct chart *chart, const char *style, struct out *out)
{
	double end = SVG_MARGIN + (chart->lines.n + 1) * SVG_ROW;

	chart->top = end + SVG_ROW;
	if (!chart_is_empty(chart))
		end = chart->top + HEIGHT + BELOW;
	svg_begin(out, chart->lines.lines[0], style, chart->n_rows > CHART_HUES ? PATTERNS : "",
	          end + (chart->n_bands + 3) * SVG_ROW);
	svg_write_lines(out, &chart->lines, SVG_MARGIN + SVG_ROW);
	if (!chart_is_empty(chart))
		write_chart(chart, out);
	write_legend(chart, end + SVG_ROW, out);
	out_markup(out, "</svg>\n");
}

static void draw(const struct report *report, const char *style, struct out *out)
{
	struct chart chart = {.report = report, .series = &report->series, .lines = {.report = report}};

	chart_choose_bands(&chart);
	chart_choose_values(&chart);
	choose_left(&chart);
	choose_places(&chart);
	add_lines(&chart);
	write_picture(&chart, style, out);
}

void trend_svg_inline(const struct report *report, struct out *out)
{
	draw(report, NULL, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	draw(report, trend_style, out);
	return NULL;
}

const struct renderer render_trend_svg = {
	.name = "svg",
	.ext = "svg",
	.parts = PART_SERIES,
	.both_sides = true,
	.write = write,
};

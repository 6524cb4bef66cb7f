#include "render/header.h"
#include "render/html_assets.h"
#include "render/html_data.h"
#include "render/html_graph.h"
#include "render/html_source.h"
#include "render/trend_svg.h"

#include <inttypes.h>
#include <string.h>

/* One page for a browser, whole without a network. What stands here as markup is to be read without a script too: the
 * heaviest rows, the call graphs, what the profile is. The script adds the views of html/ from the data at its end. */

enum { SUMMARY_ROWS = 50 };

/* ---- the summary ---- */

static void write_text_cell(const char *text, struct out *out)
{
	out_markup(out, "<td>");
	out_text(out, text);
	out_markup(out, "</td>");
}

static void write_name_cell(const char *name, struct out *out)
{
	out_markup(out, "<th scope=\"row\">");
	out_name(out, name);
	out_markup(out, "</th></tr>\n");
}

static void write_value_cell(const struct report *report, double value, struct out *out)
{
	char text[UNITS_TEXT];

	write_text_cell(units_label(text, &report->modern, value), out);
}

static void write_percent_cell(const struct report *report, double value, struct out *out)
{
	char text[UNITS_TEXT];

	write_text_cell(units_percent_alone(text, value, report->divisor_of_all), out);
}

/* What a row has of the type that is shown, on one side. */
static double side_value(const struct report *report, const double *columns, uint32_t set, uint32_t row)
{
	const struct flame *flame = &report->flame;

	return columns[flame_column(flame, flame->shown, set, report->table.n) + row];
}

static void write_sides(const struct report *report, uint32_t row, struct out *out)
{
	if (!report->view->has_base)
		return;
	write_value_cell(report, side_value(report, report->flame.cum, SET_BASE, row), out);
	write_value_cell(report, side_value(report, report->flame.cum, SET_MAIN, row), out);
}

static void write_row(const struct report *report, uint32_t at, struct out *out)
{
	const struct row *row = &report->table.rows[at];

	out_markup(out, "<tr>");
	write_value_cell(report, row->flat, out);
	write_percent_cell(report, row->flat, out);
	write_value_cell(report, row->cum, out);
	write_percent_cell(report, row->cum, out);
	write_sides(report, at, out);
	write_name_cell(row->label, out);
}

/* names: ended by NULL */
static void write_columns(const char *const *names, struct out *out)
{
	out_markup(out, "<thead><tr>");
	for (; *names; names++) {
		out_markup(out, "<th scope=\"col\">");
		out_text(out, *names);
		out_markup(out, "</th>");
	}
	out_markup(out, "</tr></thead>\n");
}

static const char *const *column_names(const struct report *report)
{
	static const char *const plain[] = {"flat", "flat%", "cum", "cum%", "name", NULL};
	static const char *const compared[] = {"flat", "flat%", "cum", "cum%", "base cum", "new cum", "name", NULL};
	static const char *const in_time[] = {"flat", "flat%", "cum", "cum%", "first cum", "last cum", "name", NULL};

	if (report->series.n_snapshots)
		return in_time;
	return report->view->has_base ? compared : plain;
}

/* Why there are no rows. */
static void write_nothing(const struct report *report, struct out *out)
{
	const struct view *view = report->view;
	char text[UNITS_TEXT];

	out_markup(out, "<p>");
	if (report->graph.n_dropped_nodes)
		out_text(out, "Every function has less than what is shown here; --nodefraction=0 shows all.");
	else if (view->kept.sum_abs > 0)
		out_printf(out, "No sample has a stack, so there is no function to show. The total is %s.",
		           report_label_alone(text, report, report->total));
	else if (report->n_filters && !view->n_kept)
		out_text(out, "The filters leave no sample.");
	else if (view->has_base)
		out_text(out, "Nothing changed since the base.");
	else
		out_text(out, "The profile is empty: no sample has a value of this type.");
	out_markup(out, "</p>\n");
}

static void write_more(uint32_t n, struct out *out)
{
	out_markup(out, "<p>");
	out_printf(out, "%" PRIu32 " more row%s not here.", n, n == 1 ? " is" : "s are");
	out_markup(out, "</p>\n");
}

static void write_table(const struct report *report, struct out *out)
{
	out_markup(out, "<table>\n");
	write_columns(column_names(report), out);
	out_markup(out, "<tbody>\n");
	for (uint32_t i = 0; i < report->n_order && i < SUMMARY_ROWS; i++)
		write_row(report, report->order[i], out);
	out_markup(out, "</tbody>\n</table>\n");
	if (report->n_order > SUMMARY_ROWS)
		write_more(report->n_order - SUMMARY_ROWS, out);
}

static void write_summary(const struct report *report, struct out *out)
{
	out_markup(out, "<section id=\"summary\">\n<h2>Heaviest rows");
	out_text(out, report->series.n_snapshots ? ", the last snapshot less the first" : "");
	out_markup(out, "</h2>\n<pre>");
	header_profile(report, out);
	header_nodes(report, out);
	out_markup(out, "</pre>\n");
	if (report->n_order)
		write_table(report, out);
	else
		write_nothing(report, out);
	out_markup(out, "</section>\n");
}

/* ---- snapshots in time ---- */

static void write_alone_cell(const struct report *report, double value, struct out *out)
{
	char text[UNITS_TEXT];

	write_text_cell(report_label_alone(text, report, value), out);
}

static void write_growth(const struct report *report, const struct series_row *row, const char *name, struct out *out)
{
	const struct series *series = &report->series;
	char text[UNITS_TEXT];

	out_markup(out, "<tr>");
	write_alone_cell(report, row->values[0], out);
	write_alone_cell(report, row->values[series->n_snapshots - 1], out);
	write_alone_cell(report, row->growth, out);
	write_text_cell(units_percent_alone(text, row->growth, series->divisor), out);
	write_alone_cell(report, row->step, out);
	write_text_cell(shape_name(row->shape), out);
	write_name_cell(name, out);
}

static uint32_t count_growths(const struct report *report)
{
	int wanted = report->opts.growth_count;
	uint32_t n = report->series.n_rows, most = wanted < 0 ? SUMMARY_ROWS : (uint32_t)wanted;

	return most && most < n ? most : n;
}

static void write_growths(const struct report *report, struct out *out)
{
	static const char *const names[] = {"first", "last", "growth", "growth%", "a snapshot", "shape", "name", NULL};
	const struct series *series = &report->series;
	uint32_t n = count_growths(report);

	out_markup(out, "<table>\n");
	write_columns(names, out);
	out_markup(out, "<tbody>\n");
	write_growth(report, &series->total, "total", out);
	for (uint32_t i = 0; i < n; i++)
		write_growth(report, &series->rows[i], report->table.rows[series->rows[i].row].label, out);
	out_markup(out, "</tbody>\n</table>\n");
	if (series->n_rows > n)
		write_more(series->n_rows - n, out);
}

static bool has_timeline(const struct report *report)
{
	return report->series.n_snapshots;
}

static void write_snapshots(const struct series *series, struct out *out)
{
	out_markup(out, "<h2>Growth over time</h2>\n<p>");
	out_printf(out, "%" PRIu32 " snapshots, from ", series->n_snapshots);
	out_name(out, series->snapshots[0].name);
	out_text(out, " to ");
	out_name(out, series->snapshots[series->n_snapshots - 1].name);
	out_text(out, ". The likeliest leak comes first.");
	out_markup(out, "</p>\n");
}

static void write_timeline(const struct report *report, struct out *out)
{
	struct report pictured = *report; /* not cut as the flame is */

	pictured.opts.node_count = report->opts.growth_count;
	out_markup(out, "<section id=\"timeline\">\n");
	write_snapshots(&report->series, out);
	trend_svg_inline(&pictured, out);
	write_growths(report, out);
	out_markup(out, "</section>\n");
}

/* ---- what the profile is ---- */

static uint32_t count_rows_of_nodes(const struct flame *flame)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < flame->n; i++)
		n += flame->nodes[i].row != FLAME_FOLDED && flame->nodes[i].row != FLAME_NO_STACK;
	return n;
}

static void write_folding(const struct flame *flame, struct out *out)
{
	uint32_t n = count_rows_of_nodes(flame);

	out_markup(out, "<p>");
	if (n == flame->n_before)
		out_printf(out, "The call tree is whole: %" PRIu32 " node%s.", n, n == 1 ? "" : "s");
	else
		out_printf(out,
		           "%" PRIu32 " of %" PRIu32
		           " nodes of the call tree are shown. The rest is in (small) boxes, so all sums are exact.",
		           n, flame->n_before);
	out_markup(out, "</p>\n");
}

static void write_notes(const struct diag *notes, struct out *out)
{
	bool is_first = true;

	for (uint32_t i = 0; i < notes->n; i++) {
		const struct note *note = &notes->notes[i];

		if (note->level == NOTE_DETAIL)
			continue;
		out_markup(out, is_first ? "<h3>Notes</h3>\n<ul>\n" : "");
		out_markup(out, note->level == NOTE_WARNING ? "<li class=\"e\">" : "<li>");
		out_name(out, note->text);
		out_markup(out, "</li>\n");
		is_first = false;
	}
	out_markup(out, is_first ? "" : "</ul>\n");
}

static struct err *write_info(const struct report *report, struct out *out)
{
	out_markup(out, "<section id=\"info\">\n<h2>Info</h2>\n<pre>");
	struct err *err = render_info.write(report, out);
	out_markup(out, "</pre>\n");
	write_folding(&report->flame, out);
	if (report->told)
		write_notes(report->told, out);
	out_markup(out, "<p>Written by pprof " PPROF_VERSION ".</p>\n</section>\n");
	return err;
}

/* ---- the page ---- */

static void write_head(const struct report *report, struct out *out)
{
	out_markup(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '");
	out_markup(out, html_script_hash);
	out_markup(out, "'; style-src '");
	out_markup(out, html_style_hash);
	if (has_timeline(report)) {
		out_markup(out, "' '");
		out_markup(out, timeline_style_hash);
	}
	out_markup(out, "'; base-uri 'none'; form-action 'none'\">\n"
	                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	out_name(out, *report->program ? report->program : "profile");
	out_text(out, " ");
	out_name(out, report->type);
	out_markup(out, " - pprof</title>\n<style>");
	out_markup(out, html_style);
	out_markup(out, "</style>\n");
	if (has_timeline(report)) {
		out_markup(out, "<style>");
		out_markup(out, timeline_style);
		out_markup(out, "</style>\n");
	}
	out_markup(out, "</head>\n<body>\n<main>\n");
}

static void write_end(const struct report *report, const struct html_total *totals, struct out *out)
{
	out_markup(out, "</main>\n<script type=\"application/octet-stream\" id=\"data\">\n");
	html_data_write(report, totals, out);
	out_markup(out, "</script>\n<script>");
	out_markup(out, html_script);
	out_markup(out, "</script>\n</body>\n</html>\n");
}

static void note_types(const struct report *report)
{
	if (report->flame.n_types < report->profile->n_types && report->told)
		diag_add(report->told, NOTE_WARNING, NOTE_LOSS, "the page has %" PRIu32 " of the %" PRIu32 " sample types",
		         report->flame.n_types, report->profile->n_types);
}

static struct err *write_sections(const struct report *report, const struct html_rows *rows,
                                  struct html_total *totals_ret, struct out *out)
{
	if (has_timeline(report))
		write_timeline(report, out);
	write_summary(report, out);
	struct err *err = html_graphs_write(report, rows, totals_ret, out);
	if (!err && report->source)
		html_source_write(report, rows, out);
	return err ? err : write_info(report, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct html_rows rows;
	struct html_total totals[FLAME_MOST_TYPES];

	note_types(report);
	html_rows_index(&report->table, &rows);
	out_set_page(out);
	write_head(report, out);
	struct err *err = write_sections(report, &rows, totals, out);
	if (!err)
		write_end(report, totals, out);
	html_rows_free(&rows);
	return err;
}

static const struct renderer with_timeline = {
	.name = "html",
	.ext = "html",
	.parts = PART_FLAME | PART_TOP | PART_INFO | PART_SERIES,
	.binary = true,
	.for_browser = true,
	.holds_sums = true,
	.both_sides = true,
	.has_source = true,
	.write = write,
};

const struct renderer render_html = {
	.name = "html",
	.help = "a page for a browser: flame graph, table, call graph",
	.ext = "html",
	.parts = PART_FLAME | PART_TOP | PART_INFO,
	.trend = &with_timeline,
	.binary = true,
	.for_browser = true,
	.holds_sums = true,
	.both_sides = true,
	.has_source = true,
	.write = write,
};

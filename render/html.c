#include "render/header.h"
#include "render/html_assets.h"
#include "render/html_data.h"
#include "render/html_graph.h"

#include <string.h>

/* One page for a browser, whole without a network. What stands here as markup is to be read without a script too: the
 * heaviest rows, the call graphs, what the profile is. The script adds the views of html/ from the data at its end. */

enum { SUMMARY_ROWS = 50 };

/* ---- the summary ---- */

static void write_cell(struct out *out, const char *text)
{
	out_markup(out, "<td>");
	out_name(out, text + strspn(text, " "));
	out_markup(out, "</td>");
}

static void write_row(const struct report *report, const struct row *row, struct out *out)
{
	char text[UNITS_TEXT];

	out_markup(out, "<tr>");
	write_cell(out, units_label(text, &report->modern, row->flat));
	write_cell(out, units_percent_label(text, row->flat, report->divisor_of_all));
	write_cell(out, units_label(text, &report->modern, row->cum));
	write_cell(out, units_percent_label(text, row->cum, report->divisor_of_all));
	out_markup(out, "<th scope=\"row\">");
	out_name(out, row->label);
	out_markup(out, "</th></tr>\n");
}

static void write_summary(const struct report *report, struct out *out)
{
	out_markup(out, "<section id=\"summary\">\n<h2>Heaviest rows</h2>\n<pre>");
	header_profile(report, out);
	header_nodes(report, out);
	out_markup(out, "</pre>\n<table>\n<thead><tr><th scope=\"col\">flat</th><th scope=\"col\">flat%</th>"
	                "<th scope=\"col\">cum</th><th scope=\"col\">cum%</th><th scope=\"col\">name</th></tr></thead>\n"
	                "<tbody>\n");
	for (uint32_t i = 0; i < report->n_order && i < SUMMARY_ROWS; i++)
		write_row(report, &report->table.rows[report->order[i]], out);
	out_markup(out, "</tbody>\n</table>\n</section>\n");
}

/* ---- the page ---- */

static void write_head(const struct report *report, struct out *out)
{
	out_markup(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '");
	out_markup(out, html_script_hash);
	out_markup(out, "'; style-src '");
	out_markup(out, html_style_hash);
	out_markup(out, "'; base-uri 'none'; form-action 'none'\">\n"
	                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	out_name(out, *report->program ? report->program : "profile");
	out_text(out, " ");
	out_name(out, report->type);
	out_markup(out, " - pprof</title>\n<style>");
	out_markup(out, html_style);
	out_markup(out, "</style>\n</head>\n<body>\n<main>\n");
}

static void write_end(const struct report *report, struct out *out)
{
	out_markup(out, "</main>\n<script type=\"application/octet-stream\" id=\"data\">\n");
	html_data_write(report, out);
	out_markup(out, "</script>\n<script>");
	out_markup(out, html_script);
	out_markup(out, "</script>\n</body>\n</html>\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	out_set_page(out);
	write_head(report, out);
	write_summary(report, out);
	html_graphs_write(report, out);
	write_end(report, out);
	return NULL;
}

const struct renderer render_html = {
	.name = "html",
	.help = "one page for a browser, in one file: flame graph, callers and callees, table, call graph",
	.ext = "html",
	.parts = PART_FLAME | PART_TOP,
	.binary = true,
	.holds_sums = true,
	.both_sides = true,
	.has_graphs = true,
	.write = write,
};

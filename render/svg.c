#include "render/svg.h"

#include "analyze/base/text.h"

#include <math.h>

enum { LINE_COLUMNS = 160, LONGEST_NAME = 4000 };

/* ---- the lines above ---- */

void svg_add_line(struct svg_lines *lines, const char *text)
{
	lines->lines[lines->n++] = text_fit(text, LINE_COLUMNS, lines->report->arena);
}

void svg_add_filters(struct svg_lines *lines)
{
	const struct report *report = lines->report;

	for (uint32_t i = 0; i < report->n_filters; i++)
		svg_add_line(lines, arena_printf(report->arena, "%s%s", i ? "                " : "Active filters: ",
		                                 text_printable(report->filters[i], report->arena)));
}

const char *svg_program(const struct report *report)
{
	const char *program = text_printable(report->program, report->arena);

	return *program ? arena_printf(report->arena, "%s: ", program) : "";
}

const char *svg_name(const struct report *report, const char *label)
{
	size_t length = text_cut(label, LONGEST_NAME);

	return text_printable(label[length] ? arena_printf(report->arena, "%.*s\u2026", (int)length, label) : label,
	                      report->arena);
}

/* ---- the page ---- */

void svg_begin(struct out *out, const char *title, const char *style, const char *defs, double height)
{
	if (style) {
		out_set_page(out);
		out_markup(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	}
	out_markup(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	svg_number(out, "width", SVG_WIDTH);
	svg_number(out, "height", height);
	out_markup(out, " viewBox=\"0 0 ");
	out_number(out, SVG_WIDTH);
	out_text(out, " ");
	out_number(out, (uint64_t)height);
	out_markup(out, "\">\n<title>");
	out_text(out, title);
	out_markup(out, "</title>\n");
	if (style) {
		out_markup(out, "<style>");
		out_markup(out, style);
		out_markup(out, "</style>\n");
	}
	out_markup(out, defs);
	out_markup(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
}

uint32_t svg_write_lines(struct out *out, const struct svg_lines *lines, uint32_t y)
{
	for (uint32_t i = 0; i < lines->n; i++, y += SVG_ROW)
		svg_text(out, i ? "line" : "head", SVG_MARGIN, y, lines->lines[i]);
	return y;
}

/* ---- markup ---- */

void svg_attribute(struct out *out, const char *name, const char *value)
{
	out_markup(out, " ");
	out_markup(out, name);
	out_markup(out, "=\"");
	out_text(out, value);
	out_markup(out, "\"");
}

void svg_number(struct out *out, const char *name, double value)
{
	out_markup(out, " ");
	out_markup(out, name);
	out_markup(out, "=\"");
	out_json_number(out, value);
	out_markup(out, "\"");
}

void svg_pixels(struct out *out, const char *name, double value)
{
	svg_number(out, name, round(value * 1000) / 1000);
}

void svg_box(struct out *out, double x, double y, double width)
{
	out_markup(out, "<rect");
	svg_pixels(out, "x", x);
	svg_pixels(out, "y", y);
	svg_pixels(out, "width", width);
	svg_number(out, "height", SVG_BOX);
	out_markup(out, "/>");
}

void svg_text(struct out *out, const char *class, double x, double y, const char *text)
{
	out_markup(out, "<text");
	svg_attribute(out, "class", class);
	svg_pixels(out, "x", x);
	svg_pixels(out, "y", y);
	out_markup(out, ">");
	out_text(out, text);
	out_markup(out, "</text>\n");
}

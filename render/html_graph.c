#include "render/html_graph.h"

#include "render/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphviz's picture as a part of a page ---- */

struct picture {
	const struct report *graph;
	const struct html_rows *rows;
	struct out *out;
};

/* Boxes have names that graphviz.c gives them: "N1" is the first row of the graph. */
static void write_row_of(const struct picture *picture, const char *behind)
{
	const struct report *graph = picture->graph;
	unsigned number;
	int length = 0;

	if (sscanf(behind, "\n<title>N%u</title>%n", &number, &length) != 1 || !length || number - 1 >= graph->n_order)
		return;
	html_rows_write(picture->rows, graph->table.rows[graph->order[number - 1]].label, picture->out);
}

/* Ids would be those of the other pictures too. graphviz escapes what would end a tag or a value. */
static void write_tag(const struct picture *picture, const char *tag, size_t length)
{
	const char *id = memmem(tag, length, " id=\"", strlen(" id=\""));
	const char *end = id ? strchr(id + strlen(" id=\""), '"') : NULL;

	if (!end || end >= tag + length) {
		out_bytes(picture->out, tag, length);
		return;
	}
	out_bytes(picture->out, tag, (size_t)(id - tag));
	write_row_of(picture, tag + length);
	out_bytes(picture->out, end + 1, length - (size_t)(end + 1 - tag));
}

/* Without the head of XML and its comments. */
static void write_svg(const struct picture *picture, const char *svg)
{
	for (const char *at = strstr(svg, "<svg"); at && *at;) {
		bool is_comment = strncmp(at, "<!--", 4) == 0;
		const char *end = is_comment ? strstr(at, "-->\n") : *at == '<' ? strchr(at, '>') : strchrnul(at, '<');

		if (!end)
			return;
		if (!is_comment && *at == '<')
			write_tag(picture, at, (size_t)(++end - at));
		else if (!is_comment)
			out_bytes(picture->out, at, (size_t)(end - at));
		at = is_comment ? end + strlen("-->\n") : end;
	}
}

static void write_picture(struct picture *picture, const struct out *svg, struct out *out)
{
	size_t size;

	picture->out = out_memory();
	write_svg(picture, out_memory_bytes(svg, &size));
	out_bytes(picture->out, "", 1);
	out_markup(out, out_memory_bytes(picture->out, &size));
	out_discard(picture->out);
}

/* ---- figures ---- */

struct figure {
	struct layout *layout; /* NULL: there is nothing to lay out */
	struct err *err;       /* why there is no picture */
};

static struct figure begin_figure(const struct report *graph)
{
	struct figure figure = {0};

	if (graph && graph->n_order)
		figure.err = layout_start_svg(graph, &figure.layout);
	return figure;
}

static void write_text(const char *text, struct out *out)
{
	out_markup(out, "<p>");
	out_name(out, text);
	out_markup(out, "</p>\n");
}

static void write_content(struct picture *picture, struct figure *figure, struct out *out)
{
	struct out *svg = out_memory();

	if (figure->layout)
		figure->err = layout_finish(figure->layout, svg);
	out_bytes(svg, "", 1);
	if (figure->err)
		write_text(err_text(figure->err), out);
	else if (figure->layout)
		write_picture(picture, svg, out);
	else
		write_text("No function has enough of this type to be shown.", out);
	out_discard(svg);
}

static void write_figure(struct picture *picture, uint32_t place, struct figure *figure, struct out *out)
{
	out_markup(out, "<figure data-type=\"");
	out_number(out, place);
	out_markup(out, "\">\n<figcaption>");
	out_name(out, picture->graph->type);
	out_markup(out, "</figcaption>\n");
	write_content(picture, figure, out);
	out_markup(out, "</figure>\n");
}

static void note_missing(const struct report *report, const struct figure *figures)
{
	const struct err *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < report->flame.n_types; i++)
		if (figures[i].err && n++ == 0)
			first = figures[i].err;
	if (n && report->told)
		diag_add(report->told, NOTE_WARNING, NOTE_PLAIN, "the page is without %" PRIu32 " of its call graphs: %s", n,
		         err_text(first));
}

/* The type that is shown comes first: who has no script begins there. */
static uint32_t place_at(const struct flame *flame, uint32_t at)
{
	if (!at)
		return flame->shown;
	return at <= flame->shown ? at - 1 : at;
}

void html_graphs_write(const struct report *report, const struct html_rows *rows, struct out *out)
{
	struct figure figures[FLAME_MOST_TYPES];
	uint32_t n = report->flame.n_types;

	for (uint32_t i = 0; i < n; i++)
		figures[i] = begin_figure(report->graphs[i]);
	out_markup(out, "<section id=\"graph\">\n<h2>Call graph</h2>\n");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = place_at(&report->flame, i);
		struct picture picture = {.graph = report->graphs[place], .rows = rows};

		if (picture.graph)
			write_figure(&picture, place, &figures[place], out);
	}
	out_markup(out, "</section>\n");
	note_missing(report, figures);
	for (uint32_t i = 0; i < n; i++)
		err_free(figures[i].err);
}

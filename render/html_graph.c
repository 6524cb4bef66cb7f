#include "render/html_graph.h"

#include "render/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphviz's picture as a part of a page ---- */

struct picture {
	const struct report *page, *graph;
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

static void write_trouble(const struct report *report, const struct report *graph, struct err *err, struct out *out)
{
	out_markup(out, "<p class=\"e\">");
	out_name(out, err_text(err));
	out_markup(out, "</p>\n");
	if (report->told)
		diag_add(report->told, NOTE_WARNING, NOTE_PLAIN, "the page has no call graph of %s: %s", graph->type,
		         err_text(err));
	err_free(err);
}

static void write_figure(struct picture *picture, uint32_t place, struct layout *layout, struct err *err,
                         struct out *out)
{
	struct out *svg = out_memory();

	out_markup(out, "<figure data-type=\"");
	out_number(out, place);
	out_markup(out, "\">\n<figcaption>");
	out_name(out, picture->graph->type);
	out_markup(out, "</figcaption>\n");
	if (layout)
		err = layout_finish(layout, svg);
	out_bytes(svg, "", 1);
	if (err)
		write_trouble(picture->page, picture->graph, err, out);
	else if (layout)
		write_picture(picture, svg, out);
	else
		out_markup(out, "<p>There is nothing to show: no function has a value of this type.</p>\n");
	out_markup(out, "</figure>\n");
	out_discard(svg);
}

void html_graphs_write(const struct report *report, const struct html_rows *rows, struct out *out)
{
	struct layout *layouts[FLAME_MOST_TYPES] = {0};
	struct err *errors[FLAME_MOST_TYPES] = {0};

	for (uint32_t i = 0; i < report->flame.n_types; i++)
		if (report->graphs[i] && report->graphs[i]->n_order)
			errors[i] = layout_start_svg(report->graphs[i], &layouts[i]);
	out_markup(out, "<section id=\"graph\">\n<h2>Call graph</h2>\n");
	for (uint32_t i = 0; i < report->flame.n_types; i++) {
		struct picture picture = {.page = report, .graph = report->graphs[i], .rows = rows};

		if (report->graphs[i])
			write_figure(&picture, i, layouts[i], errors[i], out);
	}
	out_markup(out, "</section>\n");
}

#include "render/html_graph.h"

#include "analyze/base/text.h"
#include "render/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each process keeps the memory that there was when it began, so only some of them run at the same time. */
enum { MOST_AT_ONCE = 4 };

struct figure {
	struct layout *layout; /* while it is made; else NULL */
	struct out *svg;       /* what graphviz made; NULL: there was nothing to lay out */
	struct err *err;       /* why there is no picture */
	uint32_t *rows;        /* by node of the graph: its row of the page, or INDEX_NONE */
	uint32_t n_rows;
};

/* ---- graphviz's picture as a part of a page ---- */

struct picture {
	const struct figure *figure;
	struct out *out;
};

/* Boxes have names that graphviz.c gives them: "N1" is the first node of the graph. */
static void write_row_of(const struct picture *picture, const char *behind)
{
	const struct figure *figure = picture->figure;
	char *end;

	const char *digits = text_after(behind, "\n<title>N");
	if (!digits)
		return;
	unsigned long number = strtoul(digits, &end, 10);
	if (text_after(end, "</title>") && number && number <= figure->n_rows)
		html_rows_write(figure->rows[number - 1], picture->out);
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

static void write_picture(const struct figure *figure, struct out *svg, struct out *out)
{
	struct picture picture = {figure, out_memory()};
	size_t size;

	out_bytes(svg, "", 1);
	write_svg(&picture, out_memory_bytes(svg, &size));
	out_markup_collected(out, picture.out);
}

/* ---- making them ---- */

/* --nodecount is the limit of the flame. A unit of the user's is not one of every type. */
static struct err *build_graph(const struct report *report, const struct view *view, struct report **ret)
{
	struct report_opts opts = report->opts;

	opts.node_count = -1;
	if (view != report->view)
		opts.unit = NULL;
	return report_build(view, &opts, PART_GRAPH | PART_PICTURE, ret);
}

static void begin_figure(const struct report *graph, const struct html_rows *rows, struct figure *ret)
{
	ret->n_rows = graph->n_order;
	ret->rows = mem_alloc(graph->n_order, sizeof *ret->rows);
	for (uint32_t i = 0; i < graph->n_order; i++)
		ret->rows[i] = html_rows_find(rows, graph->table.rows[graph->order[i]].label);
	if (graph->n_order)
		ret->err = layout_start_svg(graph, &ret->layout);
}

static void finish_figure(struct figure *figure)
{
	if (!figure->layout)
		return;
	figure->svg = out_memory();
	figure->err = layout_finish(figure->layout, figure->svg);
	figure->layout = NULL;
}

/* The graphs need more memory than what is kept of them, so each goes before the next one comes. */
static struct err *make_figure(const struct report *report, const struct html_rows *rows, uint32_t place,
                               struct figure *figure, struct html_total *total_ret)
{
	bool is_shown = place == report->flame.shown;
	struct view *other = is_shown ? NULL : view_of_type(report->view, report->flame.types[place]);
	struct report *graph = NULL;
	struct err *err = build_graph(report, is_shown ? report->view : other, &graph);

	if (!err) {
		*total_ret = (struct html_total){graph->total, graph->divisor_of_all};
		begin_figure(graph, rows, figure);
		if (is_shown && report->told)
			diag_append(report->told, &graph->notes);
	}
	report_free(graph);
	view_free(other);
	return err;
}

static struct err *make_figures(const struct report *report, const struct html_rows *rows, struct figure *figures,
                                struct html_total *totals_ret)
{
	uint32_t n = report->flame.n_types;
	struct err *err = NULL;

	for (uint32_t i = 0; i < n && !err; i++) {
		if (i >= MOST_AT_ONCE)
			finish_figure(&figures[i - MOST_AT_ONCE]);
		err = make_figure(report, rows, i, &figures[i], &totals_ret[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		finish_figure(&figures[i]);
	return err;
}

static void clear_figure(struct figure *figure)
{
	out_discard(figure->svg);
	err_free(figure->err);
	free(figure->rows);
}

/* ---- writing them ---- */

static void write_text(const char *text, struct out *out)
{
	out_markup(out, "<p>");
	out_name(out, text);
	out_markup(out, "</p>\n");
}

static void write_figure(const struct report *report, uint32_t place, const struct figure *figure, struct out *out)
{
	const struct profile *p = report->profile;

	out_markup(out, "<figure data-type=\"");
	out_number(out, place);
	out_markup(out, "\">\n<figcaption>");
	out_name(out, profile_text(p, p->types[report->flame.types[place]].type));
	out_markup(out, "</figcaption>\n");
	if (figure->err)
		write_text(err_text(figure->err), out);
	else if (figure->svg)
		write_picture(figure, figure->svg, out);
	else
		write_text("No function has enough of this type to be shown.", out);
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

struct err *html_graphs_write(const struct report *report, const struct html_rows *rows,
                              struct html_total totals_ret[FLAME_MOST_TYPES], struct out *out)
{
	struct figure figures[FLAME_MOST_TYPES] = {0};
	uint32_t n = report->flame.n_types;
	struct err *err = make_figures(report, rows, figures, totals_ret);

	out_markup(out, "<section id=\"graph\">\n<h2>Call graph</h2>\n");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = place_at(&report->flame, i);

		write_figure(report, place, &figures[place], out);
	}
	out_markup(out, "</section>\n");
	note_missing(report, figures);
	for (uint32_t i = 0; i < n; i++)
		clear_figure(&figures[i]);
	return err;
}

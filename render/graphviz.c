#include "render/graphviz.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"
#include "render/renderer.h"
#include "render/short_name.h"
#include "render/svg.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The graph is google/pprof's in structure, ids, colours and line widths; the numbers in its labels are gperftools',
 * which is what users of the documented workflow read. */

struct drawing {
	const struct report *report;
	Agraph_t *graph;
	Agnode_t **node_of; /* by row; NULL: not shown */
	bool *has_box;      /* by row: labels hang on it */
	double most_flat;
};

/* ---- text for labels ---- */

/* graphviz reads HTML entities everywhere, and in labels backslashes too. */
static char *escape(struct arena *arena, const char *text, const char *backslash)
{
	size_t length = strlen(text), used = 0;
	char *copy = arena_alloc(arena, length * 5 + 1, 1);

	for (const char *at = text; *at; at++) {
		const char *escaped = *at == '&' ? "&amp;" : *at == '\\' ? backslash : NULL;

		if (escaped)
			used += (size_t)sprintf(copy + used, "%s", escaped);
		else
			copy[used++] = *at;
	}
	return copy;
}

static char *escape_label(struct arena *arena, const char *text)
{
	return escape(arena, text, "\\\\");
}

enum { LONGEST_PART = 100 };

/* A part of a name that is too long for a box, without its middle; the tooltip has more of it. */
static const char *cut_part(struct arena *arena, const char *part, size_t length)
{
	size_t head = text_cut(part, LONGEST_PART / 2), tail = length - LONGEST_PART / 2;

	if (length <= LONGEST_PART)
		return arena_strndup(arena, part, length);
	while (tail < length && text_is_inside(part[tail]))
		tail++;
	return arena_printf(arena, "%.*s...%.*s", (int)head, part, (int)(length - tail), part + tail);
}

static char *label_text(struct arena *arena, const char *name)
{
	const char *shown = text_printable(name, arena);

	return escape_label(arena, cut_part(arena, shown, strlen(shown)));
}

/* Backslashes of tooltips are read twice: "\\G" would become the name of the graph. Readers of the language take no more
 * than 16 KiB of a text without one. */
static char *tip_text(struct arena *arena, const struct report *report, const char *name)
{
	return escape(arena, svg_name(report, name), "\\\\\\\\");
}

/* The dot of "pkg.(*Type).Method", not that of "..." or "isra.0". */
static bool is_dot(const char *at, const char *part)
{
	return *at == '.' && at > part && at[-1] != '.' && at[1] && (isalpha((unsigned char)at[1]) || strchr("_(<", at[1]));
}

/* Where a part of a name ends, which is not among arguments; *next_ret: where the next one begins, or NULL. */
static const char *part_end(const char *part, const char **next_ret)
{
	int depth = 0;

	for (const char *at = part; *at; at++) {
		bool is_colons = strncmp(at, "::", 2) == 0;

		depth += (*at == '(') - (*at == ')');
		if (depth > 0 || (!is_colons && !is_dot(at, part)))
			continue;
		*next_ret = at + (is_colons ? 2 : 1);
		return at;
	}
	*next_ret = NULL;
	return part + strlen(part);
}

enum { MOST_LINES = 16 };

/* A name in a node: shortened, a part a line. */
static char *name_lines(struct arena *arena, const char *name)
{
	if (*name == '[')
		return label_text(arena, name);
	char *lines = arena_strndup(arena, "", 0);
	int n = 0;
	for (const char *part = short_name(text_printable(name, arena), arena), *next; part; part = next) {
		const char *end = part_end(part, &next);

		if (++n == MOST_LINES) {
			end = part + strlen(part);
			next = NULL;
		}
		const char *shown = cut_part(arena, part, (size_t)(end - part));

		lines = arena_printf(arena, "%s%s%s", lines, escape_label(arena, shown), next ? "\\n" : "");
	}
	return lines;
}

/* A file without its folders; one that ends with them is none. */
static char *base_lines(struct arena *arena, const char *file)
{
	const char *base = file_base(file);

	return label_text(arena, *base ? base : file);
}

/* What the node is called: the address where there is a node for each, then the name. */
static const char *title_lines(struct arena *arena, const struct report *report, const struct row *row)
{
	if (report->opts.granularity == BY_FILE && row->name == row->file)
		return base_lines(arena, row->file);
	const char *name = name_lines(arena, row->name);
	if (report->opts.granularity == BY_ADDRESS && row->label != row->name)
		return arena_printf(arena, "%.*s\\n%s", (int)strcspn(row->label, " "), row->label, name);
	return name;
}

static const char *place_lines(struct arena *arena, const struct row *row)
{
	char *base = base_lines(arena, row->file);

	if (!*row->file || row->name == row->file)
		return "";
	return row->line ? arena_printf(arena, "%s:%u\\n", base, row->line) : arena_printf(arena, "%s\\n", base);
}

/* ---- colours: google/pprof's, from grey over green for shrinkage or red for growth ---- */

static char *colour(struct arena *arena, double score, bool is_fill)
{
	double saturation = is_fill ? 0.1 : 1.0, value = is_fill ? 0.93 : 0.7;
	double red, green, blue, tint;

	score = score < -1 ? -1 : score > 1 ? 1 : score;
	if (fabs(score) < 0.2)
		saturation *= fabs(score) / 0.2;
	tint = score < 0 ? -pow(-score, 0.3) : pow(score, 0.3);
	if (tint < 0) {
		green = value;
		red = value * (1 + saturation * tint);
	} else {
		red = value;
		green = value * (1 - saturation * tint);
	}
	blue = value * (1 - saturation);
	return arena_printf(arena, "#%02x%02x%02x", (unsigned)(red * 255), (unsigned)(green * 255), (unsigned)(blue * 255));
}

/* ---- nodes and edges ---- */

static void set(void *item, const char *name, const char *value)
{
	agsafeset(item, (char *)(uintptr_t)name, (char *)(uintptr_t)value, (char *)(uintptr_t) "");
}

static char *amount(struct arena *arena, const struct report *report, double value)
{
	char text[UNITS_TEXT];

	units_number(text, &report->classic, value);
	return arena_strndup(arena, text, strlen(text));
}

/* Means are no parts of a total. */
static char *amount_of_total(struct arena *arena, const struct report *report, double value)
{
	char percent[UNITS_TEXT];

	if (report->view->opts.mean)
		return amount(arena, report, value);
	return arena_printf(arena, "%s (%s)", amount(arena, report, value),
	                    units_percent(percent, value, report->divisor_of_all));
}

static char *node_label(struct arena *arena, const struct report *report, const struct row *row)
{
	const char *of_cum = "";

	if (row->cum != row->flat)
		of_cum = arena_printf(arena, "\\nof %s", amount_of_total(arena, report, row->cum));
	return arena_printf(arena, "%s\\n%s%s%s", title_lines(arena, report, row), place_lines(arena, row),
	                    amount_of_total(arena, report, row->flat), of_cum);
}

/* gperftools' marks: what holds something stands out by its fill, what lost something by a triple border. */
static void mark_leak(Agnode_t *node, const struct row *row)
{
	set(node, "fillcolor", row->flat > 0 ? "gray" : "white");
	if (row->flat < 0)
		set(node, "peripheries", "3");
}

static void add_node(struct drawing *drawing, struct arena *arena, uint32_t at, uint32_t number)
{
	const struct report *report = drawing->report;
	const struct row *row = &report->table.rows[at];
	double flat = fabs(report_sum(report, row->flat, row->flat_count));
	double part = drawing->most_flat > 0 ? flat / drawing->most_flat : 0;
	double share = report_share(report, row->cum, row->cum_count);
	Agnode_t *node = agnode(drawing->graph, arena_printf(arena, "N%u", number), 1);

	set(node, "label", node_label(arena, report, row));
	set(node, "id", arena_printf(arena, "node%u", number));
	set(node, "fontsize", arena_printf(arena, "%d", 8 + (int)ceil(16 * sqrt(part))));
	set(node, "shape", "box");
	set(node, "tooltip",
	    arena_printf(arena, "%s (%s)", tip_text(arena, report, row->label), amount(arena, report, row->cum)));
	set(node, "color", colour(arena, share, false));
	if (report->opts.heapcheck)
		mark_leak(node, row);
	else
		set(node, "fillcolor", colour(arena, share, true));
	drawing->node_of[at] = node;
}

/* 1 .. most + 1. */
static int steps_of(double share, int most)
{
	double steps = fabs(share) * most;

	return 1 + (steps < most ? (int)steps : most);
}

static void add_edge(struct drawing *drawing, struct arena *arena, const struct edge *edge)
{
	const struct report *report = drawing->report;
	const struct row *from = &report->table.rows[edge->from], *to = &report->table.rows[edge->to];
	char *weight = amount(arena, report, edge->weight);
	double share = report_share(report, edge->weight, edge->calls);
	int pull = steps_of(share, 100), width = steps_of(share, 5);
	Agedge_t *item = agedge(drawing->graph, drawing->node_of[edge->from], drawing->node_of[edge->to], NULL, 1);
	char *tip = arena_printf(arena, "%s %s %s (%s)", tip_text(arena, report, from->label),
	                         edge->residual ? "..." : "->", tip_text(arena, report, to->label), weight);

	set(item, "label", arena_printf(arena, " %s%s", weight, edge->inlined ? "\\n (inline)" : ""));
	if (pull > 1)
		set(item, "weight", arena_printf(arena, "%d", pull));
	if (width > 1)
		set(item, "penwidth", arena_printf(arena, "%d", width));
	set(item, "color", colour(arena, share, false));
	set(item, "tooltip", tip);
	set(item, "labeltooltip", tip);
	if (edge->residual)
		set(item, "style", "dotted");
	if (drawing->has_box[edge->from])
		set(item, "minlen", "2");
}

/* ---- boxes for labels ---- */

static char *nodelet_text(struct arena *arena, const char *text)
{
	char *lines = arena_strndup(arena, "", 0);

	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		lines = arena_printf(arena, "%s%s%s", lines, *lines ? "\\n" : "",
		                     label_text(arena, arena_strndup(arena, text, (size_t)(end - text))));
	}
	return lines;
}

static Agnode_t *add_nodelet(struct drawing *drawing, struct arena *arena, const struct nodelet *nodelet,
                             Agnode_t *owner, uint32_t number)
{
	char *name = arena_printf(arena, "%s_%u", agnameof(owner), number);
	char *weight = amount(arena, drawing->report, nodelet->weight);
	Agnode_t *node = agnode(drawing->graph, name, 1);
	Agedge_t *edge = agedge(drawing->graph, owner, node, NULL, 1);

	set(node, "label", nodelet_text(arena, nodelet->text));
	set(node, "id", name);
	set(node, "fontsize", "8");
	set(node, "shape", "box3d");
	set(node, "tooltip", weight);
	set(edge, "label", arena_printf(arena, " %s", weight));
	set(edge, "weight", "100");
	set(edge, "tooltip", weight);
	set(edge, "labeltooltip", weight);
	if (nodelet->passed_on)
		set(edge, "style", "dotted");
	return node;
}

static void add_nodelets(struct drawing *drawing, struct arena *arena)
{
	const struct nodelets *nodelets = &drawing->report->nodelets;
	Agnode_t **nodes = arena_alloc(arena, nodelets->n, sizeof *nodes);

	for (uint32_t i = 0, number = 0; i < nodelets->n; i++) {
		const struct nodelet *nodelet = &nodelets->items[i];
		Agnode_t *owner = nodelet->owner == TABLE_NONE ? drawing->node_of[nodelet->row] : nodes[nodelet->owner];

		number = i && nodelet->row == nodelets->items[i - 1].row ? number + 1 : 0;
		nodes[i] = add_nodelet(drawing, arena, nodelet, owner, number);
		drawing->has_box[nodelet->row] = true;
	}
}

/* "Total kB: 1024.0", "Mean ms: 5.50 (delay / contentions)". */
static const char *legend_total(struct arena *arena, const struct report *report)
{
	const struct profile *p = report->profile;
	const struct view *view = report->view;
	const char *unit = label_text(arena, report->classic.name), *total = amount(arena, report, report->total);

	if (view->opts.mean)
		return arena_printf(arena, "Mean %s: %s (%s / %s)", unit, total, label_text(arena, report->type),
		                    label_text(arena, profile_text(p, p->types[view->opts.count_type].type)));
	if (report->divisor_of_all_note)
		return arena_printf(arena, "Total %s: %s (percentages of %s, %s)", unit, total,
		                    amount(arena, report, report->divisor_of_all), report->divisor_of_all_note);
	return arena_printf(arena, "Total %s: %s", unit, total);
}

static char *legend_label(struct arena *arena, const struct report *report)
{
	const struct graph *graph = &report->graph;
	const struct view *view = report->view;
	const char *unit = label_text(arena, report->classic.name), *sums = view->opts.mean ? "sums " : "";
	const char *program = "", *focus = "", *nodes = "", *edges = "";

	if (report->n_filters)
		focus = arena_printf(arena, "Focusing on: %s\\l",
		                     amount(arena, report, view_shown(view, view->kept.sum, view->kept.count)));
	if (graph->n_dropped_nodes)
		nodes = arena_printf(arena, "Dropped nodes with %s< %s abs(%s)\\l", sums,
		                     amount(arena, report, graph->node_cut), unit);
	if (graph->n_dropped_edges)
		edges =
			arena_printf(arena, "Dropped edges with %s< %s %s\\l", sums, amount(arena, report, graph->edge_cut), unit);
	if (*report->program)
		program = arena_printf(arena, "%s\\l", label_text(arena, report->program));
	return arena_printf(arena, "%s%s\\l%s%s%s", program, legend_total(arena, report), focus, nodes, edges);
}

static void add_legend(struct drawing *drawing, struct arena *arena)
{
	Agraph_t *cluster = agsubg(drawing->graph, (char *)(uintptr_t) "cluster_L", 1);
	Agnode_t *legend = agnode(cluster, (char *)(uintptr_t) "legend", 1);

	set(legend, "label", legend_label(arena, drawing->report));
	set(legend, "shape", "box");
	set(legend, "fontsize", "16");
	set(legend, "tooltip", tip_text(arena, drawing->report, drawing->report->program));
}

/* ---- the whole graph ---- */

static void find_most_flat(struct drawing *drawing)
{
	const struct report *report = drawing->report;

	for (uint32_t i = 0; i < report->n_order; i++) {
		const struct row *row = &report->table.rows[report->order[i]];
		double flat = fabs(report_sum(report, row->flat, row->flat_count));

		if (flat > drawing->most_flat)
			drawing->most_flat = flat;
	}
}

static Agraph_t *draw(const struct report *report, struct arena *arena)
{
	struct drawing drawing = {.report = report};
	const char *title = *report->program ? report->program : "unnamed";

	/* A name that begins so would count as none. */
	if (*title == '%')
		title = arena_printf(arena, " %s", title);

	/* A backslash would take the quote behind it, or that of the end, into the name. */
	drawing.graph = agopen(escape(arena, text_printable(title, arena), "&#92;"), Agdirected, NULL);
	drawing.node_of = arena_alloc(arena, report->table.n, sizeof *drawing.node_of);
	drawing.has_box = arena_alloc(arena, report->table.n, sizeof *drawing.has_box);
	agattr(drawing.graph, AGNODE, (char *)(uintptr_t) "style", (char *)(uintptr_t) "filled");
	agattr(drawing.graph, AGNODE, (char *)(uintptr_t) "fillcolor", (char *)(uintptr_t) "#f8f8f8");
	find_most_flat(&drawing);
	add_legend(&drawing, arena);
	for (uint32_t i = 0; i < report->n_order; i++)
		add_node(&drawing, arena, report->order[i], i + 1);
	add_nodelets(&drawing, arena);
	for (uint32_t i = 0; i < report->graph.n_edges; i++)
		add_edge(&drawing, arena, &report->graph.edges[i]);
	return drawing.graph;
}

static int write_to_out(void *channel, const char *text)
{
	out_text(channel, text);
	return 0;
}

static int flush_nothing(void *channel)
{
	(void)channel;
	return 0;
}

static void write_graph(Agraph_t *graph, struct out *out)
{
	Agiodisc_t io = {.putstr = write_to_out, .flush = flush_nothing};

	graph->clos->disc.io = &io;
	agwrite(graph, out);
	graph->clos->disc.io = &AgIoDisc;
}

static struct err *start(const struct report *report, const char *format, struct layout **ret)
{
	struct arena *arena = arena_new();
	Agraph_t *graph = draw(report, arena);
	struct err *err = graphviz_start(graph, format, ret);

	agclose(graph);
	arena_free(arena);
	return err;
}

struct err *layout_start_svg(const struct report *report, struct layout **ret)
{
	return start(report, "svg", ret);
}

static struct err *write_picture(const struct report *report, const char *format, struct out *out)
{
	struct layout *layout;
	struct err *err = start(report, format, &layout);

	return err ? err : layout_finish(layout, out);
}

static struct err *write_dot(const struct report *report, struct out *out)
{
	struct arena *arena = arena_new();
	Agraph_t *graph = draw(report, arena);

	write_graph(graph, out);
	agclose(graph);
	arena_free(arena);
	return NULL;
}

const struct renderer render_dot = {
	.name = "dot",
	.help = "the call graph in graphviz's language",
	.ext = "dot",
	.parts = PART_GRAPH,
	.write = write_dot,
};

#define PICTURE(format, is_binary, over_snapshots, text) \
	static struct err *write_##format(const struct report *report, struct out *out) \
	{ \
		return write_picture(report, #format, out); \
	} \
	const struct renderer render_##format = {.name = #format, \
	                                         .help = (text), \
	                                         .ext = #format, \
	                                         .parts = PART_GRAPH | PART_PICTURE, \
	                                         .trend = (over_snapshots), \
	                                         .binary = (is_binary), \
	                                         .write = write_##format}

PICTURE(svg, false, &render_trend_svg, "the call graph as a scalable picture");
PICTURE(ps, false, NULL, "the call graph as PostScript");
PICTURE(pdf, true, NULL, "the call graph as PDF");
PICTURE(png, true, NULL, "the call graph as a PNG picture");
PICTURE(gif, true, NULL, "the call graph as a GIF picture");

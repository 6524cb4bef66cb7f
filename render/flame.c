#include "analyze/base/text.h"
#include "render/flame_boxes.h"
#include "render/html_assets.h"
#include "render/svg.h"

#include <math.h>
#include <stdlib.h>

/* The flame graph as a picture that needs no script: each frame is a box on the one that called it, as wide as what its
 * stacks have. In a difference they have the larger of both sides, so that nothing hides. */

enum {
	INDENT = 3,        /* of the name in its box */
	LEAST_COLUMNS = 8, /* of a name that is cut: less tells nothing */
	N_HUES = 10,
	N_STEPS = 4,
};

struct picture {
	const struct report *report;
	const struct flame *flame;
	bool has_base;
	struct flame_boxes boxes;
	const char **names; /* by row of the table, as they are shown; NULL: not made yet */
	struct svg_lines lines;
	uint32_t top; /* where the boxes begin */
};

/* ---- values as text ---- */

static const char *value_text(char text[UNITS_TEXT], const struct picture *picture, double value)
{
	return report_label_alone(text, picture->report, value);
}

static double change_of(const struct picture *picture, double now, double base)
{
	return view_row_sum(picture->report->view, now - base);
}

/* "+1.2MB (+120%)" */
static const char *change_text(const struct picture *picture, double now, double base)
{
	double change = change_of(picture, now, base);
	char more[UNITS_TEXT], percent[UNITS_TEXT];
	const char *sign = change > 0 ? "+" : "";
	struct arena *arena = picture->report->arena;

	if (change == 0)
		return "no change";
	value_text(more, picture, change);
	if (base == 0 || now == 0)
		return arena_printf(arena, "%s%s (only %s)", sign, more, base == 0 ? "now" : "in the base");
	return arena_printf(arena, "%s%s (%s%s)", sign, more, sign, units_percent_alone(percent, change, fabs(base)));
}

/* "1MB -> 2.2MB, +1.2MB (+120%)" */
static const char *sides_text(const struct picture *picture, double now, double base)
{
	char old[UNITS_TEXT], new[UNITS_TEXT];

	value_text(old, picture, base);
	value_text(new, picture, now);
	return arena_printf(picture->report->arena, "%s \u2192 %s, %s", old, new, change_text(picture, now, base));
}

/* "1.2MB (34%)" */
static const char *share_text(const struct picture *picture, double value)
{
	char text[UNITS_TEXT], percent[UNITS_TEXT];

	value_text(text, picture, value);
	return arena_printf(picture->report->arena, "%s (%s)", text,
	                    units_percent_alone(percent, value, picture->report->divisor_of_all));
}

static const char *box_text(const struct picture *picture, double now, double base)
{
	return picture->has_base ? sides_text(picture, now, base) : share_text(picture, now);
}

/* ---- the lines above ---- */

/* Of a difference without the values that shrank there is no such total. */
static const char *total_before_filters(const struct picture *picture)
{
	const struct view *view = picture->report->view;
	char all[UNITS_TEXT];

	if (!picture->has_base)
		return arena_printf(picture->report->arena, " of %s", value_text(all, picture, picture->report->total));
	if (view->opts.drop_negative)
		return "";
	return arena_printf(picture->report->arena, "; of all: %s",
	                    sides_text(picture, view->base.sum + view->all.sum, view->base.sum));
}

static void add_total(struct picture *picture)
{
	const struct report *report = picture->report;
	const struct view *view = report->view;
	const struct flame_box *root = flame_root(&picture->boxes);
	bool is_part = view_drops_samples(&view->opts) && !view->opts.is_relative;
	const char *note = picture->has_base ? NULL : report->divisor_of_all_note;
	const char *before = is_part ? total_before_filters(picture) : "";
	char value[UNITS_TEXT];
	const char *shown = is_part || note || picture->has_base ? box_text(picture, root->now, root->base)
	                                                         : value_text(value, picture, root->now);

	svg_add_line(&picture->lines, arena_printf(report->arena, "%s: %s%s%s%s%s", is_part ? "Shown" : "Total", shown,
	                                           before, note ? "; percentages are of " : "", note ? note : "",
	                                           view->opts.normalize ? "; scaled to the total of the base" : ""));
}

static void add_fates(struct picture *picture, enum flame_fate fate, const char *why)
{
	const struct flame_fates *fates = &picture->boxes.fates[fate];
	char digits[TEXT_DIGITS], size[UNITS_TEXT];

	if (fates->n)
		svg_add_line(&picture->lines, arena_printf(picture->report->arena,
		                                           "Not drawn, but counted in the boxes below: %s frame%s %s (%s)",
		                                           text_decimal(digits, fates->n), fates->n == 1 ? "" : "s", why,
		                                           value_text(size, picture, fates->size)));
}

static void add_lines(struct picture *picture)
{
	struct arena *arena = picture->report->arena;

	const char *title = arena_printf(arena, "%s%s", svg_program(picture->report), picture->report->type);

	svg_add_line(&picture->lines, title);
	if (flame_root(&picture->boxes)->size == 0)
		svg_add_line(&picture->lines, "There is nothing to draw: no stack has a value");
	else
		add_total(picture);
	svg_add_filters(&picture->lines);
	add_fates(picture, FLAME_NARROW, arena_printf(arena, "narrower than %g pixels", FLAME_NARROWEST));
	add_fates(picture, FLAME_HIGH, arena_printf(arena, "above row %d", FLAME_MOST_ROWS));
	add_fates(picture, FLAME_SURPLUS, arena_printf(arena, "that are not among the %d widest", FLAME_MOST_BOXES));
}

/* ---- a box ---- */

static const char *name_of_row(const struct picture *picture, uint32_t row)
{
	if (!picture->names[row])
		picture->names[row] = svg_name(picture->report, picture->report->table.rows[row].label);
	return picture->names[row];
}

static const char *name_of(const struct picture *picture, uint32_t node)
{
	const struct flame *flame = picture->flame;
	uint32_t n_folded = node < flame->n ? flame->n_folded[node] : 0;

	if (node == flame->n)
		return "all";
	if (flame->nodes[node].row == FLAME_NO_STACK)
		return "(no stack)";
	if (flame->nodes[node].row == FLAME_FOLDED)
		return arena_printf(picture->report->arena, "(small: %u node%s)", n_folded, n_folded == 1 ? "" : "s");
	return name_of_row(picture, flame->nodes[node].row);
}

/* By how much of the larger side it changed: "more1" to "more4", "less1" to "less4". */
static const char *change_class(const struct picture *picture, const struct flame_box *box)
{
	double change = change_of(picture, box->now, box->base), larger = fmax(fabs(box->now), fabs(box->base));

	if (change == 0)
		return "same";
	if (box->base == 0)
		return "new";
	if (box->now == 0)
		return "gone";
	int step = (int)ceil(fmin(fabs(change) / larger, 1) * N_STEPS);
	return arena_printf(picture->report->arena, "%s%d", change > 0 ? "more" : "less", step);
}

/* The same on every run, which hash_bytes is not. */
static unsigned hue_of(const char *name)
{
	uint32_t hash = 2166136261; /* FNV-1a */

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619;
	return (hash ^ hash >> 16) % N_HUES;
}

static const char *colour_class(const struct picture *picture, uint32_t node, const char *name)
{
	if (picture->has_base)
		return change_class(picture, &picture->boxes.boxes[node]);
	if (node == picture->flame->n || picture->flame->nodes[node].row >= FLAME_NO_STACK)
		return "plain";
	return arena_printf(picture->report->arena, "hue%u", hue_of(name));
}

static const char *look_class(const struct picture *picture, uint32_t node)
{
	uint32_t row = node < picture->flame->n ? picture->flame->nodes[node].row : 0;

	return row == FLAME_FOLDED ? " small" : row == FLAME_NO_STACK ? " no-stack" : "";
}

static void write_title(const struct picture *picture, uint32_t node, const char *name, struct out *out)
{
	const struct flame_box *box = &picture->boxes.boxes[node];

	out_markup(out, "<title>");
	out_text(out, name);
	out_text(out, "\n");
	out_text(out, box_text(picture, box->now, box->base));
	if (node < picture->flame->n) {
		out_text(out, "\nself ");
		out_text(out, box_text(picture, box->self_now, box->self_base));
	}
	out_markup(out, "</title>");
}

/* What the box has, or by how much it changed, is behind the name, where there is room; a negative value has its minus before
 * the name alone. "": there is no room for the name. */
static const char *label_of(const struct picture *picture, const struct flame_box *box, const char *name,
                            uint32_t columns)
{
	struct arena *arena = picture->report->arena;

	if (text_columns(name) < columns) {
		const char *values =
			picture->has_base ? change_text(picture, box->now, box->base) : share_text(picture, box->now);
		const char *both = arena_printf(arena, "%s  %s", name, values);
		if (text_columns(both) <= columns)
			return both;
	}
	if (!picture->has_base && box->now < 0)
		name = arena_printf(arena, "\u2212%s", name);
	if (columns < LEAST_COLUMNS)
		return text_columns(name) <= columns ? name : "";
	return text_fit(name, columns, arena);
}

static void write_label(const struct picture *picture, const struct flame_box *box, const char *name, double x,
                        double y, struct out *out)
{
	double columns = (flame_pixels(&picture->boxes, box->size) - 2 * INDENT) / SVG_COLUMN;
	const char *label = columns < 1 ? "" : label_of(picture, box, name, (uint32_t)columns);

	if (!*label)
		return;
	out_markup(out, "<text");
	svg_pixels(out, "x", x + INDENT);
	svg_pixels(out, "y", y + SVG_BOX - 4);
	out_markup(out, ">");
	out_text(out, label);
	out_markup(out, "</text>");
}

static void write_box(const struct picture *picture, uint32_t node, struct out *out)
{
	const struct flame_box *box = &picture->boxes.boxes[node];
	const char *name = name_of(picture, node);
	double x = SVG_MARGIN + flame_pixels(&picture->boxes, box->left),
		   y = picture->top + (double)(picture->boxes.n_rows - 1 - box->row) * SVG_ROW;

	out_markup(out, "<g class=\"");
	out_markup(out, colour_class(picture, node, name));
	out_markup(out, look_class(picture, node));
	out_markup(out, "\"");
	svg_number(out, "data-now", box->now);
	if (picture->has_base)
		svg_number(out, "data-base", box->base);
	out_markup(out, ">");
	write_title(picture, node, name, out);
	svg_box(out, x, y, flame_pixels(&picture->boxes, box->size));
	write_label(picture, box, name, x, y, out);
	out_markup(out, "</g>\n");
}

/* What the script shows sums with. */
static void write_unit(const struct picture *picture, struct out *out)
{
	const struct flame_box *root = flame_root(&picture->boxes);
	struct unit_style unit = report_unit_alone(picture->report, fmax(fabs(root->now), fabs(root->base)));

	svg_number(out, "data-factor", unit.factor);
	svg_number(out, "data-divisor", picture->report->divisor_of_all);
	out_markup(out, " data-unit=\"");
	out_text(out, unit.name);
	out_markup(out, "\"");
}

static void write_boxes(const struct picture *picture, struct out *out)
{
	out_markup(out, "<g id=\"boxes\"");
	write_unit(picture, out);
	out_markup(out, ">\n");
	write_box(picture, picture->flame->n, out);
	for (uint32_t i = 0; i < picture->flame->n && !out_has_failed(out); i++)
		if (picture->boxes.boxes[i].fate == FLAME_DRAWN)
			write_box(picture, i, out);
	out_markup(out, "</g>\n");
}

/* ---- the picture ---- */

/* What tells the sides of a difference apart without a colour. */
static const char PATTERNS[] =
	"<defs>\n"
	"<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
	"<rect class=\"ground\" width=\"6\" height=\"6\"/><rect class=\"mark\" width=\"2\" height=\"6\"/></pattern>\n"
	"<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
	"<rect class=\"ground\" width=\"6\" height=\"6\"/><circle class=\"mark\" cx=\"3\" cy=\"3\" r=\"1.3\"/></pattern>\n"
	"</defs>\n";

static double key_left(uint32_t place)
{
	enum { DISTANCE = 170 };

	return SVG_MARGIN + (double)place * DISTANCE;
}

static void write_key(struct out *out, uint32_t place, double y, const char *class, const char *text)
{
	enum { SAMPLE = 30 };
	double x = key_left(place);

	out_markup(out, "<g class=\"");
	out_markup(out, class);
	out_markup(out, "\">");
	svg_box(out, x, y - SVG_BOX + 4, SAMPLE);
	out_markup(out, "</g>");
	svg_text(out, "key", x + SAMPLE + 2 * INDENT, y, text);
}

static void write_legend(struct out *out, double y)
{
	static const char *const keys[][2] = {
		{"gone", "only in the base"}, {"less3", "less"}, {"same", "no change"}, {"more3", "more"}, {"new", "only now"},
	};
	enum { N_KEYS = sizeof keys / sizeof *keys };

	for (uint32_t i = 0; i < N_KEYS; i++)
		write_key(out, i, y, keys[i][0], keys[i][1]);
	svg_text(out, "key", key_left(N_KEYS), y, "boxes are as wide as the larger side");
}

static void write_end(struct out *out)
{
	out_markup(out, "<script><![CDATA[\n");
	out_markup(out, flame_script);
	out_markup(out, "]]></script>\n</svg>\n");
}

static void write_picture(struct picture *picture, struct out *out)
{
	uint32_t y = SVG_MARGIN + SVG_ROW;
	uint32_t n_lines = picture->lines.n + picture->has_base + 1; /* the last one is the script's */
	bool is_empty = flame_root(&picture->boxes)->size == 0;

	picture->top = SVG_MARGIN + (n_lines + 1) * SVG_ROW;
	svg_begin(out, picture->lines.lines[0], flame_style, picture->has_base ? PATTERNS : "",
	          picture->top + (is_empty ? 0 : picture->boxes.n_rows * SVG_ROW) + SVG_MARGIN);
	y = svg_write_lines(out, &picture->lines, y);
	if (picture->has_base)
		write_legend(out, y);
	if (!is_empty) {
		write_boxes(picture, out);
		out_markup(out, "<text id=\"status\"");
		svg_number(out, "x", SVG_MARGIN);
		svg_number(out, "y", picture->top - SVG_ROW);
		out_markup(out, "></text>\n");
		write_end(out);
	} else {
		out_markup(out, "</svg>\n");
	}
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct flame *flame = &report->flame;
	struct picture picture = {
		.report = report,
		.flame = flame,
		.has_base = report->view->has_base,
		.lines = {.report = report},
		.names = mem_zalloc((size_t)report->table.n + 1, sizeof *picture.names),
	};

	flame_boxes_place(flame, SVG_WIDTH - 2 * SVG_MARGIN, &picture.boxes);
	add_lines(&picture);
	write_picture(&picture, out);
	free(picture.names);
	flame_boxes_free(&picture.boxes);
	return NULL;
}

const struct renderer render_flame = {
	.name = "flame",
	.help = "a flame graph as a scalable picture; a browser searches and zooms it",
	.ext = "svg",
	.parts = PART_FLAME,
	.for_browser = true,
	.holds_sums = true,
	.both_sides = true,
	.write = write,
};

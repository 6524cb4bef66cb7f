#include "analyze/base/text.h"
#include "render/renderer.h"

#include <string.h>

/* google/pprof's table of labels: for each key, how much of the profile each of its values marks. Columns are as wide
 * as their widest cell, of this key alone. */

/* A longer title stands out, or each of its values would be as wide. */
enum { WIDEST_TITLE = 200 };

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* "2MB (33.33%):"; means are no parts of a total. */
static const char *weight_cell(const struct report *report, double weight)
{
	char text[UNITS_TEXT], percent[UNITS_TEXT];

	if (report->view->opts.mean)
		return arena_printf(report->arena, "%s:", report_label_alone(text, report, weight));
	return arena_printf(report->arena, "%s (%s):", report_label_alone(text, report, weight),
	                    units_percent_label(percent, weight, report->divisor_of_all));
}

static void write_cell(const char *cell, uint32_t width, struct out *out)
{
	out_printf(out, "%*s%s", (int)(width - text_width(cell)), "", cell);
}

static void write_total(const struct report *report, const struct tag_key *key, struct out *out)
{
	double total = report->divisor_of_all;
	char text[UNITS_TEXT], of[UNITS_TEXT], percent[UNITS_TEXT];

	report_label_alone(text, report, key->weight);
	report_label_alone(of, report, total);
	if (report->view->opts.mean)
		out_printf(out, " Mean %s, of all samples %s\n", text, of);
	else
		out_printf(out, " Total %s of %s (%s)\n", text, of, units_percent_label(percent, key->weight, total));
}

static void write_key(const struct report *report, const struct tag_key *key, struct out *out)
{
	const struct tag_value *values = report->tags.values + key->first;
	const char *title = arena_printf(report->arena, "%s:", text_printable(key->key, report->arena));
	const char **cells = arena_alloc(report->arena, key->n, sizeof *cells);
	uint32_t title_width = text_width(title) + 1, width = 0;

	for (uint32_t i = 0; i < key->n; i++) {
		cells[i] = weight_cell(report, values[i].weight);
		width = max(width, text_width(cells[i]) + 1);
	}
	write_cell(title, title_width, out);
	write_total(report, key, out);
	title_width = min(title_width, WIDEST_TITLE);
	for (uint32_t i = 0; i < key->n; i++) {
		write_cell(cells[i], title_width + width, out);
		out_line(out, " ", values[i].text);
	}
	out_text(out, "\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	for (uint32_t i = 0; i < report->tags.n_keys && !out_has_failed(out); i++)
		write_key(report, &report->tags.keys[i], out);
	return NULL;
}

const struct renderer render_tags = {
	.name = "tags",
	.help = "the labels of the samples, and how much of the profile each marks",
	.ext = "txt",
	.parts = PART_TAGS,
	.write = write,
};

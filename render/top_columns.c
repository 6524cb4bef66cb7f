#include "render/top_columns.h"

#include "analyze/base/text.h"

enum { NARROWEST = 10, LONGEST_NAME = 32 };

static const char *type_name(const struct report *report, uint32_t type)
{
	const char *name = text_printable(profile_text(report->profile, report->profile->types[type].type), report->arena);

	return text_fit(name, LONGEST_NAME, report->arena);
}

static double value_of(const struct report *report, const struct value_column *column, uint32_t row)
{
	return report->opts.by_cum ? column->cum[row] : column->flat[row];
}

static uint32_t wider(uint32_t width, const char *text)
{
	uint32_t columns = text_columns(text);

	return columns > width ? columns : width;
}

static uint32_t width_of(const struct report *report, const struct value_column *column, const char *name)
{
	uint32_t width = wider(NARROWEST, name);
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < report->n_order; i++)
		width = wider(width, units_label(text, &column->unit, value_of(report, column, report->order[i])));
	return width;
}

void top_columns_init(const struct report *report, struct top_columns *ret)
{
	ret->report = report;
	for (uint32_t i = 0; i < report->columns.n; i++) {
		const struct value_column *column = &report->columns.items[i];

		ret->names[i] = column->view->opts.mean ? "mean" : type_name(report, column->view->opts.type);
		ret->widths[i] = width_of(report, column, ret->names[i]);
	}
}

/* At the right of its column. */
static void write_cell(const struct top_columns *columns, uint32_t place, const char *text, struct out *out)
{
	out_printf(out, "%s%*s%s", place ? "  " : "", (int)(columns->widths[place] - text_columns(text)), "", text);
}

static void write_mean(const struct report *report, struct out *out)
{
	for (uint32_t i = 0; i < report->columns.n; i++) {
		const struct view_opts *view = &report->columns.items[i].view->opts;

		if (!view->mean)
			continue;
		out_printf(out, "; mean is %s / %s", type_name(report, view->type), type_name(report, view->count_type));
		return;
	}
}

void top_columns_heading(const struct top_columns *columns, struct out *out)
{
	const struct report *report = columns->report;
	const char *sum = report->opts.by_cum ? "cum" : "flat";

	out_printf(out, "Values are %s", sum);
	write_mean(report, out);
	out_text(out, "\n");
	for (uint32_t i = 0; i < report->columns.n; i++) {
		write_cell(columns, i, columns->names[i], out);
		if (i == report->columns.shown)
			out_printf(out, " %6s%%", sum);
	}
	out_text(out, "\n");
}

void top_columns_row(const struct top_columns *columns, uint32_t row, struct out *out)
{
	const struct report *report = columns->report;
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < report->columns.n; i++) {
		const struct value_column *column = &report->columns.items[i];
		double value = value_of(report, column, row);

		write_cell(columns, i, units_label(text, &column->unit, value), out);
		if (i == report->columns.shown)
			out_printf(out, " %7s", units_percent_label(text, value, report->divisor_of_all));
	}
}

#include "render/top_sizes.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST_BAR = 20 };

/* The part of the values that shares are of: those of the view's type, and of means those that are divided. */
static double shown_value(const struct report *report, const struct size_bucket *bucket)
{
	return report->view->opts.type == report->sizes.objects ? bucket->objects : bucket->space;
}

static double divisor_of(const struct report *report, uint32_t row)
{
	const struct sizes *sizes = &report->sizes;
	struct view_total total = {0};

	for (const struct size_bucket *at = sizes_first(sizes, row); at; at = sizes_next(sizes, at)) {
		double value = shown_value(report, at);

		total.sum += value;
		total.sum_abs += fabs(value);
		total.has_gain |= value > 0;
		total.has_loss |= value < 0;
	}
	return view_divisor(&total);
}

static const char *size_text(char text[UNITS_TEXT], double size)
{
	struct unit_style unit = units_alone("bytes", size);

	return units_label(text, &unit, size);
}

static void write_range(uint32_t number, struct out *out)
{
	char least[UNITS_TEXT], end[UNITS_TEXT], range[2 * UNITS_TEXT];

	if (number == SIZES_UNKNOWN)
		snprintf(range, sizeof range, "size unknown");
	else if (number == 0)
		snprintf(range, sizeof range, "0");
	else
		snprintf(range, sizeof range, "%s to <%s", size_text(least, sizes_least(number)),
		         size_text(end, sizes_least(number + 1)));
	out_printf(out, "%22s", range);
}

/* What is there at all has a bar: '+' and '-' tell of a difference what came and what went. */
static void write_bar(const struct report *report, double share, struct out *out)
{
	const char *mark = !report->view->has_base ? "#" : share < 0 ? "-" : "+";
	int length = (int)fmin(ceil(fabs(share) * LONGEST_BAR), LONGEST_BAR);

	if (length)
		out_text(out, "  ");
	for (int i = 0; i < length; i++)
		out_text(out, mark);
}

static void write_bucket(const struct report *report, const struct size_bucket *bucket, double divisor, struct out *out)
{
	char objects[UNITS_TEXT], space[UNITS_TEXT], share[UNITS_TEXT];
	struct unit_style unit = report_unit_of_type(report, report->sizes.space, bucket->space);
	double value = shown_value(report, bucket);

	write_range(bucket->number, out);
	out_printf(out, " %12s %10s %7s", units_whole(objects, bucket->objects), units_label(space, &unit, bucket->space),
	           units_percent_label(share, value, divisor));
	write_bar(report, divisor == 0 ? 0 : value / divisor, out);
	out_text(out, "\n");
}

void top_sizes_heading(const struct report *report, struct out *out)
{
	const char *whole = report->view->has_base ? "changes" : report->opts.by_cum ? "cum" : "flat";

	out_printf(out, "%22s %12s %10s %7s  of the row's %s\n", "blocks of", "objects", "space", "share", whole);
}

void top_sizes_row(const struct report *report, uint32_t row, struct out *out)
{
	const struct sizes *sizes = &report->sizes;
	double divisor = divisor_of(report, row);

	for (const struct size_bucket *at = sizes_first(sizes, row); at; at = sizes_next(sizes, at))
		if (at->objects != 0 || at->space != 0)
			write_bucket(report, at, divisor, out);
}

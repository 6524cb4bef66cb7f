#include "render/axis.h"

#include "analyze/base/text.h"

#include <math.h>

enum { MOST_STEPS = 6, LONGEST_NUMBER = 10 };

/* ---- round steps ---- */

double axis_round(double least)
{
	double power = pow(10, floor(log10(least)));

	for (int i = 0; i < 3; i++) {
		double step = power * (i == 0 ? 1 : i == 1 ? 2 : 5);
		if (step >= least * (1 - 1e-9))
			return step;
	}
	return power * 10;
}

/* Below a second and above a day by tens; between as clocks go. */
static double round_time(double least)
{
	static const double seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
	                                 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
	static const double DAY = 86400e9;

	if (least > DAY)
		return axis_round(least / DAY) * DAY;
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds && least > 0.5e9; i++)
		if (seconds[i] * 1e9 >= least)
			return seconds[i] * 1e9;
	return axis_round(least);
}

struct axis axis_of_values(const struct unit_style *unit, double low, double high)
{
	double least = (high - low) / MOST_STEPS / unit->factor;
	double finest = unit->decimals ? 0.01 : 1;
	double step = axis_round(fmax(least, finest)) * unit->factor;

	return (struct axis){floor(low / step) * step, ceil(high / step) * step, step, *unit};
}

/* As clocks say it: the units of values know no minutes. */
static struct unit_style unit_of_time(double step)
{
	static const struct unit_style units[] = {{86400e9, 2, "d"}, {3600e9, 2, "h"}, {60e9, 2, "min"}};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (step >= units[i].factor)
			return units[i];
	return units_auto("nanoseconds", step);
}

struct axis axis_of_time(double nanos)
{
	double step = round_time(fmax(nanos / MOST_STEPS, 1));

	return (struct axis){0, floor(nanos / step) * step, step, unit_of_time(step)};
}

uint32_t axis_ticks(const struct axis *axis)
{
	return (uint32_t)round((axis->high - axis->low) / axis->step) + 1;
}

double axis_tick(const struct axis *axis, uint32_t tick)
{
	return axis->low + tick * axis->step;
}

/* ---- snapshots ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How long the beginning is that all names have in common, without a number that is cut. */
static size_t common_length(const struct series *series)
{
	const char *first = series->snapshots[0].name;
	size_t length = strlen(first);

	for (uint32_t i = 1; i < series->n_snapshots; i++) {
		size_t same = 0;

		while (same < length && series->snapshots[i].name[same] == first[same])
			same++;
		length = same;
	}
	while (length && is_digit(first[length - 1]))
		length--;
	return length;
}

/* "": there is none, or it is too long to stand at an axis. */
static const char *number_at(const char *at, struct arena *arena)
{
	int n = 0;

	while (n <= LONGEST_NUMBER && is_digit(at[n]))
		n++;
	return n > LONGEST_NUMBER ? "" : arena_printf(arena, "%.*s", n, at);
}

static bool find_numbers(const struct series *series, struct arena *arena, const char **labels)
{
	size_t start = common_length(series);

	for (uint32_t i = 0; i < series->n_snapshots; i++) {
		labels[i] = number_at(series->snapshots[i].name + start, arena);
		if (!*labels[i] || (i && strcmp(labels[i], labels[i - 1]) == 0))
			return false;
	}
	return true;
}

const char **axis_snapshots(const struct series *series, struct arena *arena)
{
	const char **labels = arena_alloc(arena, series->n_snapshots, sizeof *labels);

	if (!find_numbers(series, arena, labels))
		for (uint32_t i = 0; i < series->n_snapshots; i++)
			labels[i] = arena_printf(arena, "%u", i + 1);
	return labels;
}

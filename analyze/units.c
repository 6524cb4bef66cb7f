#include "analyze/units.h"

#include "analyze/base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum family { BYTES, TIME, COMPUTE };

struct unit {
	enum family family;
	double factor;
	const char *name;    /* as it is shown */
	const char *aliases; /* space-separated, lower case */
};

/* Of each family from small to large. */
static const struct unit units[] = {
	{BYTES, 1, "B", "b byte"},
	{BYTES, 0x1p10, "kB", "kb kbyte kilobyte"},
	{BYTES, 0x1p20, "MB", "mb mbyte megabyte"},
	{BYTES, 0x1p30, "GB", "gb gbyte gigabyte"},
	{BYTES, 0x1p40, "TB", "tb tbyte terabyte"},
	{BYTES, 0x1p50, "PB", "pb pbyte petabyte"},
	{TIME, 1, "ns", "ns nanosecond"},
	{TIME, 1e3, "us", "us μs microsecond"},
	{TIME, 1e6, "ms", "ms millisecond"},
	{TIME, 1e9, "s", "s sec second"},
	{TIME, 3600e9, "hrs", "hrs hour hr"},
	/* Google's compute units, which google/pprof knows. */
	{COMPUTE, 1e-9, "n*GCU", "nanogcu"},
	{COMPUTE, 1e-6, "u*GCU", "microgcu"},
	{COMPUTE, 1e-3, "m*GCU", "milligcu"},
	{COMPUTE, 1, "GCU", "gcu"},
	{COMPUTE, 1e3, "k*GCU", "kilogcu"},
	{COMPUTE, 1e6, "M*GCU", "megagcu"},
	{COMPUTE, 1e9, "G*GCU", "gigagcu"},
	{COMPUTE, 1e12, "T*GCU", "teragcu"},
	{COMPUTE, 1e15, "P*GCU", "petagcu"},
};
static const char *const family_default[] = {[BYTES] = "b", [TIME] = "s", [COMPUTE] = "gcu"};
static const char *const family_names[] = {
	[BYTES] = "B, kB, MB, GB, TB or PB",
	[TIME] = "ns, us, ms, s or hrs",
	[COMPUTE] = "nanogcu, microgcu, milligcu, gcu, kilogcu, megagcu, gigagcu, teragcu or petagcu",
};
enum { N_UNITS = sizeof units / sizeof *units, LONGEST_ALIAS = 32 };

static bool is_alias(const char *aliases, const char *name, size_t length)
{
	size_t n;

	for (const char *alias; (alias = text_item(&aliases, ' ', &n));)
		if (n == length && strncasecmp(alias, name, length) == 0)
			return true;
	return false;
}

static const struct unit *find_unit(const char *name)
{
	size_t length = strnlen(name, LONGEST_ALIAS + 1);

	for (int plural = 0; plural < 2; plural++) {
		for (size_t i = 0; i < N_UNITS; i++)
			if (is_alias(units[i].aliases, name, length))
				return &units[i];
		if (length <= 2 || (name[length - 1] | 0x20) != 's')
			break;
		length--;
	}
	return NULL;
}

static struct unit_style style_of(const struct unit *unit, const struct unit *from)
{
	assert(unit); /* each family has its default among the units */
	double factor = unit->factor / from->factor;

	return (struct unit_style){factor, factor == 1 ? 0 : 2, unit->name};
}

static bool is_count(const char *unit)
{
	return strcmp(unit, "count") == 0 || strcmp(unit, "samples") == 0 || strcmp(unit, "sample") == 0;
}

/* Counts carry no unit, as google/pprof shows them. */
static struct unit_style plain_style(const char *unit)
{
	return (struct unit_style){1, 0, is_count(unit) ? "" : unit};
}

uint32_t units_list(const char *unit, struct unit_style ret[UNITS_MOST])
{
	const struct unit *from = find_unit(unit);
	uint32_t n = 0;

	if (!from)
		ret[n++] = plain_style(unit);
	for (size_t i = 0; i < N_UNITS && from; i++)
		if (units[i].family == from->family)
			ret[n++] = style_of(&units[i], from);
	return n;
}

struct unit_style units_auto(const char *unit, double value)
{
	const struct unit *from = find_unit(unit);
	const struct unit *best = NULL;

	if (!from)
		return plain_style(unit);
	for (size_t i = 0; i < N_UNITS; i++) {
		if (units[i].family != from->family)
			continue;
		if (fabs(value) * from->factor / units[i].factor >= 1)
			best = &units[i];
	}
	/* Below one of everything: google/pprof's defaults. */
	if (!best)
		best = find_unit(family_default[from->family]);
	return style_of(best, from);
}

struct unit_style units_alone(const char *unit, double value)
{
	return find_unit(unit) ? units_auto(unit, value) : (struct unit_style){1, 0, ""};
}

bool units_factor(const char *from, const char *to, double *factor_ret)
{
	const struct unit *a = find_unit(from), *b = find_unit(to);

	if (a && b && a->family == b->family)
		*factor_ret = a->factor / b->factor;
	else if (!a && !b && strcasecmp(from, to) == 0)
		*factor_ret = 1;
	else
		return false;
	return true;
}

const char *units_base(const char *unit, double *factor_ret)
{
	const struct unit *from = find_unit(unit);

	*factor_ret = 1;
	if (!from || from->family == COMPUTE)
		return unit;
	*factor_ret = from->factor;
	return from->family == BYTES ? "bytes" : "nanoseconds";
}

struct unit_style units_classic(const char *type, const char *unit)
{
	const struct unit *from = find_unit(unit);

	if (from && from->family == BYTES)
		return (struct unit_style){0x1p20 / from->factor, 1, "MB"};
	if (from && from->family == TIME)
		return (struct unit_style){1e9 / from->factor, 3, "seconds"};
	if (*unit && !is_count(unit))
		return (struct unit_style){1, 0, unit};
	return (struct unit_style){1, 0, strstr(type, "objects") ? "objects" : "samples"};
}

/* google/pprof's rule: the smallest value's unit, unless a hundred of them still are less than the total. */
static struct unit_style units_minimum(const char *unit, double total, double smallest)
{
	if (smallest == 0)
		return units_auto(unit, total);
	struct unit_style small = units_auto(unit, smallest), large = units_auto(unit, total);

	if (small.factor != large.factor && 100 * fabs(smallest) < fabs(total))
		return units_auto(unit, 100 * smallest);
	return small;
}

static struct err *unknown_unit(const char *wanted, const char *unit)
{
	const struct unit *from = find_unit(unit);

	if (!from)
		return err_new("--unit=%s: expected auto: the values are counts, not bytes or time", wanted);
	if (find_unit(wanted))
		return err_new("--unit=%s: the values are %s: expected auto, minimum, %s", wanted, unit,
		               family_names[from->family]);
	return err_new("--unit=%s: expected auto, minimum, %s", wanted, family_names[from->family]);
}

struct err *units_wanted(const char *wanted, const char *unit, double total, double smallest, struct unit_style *ret)
{
	const struct unit *from = find_unit(unit), *to = find_unit(wanted);

	if (strcmp(wanted, "auto") == 0)
		*ret = units_auto(unit, total);
	else if (strcmp(wanted, "minimum") == 0)
		*ret = units_minimum(unit, total, smallest);
	else if (from && to && from->family == to->family)
		*ret = style_of(to, from);
	else if (!from && strcasecmp(wanted, unit) == 0)
		*ret = plain_style(unit);
	else
		return unknown_unit(wanted, unit);
	return NULL;
}

static void whole_digits(char text[UNITS_TEXT], double whole)
{
	char digits[TEXT_DIGITS];

	*text = '-';
	strcpy(text + (whole < 0), text_decimal(digits, (uint64_t)fabs(whole)));
}

const char *units_whole(char text[UNITS_TEXT], double value)
{
	double whole = round(value);

	if (fabs(whole) >= 0x1p63) /* where sums are held, which a double cannot say */
		snprintf(text, UNITS_TEXT, "%s%" PRId64, whole < 0 ? "-" : "", INT64_MAX);
	else
		whole_digits(text, whole);
	return text;
}

const char *units_number(char text[UNITS_TEXT], const struct unit_style *style, double value)
{
	double scale = style->decimals == 0 ? 1 : style->decimals == 1 ? 10 : style->decimals == 2 ? 100 : 1000;
	/* Whole first: printf alone would round a tie to even. */
	double whole = round(value * scale / style->factor);

	if (scale == 1)
		return units_whole(text, whole);
	snprintf(text, UNITS_TEXT, "%.*f", style->decimals, whole == 0 ? 0.0 : whole / scale);
	return text;
}

const char *units_label(char text[UNITS_TEXT], const struct unit_style *style, double value)
{
	double shown = value / style->factor;

	if (style->decimals == 0 || fabs(shown) >= 0x1p63)
		units_whole(text, shown);
	else
		snprintf(text, UNITS_TEXT, "%.2f", shown);
	char *zeros = strstr(text, ".00");

	if (zeros)
		*zeros = '\0';
	if (strcmp(text, "0") == 0 || strcmp(text, "-0") == 0)
		return strcpy(text, "0");
	size_t length = strlen(text);
	snprintf(text + length, UNITS_TEXT - length, "%s", style->name);
	return text;
}

const char *units_percent(char text[UNITS_TEXT], double value, double total)
{
	snprintf(text, UNITS_TEXT, "%.1f%%", total == 0 ? 0.0 : value * 100 / total);
	if (strcmp(text, "-0.0%") == 0)
		memmove(text, text + 1, sizeof "0.0%");
	return text;
}

/* A byte of a terabyte; less is what rounding has left of a sum. */
static const double LEAST_PERCENT = 1e-10;

const char *units_percent_label(char text[UNITS_TEXT], double value, double total)
{
	double percent = total == 0 ? 0.0 : value * 100 / total;
	double size = fabs(percent);

	if (size < LEAST_PERCENT)
		percent = size = 0;
	if (percent == 0)
		percent = 0.0; /* not -0 */
	if (size >= 99.95 && size <= 100.05)
		snprintf(text, UNITS_TEXT, percent < 0 ? " -100%%" : "  100%%");
	else if (size >= 1)
		snprintf(text, UNITS_TEXT, percent < 0 ? "%6.2f%%" : "%5.2f%%", percent);
	else
		snprintf(text, UNITS_TEXT, "%5.2g%%", percent);
	return text;
}

const char *units_percent_alone(char text[UNITS_TEXT], double value, double total)
{
	units_percent_label(text, value, total);
	return text + strspn(text, " ");
}

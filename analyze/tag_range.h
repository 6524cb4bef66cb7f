/* Ranges of numbers with units, as users type them to choose labels: "32kb", ":64kb", "4mb:", "12kb:64mb". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TAG_UNIT = 32 };

struct tag_bound {
	bool is_set;
	int64_t number;
	char unit[TAG_UNIT]; /* as it was typed; "": none */
};

/* Both ends belong to it. */
struct tag_range {
	struct tag_bound low, high;
};

/* False: the text is no range, or one of numbers that 63 bits do not hold. A unit that one end alone has counts for both. */
bool tag_range_parse(const char *text, struct tag_range *ret);

/* A range for numbers of one unit: those n with n * factor between the ends. */
struct tag_limits {
	bool is_measured; /* false: the unit measures something else, and no number is in the range */
	int64_t low_factor, high_factor;
	__int128 low, high;
};

/* unit is that of the numbers; a range without a unit is in the same one. */
struct tag_limits tag_range_in(const struct tag_range *range, const char *unit);

static inline bool tag_limits_hold(const struct tag_limits *limits, int64_t number)
{
	return limits->is_measured && (__int128)number * limits->low_factor >= limits->low &&
	       (__int128)number * limits->high_factor <= limits->high;
}

/* Values to text: units of memory and time, and percentages, in the two layouts of the field's tables. */
#pragma once

#include "analyze/base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { UNITS_TEXT = 40 };

/* How a report shows its values: divided by factor, with this many decimals, the unit said once (gperftools) or
 * behind each value (google/pprof). In their own unit, values are whole: bytes, objects. Only an estimate has more
 * digits, which say nothing. */
struct unit_style {
	double factor;
	int decimals;
	const char *name; /* "MB", "objects"; static text, or a unit of the profile's own */
};

/* The unit in which memory or time is whole numbers, "bytes" or "nanoseconds", and what values are multiplied by to be
 * in it; any other unit stays what it is. */
const char *units_base(const char *unit, double *factor_ret);

/* gperftools' choice for a profile's unit: bytes as MB with one decimal, nanoseconds as seconds with three, others as
 * they are: a count is objects or samples, an unknown unit has its own name. type is the sample type ("inuse_objects"
 * counts objects). */
struct unit_style units_classic(const char *type, const char *unit);

/* One unit for all values of a table. wanted is a name of the user's: "auto" goes by the total, "minimum" by the smallest
 * value (smallest; 0: none). The error names a wanted unit that does not exist or measures something else. */
struct err *units_wanted(const char *wanted, const char *unit, double total, double smallest,
                         struct unit_style *ret) MUST_CHECK;

/* What a value in one unit is multiplied by to be one in the other; false: they measure different things. Units that are
 * not known measure the same when they are spelled the same. */
bool units_factor(const char *from, const char *to, double *factor_ret);

/* All units in which values of a unit can be shown, from small to large, at most UNITS_MOST; returns how many. */
enum { UNITS_MOST = 10 };
uint32_t units_list(const char *unit, struct unit_style ret[UNITS_MOST]);

/* The unit a single value reads best in. */
struct unit_style units_auto(const char *unit, double value);
/* Likewise, of a value beside others of other units: a unit that is not known is not said, as google/pprof does it. */
struct unit_style units_alone(const char *unit, double value);

/* "1024": rounded half away from zero, and held within 63 bits; never "-0". */
const char *units_whole(char text[UNITS_TEXT], double value);
/* "1024.0": the number alone, rounded half away from zero; never "-0.0". */
const char *units_number(char text[UNITS_TEXT], const struct unit_style *style, double value);
/* "24.72MB", "4GB", "0": two decimals unless they are zeros or the style has none, and the unit. */
const char *units_label(char text[UNITS_TEXT], const struct unit_style *style, double value);

/* gperftools' "%.1f%%" of value in total; 0 of 0 is "0.0%", and zero never has a sign. */
const char *units_percent(char text[UNITS_TEXT], double value, double total);
/* google/pprof's: "  100%", "33.33%", " 0.29%", "1.6e-05%"; a negative one keeps its sign. */
const char *units_percent_label(char text[UNITS_TEXT], double value, double total);
/* Likewise, without the blanks before it. */
const char *units_percent_alone(char text[UNITS_TEXT], double value, double total);

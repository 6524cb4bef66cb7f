/* Makes the totals of a profile those of its base. */
#pragma once

#include "analyze/profile.h"

/* total_base / total_main of one sample type, kept apart so that an exact result comes out exactly. */
struct ratio {
	double of, to;
};

/* By sample type: what takes the sum of the main set's values to the base's. A type that sums up to 0 has nothing that
 * could be scaled, and 0 comes of it, as in google/pprof. The caller frees it. */
struct ratio *normalize_ratios(const struct profile *profile);

/* value * to / of, as near as a double comes to it. */
double ratio_apply(const struct ratio *ratio, double value);

/* scaled - base; what is left of two equal ones by rounding alone is 0. */
double ratio_difference(double scaled, double base);

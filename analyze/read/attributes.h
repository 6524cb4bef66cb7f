/* How contention, Java and thread profiles begin: a title, "--- contentionz 1 ---", and lines "name = value". */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct attributes {
	int64_t cycles_per_second, sampling_period; /* 0: not said */
	int64_t ms_since_reset, n_discarded;
	struct span format, resolution; /* empty: not said */
};

/* The title's text, "contentionz 1"; empty: the line is none. */
struct span attributes_title(struct span line);

/* Splits the line; neither side has blanks around it. False: it has another shape (rows hold a '@'). */
bool attribute_split(struct span line, struct span *name_ret, struct span *value_ret);

/* Reads the attributes from the cursor to the map section, also between rows; the cursor of the caller stays. The first
 * of a name counts. Unknown names are a detail, values that make no sense a warning. */
void attributes_read(struct cursor ahead, struct build *build, struct attributes *ret);
/* The time since the counts were reset is the profile's duration. */
void attributes_set_time(const struct attributes *attributes, struct build *build);

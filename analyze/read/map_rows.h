/* One row of a map, in every shape that producers write. */
#pragma once

#include "analyze/base/cursor.h"

enum { LONGEST_BUILD_ID = 128 }; /* as text */

struct map_fields {
	uint64_t start, limit, offset, inode;
	bool executable, deleted, lacks_offset;
	struct span path, build_id; /* path as it stands there, without " (deleted)"; either may be empty */
};

/* Linux, FreeBSD, macOS, gperftools and Google's own, also behind what a log puts before a line. False: the line is no
 * row. */
bool map_row_parse(struct span line, struct map_fields *ret);

/* The line without "I0131 10:20:30.123456 789 file.cc:12] ", if it begins like this. */
struct span map_row_without_log(struct span line);

/* Do the rows of a map lie as the program headers of a file say? */
#pragma once

#include "symbolize/object.h"

/* A row of executable memory, by what it holds of the file. */
struct fit_row {
	uint64_t offset, n_bytes;
	bool end_is_open; /* what follows it in memory may hold the rest, or nothing is known of what does */
};

/* False: a kernel would have mapped no segment of the file so. Loaders leave holes in a segment, cut it into rows and lay
 * memory without a file over its parts (huge pages), and musl's leaves what is between segments mapped; page sizes go up to
 * 64 KiB. None of this is held against a row. */
bool fit_row(const struct segment *segments, uint32_t n, const struct fit_row *row);

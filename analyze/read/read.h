/* One input file to a profile: opens it, inflates it, finds its format and reads it. */
#pragma once

#include "analyze/read/reader.h"

/* All formats, in the order in which they are tried; ends with NULL. */
extern const struct reader *const readers[];

struct read_opts {
	uint64_t max_inflate; /* bytes a compressed file may expand to */
};

/* path is what the user typed; "-" is standard input. *ret has one source and its notes; the caller frees it. */
struct err *profile_read(const char *path, const struct read_opts *opts, struct build **ret) MUST_CHECK;

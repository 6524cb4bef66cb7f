/* One input file to a profile: opens it, inflates it, finds its format and reads it. */
#pragma once

#include "analyze/read/reader.h"

/* All formats, in the order in which they are tried; ends with NULL. */
extern const struct reader *const readers[];

/* The format of which this is the head, or NULL. */
const struct reader *profile_find_reader(struct span head);

/* Reads a profile that begins at in->at within another file: the body of a symbolized one. Errors as in profile_read. */
struct err *profile_read_body(struct cursor *in, const struct read_opts *opts, struct build *build) MUST_CHECK;

/* path is what the user typed; "-" is standard input. *ret has one source and its notes; the caller frees it. */
struct err *profile_read(const char *path, const struct read_opts *opts, struct build **ret) MUST_CHECK;

/* A pattern held against a profile: which of its lines and locations match. Each text is matched once. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/profile.h"

struct filter {
	const char *option, *pattern; /* the caller's */
	bool *of_line;                /* by row of profile->lines */
	bool *of_loc;                 /* by location: it matches as a whole */
	bool has_match;
	unsigned n_given_up; /* matches that passed the limits of the pattern engine */
};

/* A line matches by its function's name, with parameters or without, its file, or "file:line"; a location by its object's
 * path, and by its address where the pattern begins with 0x. The error names the option and the column. A pattern of NULL
 * makes a filter of NULL. */
struct err *filter_new(const struct profile *profile, const char *option, const char *pattern,
                       struct filter **ret) MUST_CHECK;
/* Likewise, but lines match by the plain names of their functions (frames_plain_name) and nothing else does. */
struct err *filter_new_plain(const struct profile *profile, const char *option, const char *pattern,
                             struct filter **ret) MUST_CHECK;
/* Likewise, but locations match by the name of their outermost function, and by their address as above; lines never do. */
struct err *filter_new_outermost(const struct profile *profile, const char *option, const char *pattern,
                                 struct filter **ret) MUST_CHECK;
void filter_free(struct filter *filter);

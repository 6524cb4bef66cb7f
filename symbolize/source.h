/* Finds and reads the source that debug information names: at its path, or below the folders of the user. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/text.h"
#include "symbolize/find.h"

struct source_opts {
	const struct find_opts *find; /* where a path lies on this host */
	const char *path;             /* folders with colons between them; NULL: the current one */
	const char *trim; /* what paths begin with that are to be looked for there, likewise; NULL: it is guessed */
};

/* Reads the file of this name, into the arena. Only a regular file of a size that source has is read. *problem_ret says why
 * it cannot be, as google/pprof does; NULL: it was read. Each path that was tried is a NOTE_DETAIL of the diag. */
void source_read(const struct source_opts *opts, const char *file, struct arena *arena, struct diag *diag,
                 struct text_lines *ret, const char **problem_ret);

/* The names of a Java profile: its frames are ids, and lines "0x<id> text" behind the samples say what they stand for. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct java_names;

struct java_names *java_names_new(void);
void java_names_free(struct java_names *names);

/* The location of this id in the current source; made at the first call, without an address. */
loc_id java_names_loc(struct java_names *names, struct build *build, uint64_t id);

/* Reads the lines to the end of the file, gives the locations of their ids these names, and folds equal locations.
 * Lines of another shape and ids in no sample are passed over. An id without a name is shown as a number, and noted.
 * Comes after all samples. */
void java_names_read(struct java_names *names, struct cursor *in, struct build *build);

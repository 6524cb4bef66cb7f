/* The map section of text profiles: which file lies at which addresses, in every shape that producers write. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* True for the lines that begin the section: "MAPPED_LIBRARIES:" (gperftools) and "--- Memory map:". */
bool maps_begin(const struct span *line);
/* True for a row of a map. For formats whose map begins without such a line. */
bool maps_is_row(struct span line);

/* A build id as objects have it: hexadecimal ones in lower case, those of another kind, such as Go's, as they stand. */
str_id maps_build_id(struct build *build, struct span text);

/* Reads rows from the next line to the end of the file into the current source, and gives its locations their
 * places. Once a source. Lines of another shape are passed over. */
void maps_read(struct cursor *in, struct build *build);

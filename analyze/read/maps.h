/* The map section of text profiles: rows of /proc/PID/maps. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* True for the lines that begin the section: "MAPPED_LIBRARIES:" (gperftools) and "--- Memory map:". */
bool maps_begin(const struct span *line);

/* Reads rows to the end of the file into the current source, and gives its locations their mappings.
 * Executable rows are kept, lines of another shape are passed over. */
void maps_read(struct cursor *in, struct build *build);

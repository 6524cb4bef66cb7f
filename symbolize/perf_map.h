/* A perf map (/tmp/perf-PID.map): the names that a program gives to code that it makes at run time. */
#pragma once

#include "analyze/build.h"
#include "symbolize/demangle.h"

/* Names locations that are in no file by the map: lines of "START SIZE NAME" in hex, of which a later one wins, since code
 * is moved and its place used anew. Lines that are none are skipped and counted in a note; the error is for a file that
 * cannot be read, or has no such line. After the fates of special objects are known. */
struct err *perf_map_name(struct build *build, const char *path, enum demangle_style style) MUST_CHECK;

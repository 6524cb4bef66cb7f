/* Files that are made of prose and of the tool's tables: the manual page, completions of shells. */
#pragma once

#include "analyze/base/err.h"
#include "render/out.h"

/* Writes the file; where a line is @MARK@, what the table of marks says stands instead. */
struct err *template_fill(const char *path, struct out *out) MUST_CHECK;

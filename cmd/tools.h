/* Programs of other people that are started: objdump alone. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/base/mem.h"

/* The path of objdump, or the name alone, to be looked for along PATH, where nothing else is said. tools is the user's
 * --tools, NULL: that of the environment (PPROF_TOOLS, JEPROF_TOOLS). It lists, with commas between them, "tool:PATH" of a
 * file or a folder, folders, and what stands in front of the tool's name ("/opt/bin/aarch64-linux-gnu-"). The first that
 * tells of objdump counts; what is said of other tools is for them. The error says that there is none. */
struct err *tools_objdump(const char *tools, struct arena *arena, const char **ret) MUST_CHECK;

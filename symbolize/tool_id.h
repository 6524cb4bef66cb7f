/* The build id of the program that runs: what another build of it wrote down may be wrong by what this one knows. */
#pragma once

#include "analyze/base/mem.h"

/* Lower-case hex, in the arena. NULL: the linker gave it none. */
const char *tool_id(struct arena *arena);

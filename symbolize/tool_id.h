/* The build id of the program that runs: what another build of it wrote down may be wrong by what this one knows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_ID_SIZE = 2 * 64 + 1 };

/* Lower-case hex. False: the linker gave it none. */
bool tool_id(char ret[TOOL_ID_SIZE]);

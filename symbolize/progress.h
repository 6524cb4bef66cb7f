/* How far the work on an object is. */
#pragma once

#include <stdint.h>

/* So many of so many units of the object at this path are done. Called from any thread, and often. */
typedef void progress_fn(const char *path, uint32_t n_done, uint32_t n_units);

/* Which functions and libraries are those of the profilers of locks and of CPU time: their frames say nothing about
 * the program. */
#pragma once

#include <stdbool.h>

/* The unlocking that notes a contention; name is a function as tables show it. */
bool profiler_has_lock_function(const char *name);
/* The signal by which CPU time is sampled: its handler, and how the kernel enters it. */
bool profiler_has_signal_function(const char *name);
/* file is the path of a library as the map names it. */
bool profiler_has_object(const char *file);

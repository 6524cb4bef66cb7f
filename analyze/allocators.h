/* Which functions and libraries are the allocator itself: their frames at the leaf end of a heap stack say nothing. */
#pragma once

#include <stdbool.h>

/* name is a function as tables show it (C++ without parameters and template arguments, Rust whole). */
bool allocator_has_function(const char *name);
/* inlined: the function has no code of its own here (alloc::raw_vec and the like are allocator only then). */
bool allocator_has_inlined_function(const char *name);
/* file is the path of a library as the map names it. */
bool allocator_has_object(const char *file);
/* The Go runtime, which is allocator only where the program's own frames follow. */
bool allocator_is_go_runtime(const char *name);

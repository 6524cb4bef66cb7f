/* The threads of a profile: samples carry the label "thread", a text ("3", "t3") or a number. */
#pragma once

#include "analyze/profile.h"

/* Says of each label set whether it is this thread's ("t3" and "3" are one); the caller frees it. */
bool *threads_find(const struct profile *profile, const char *thread);
/* The threads that samples have, numbers first and in their order, then texts; each once. The names live in the arena.
 */
const char **threads_list(const struct profile *profile, struct arena *arena, uint32_t *n_ret);
/* "t3" for "3", as jemalloc calls them; other names as they are. */
const char *threads_title(const char *thread, struct arena *arena);

/* Text from files, made harmless: names may hold anything, also what a terminal or a browser would obey. */
#pragma once

#include "analyze/base/mem.h"

/* The text with control characters, bidi overrides and bytes that are not UTF-8 shown as \x1b, \u202e. The text itself
 * where there is nothing to escape, else a copy in the arena. */
const char *text_printable(const char *text, struct arena *arena);
/* How many characters a printable text has. */
/* strcmp, but for one and the same string: those of a profile are interned, and a long one may belong to a million rows. */
int text_compare(const char *a, const char *b);
uint32_t text_width(const char *text);

/* "alloc_objects, alloc_space": names of a list, of a long one the first ten. */
const char *text_join(struct arena *arena, const char *const *names, uint32_t n);

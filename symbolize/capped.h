/* The text that libiberty makes of a mangled name, with a cap on both. */
#pragma once

#include "symbolize/demangle.h"

#include <setjmp.h>
#include <stdbool.h>

/* libiberty's parsers recurse on the mangled name, up to about 128 bytes of stack a character: give them no
 * longer one. */
enum { CAPPED_MANGLED_LONGEST = 16384 };

struct capped {
	size_t n;
	bool is_cut;  /* more was added than there is room for */
	jmp_buf full; /* where capped_add_or_leave goes then */
	char bytes[DEMANGLE_LONGEST];
};

/* Makes it empty; bytes[] and full need not be set. */
static inline void capped_begin(struct capped *text)
{
	text->n = 0;
	text->is_cut = false;
}

void capped_add(struct capped *text, const char *bytes, size_t n);
void capped_add_string(struct capped *text, const char *string);

/* Callbacks for libiberty's printers; context is the text. The printers cannot be stopped by their callback, so the
 * first jumps out of them to text->full once the text is cut, which loses what they have malloc'd; the second lets them
 * go on. */
void capped_add_or_leave(const char *bytes, size_t n, void *context);
void capped_add_or_swallow(const char *bytes, size_t n, void *context);

/* The text as a string of the arena; "..." ends one that was cut. */
const char *capped_take(struct capped *text, struct arena *arena);

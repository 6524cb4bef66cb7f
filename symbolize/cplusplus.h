/* Names of the Itanium C++ ABI: libiberty's tree of one, and what is printed of it. */
#pragma once

#include "symbolize/capped.h"

/* They add to an empty text. False: it is no such name, or one that would take libiberty too long; the text may hold a
 * part of it then. Names are no longer than CAPPED_MANGLED_LONGEST. */
bool cplusplus_full(const char *name, struct capped *text);      /* with parameters and template arguments */
bool cplusplus_templates(const char *name, struct capped *text); /* with template arguments alone */
bool cplusplus_short(const char *name, struct capped *text);     /* as demangle_short has it */

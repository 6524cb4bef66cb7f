/* Names of Rust, v0 and legacy: the grammar's word on a name before libiberty reads it. */
#pragma once

#include "symbolize/capped.h"

/* "_R...", or "_ZN...17h...", the older form inside C++'s, where a name of C++ may look the same. */
bool rust_is_name(const char *name);

/* Adds the name without its hash to an empty text. False: it is no name of Rust; the text may hold a part of it then.
 * Names are no longer than CAPPED_MANGLED_LONGEST. */
bool rust_add(const char *name, struct capped *text);

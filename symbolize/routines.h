/* Finds the routines that hold locations of a profile, and their instructions with functions, files and lines. */
#pragma once

#include "analyze/code.h"
#include "symbolize/disasm.h"
#include "symbolize/symbolize.h"

/* Fills what code leaves to who can open files; texts go into the arena. Objects and routines that cannot be read are notes.
 * The error is for objdump, which cannot be started; code has no routines then. */
struct err *routines_find(const struct profile *profile, const struct symbolize_opts *opts,
                          const struct disasm_opts *disasm, struct arena *arena, struct diag *diag,
                          struct code *code) MUST_CHECK;

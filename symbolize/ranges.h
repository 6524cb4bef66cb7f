/* The ranges of addresses that a DIE's code lies in: contiguous, or a list of DWARF 2 to 4 or of DWARF 5. */
#pragma once

#include "symbolize/unit.h"

/* vaddrs, start below end. */
typedef void range_fn(void *context, uint64_t start, uint64_t end);

/* Calls fn for each range of the DIE's code, in the order of the file; they may overlap. Notes a damaged list, and
 * gives what comes before the damage. False: the DIE does not say where its code is. */
bool ranges_each(struct unit *unit, Dwarf_Die *die, range_fn *fn, void *context);

/* Where the code of a DIE is: its contiguous range or its list of ranges, DWARF 2 to 5 and GNU's split DWARF. */
#pragma once

#include "symbolize/unit.h"

/* The attributes of a DIE that say where its code is. */
struct code {
	bool has_low, has_high, has_ranges;
	bool high_is_length;  /* DWARF 4: high counts from low */
	bool ranges_is_index; /* DW_FORM_rnglistx: ranges is a row of the unit's table of lists */
	uint64_t low, high, ranges;
};

/* Of the unit's own DIE. */
struct code code_of_unit(struct unit *unit);

typedef void range_fn(void *context, uint64_t start, uint64_t end);

/* Calls fn for each range start <= vaddr < end of the code. Each step is spent from the unit's budget. False: the code
 * says nothing of ranges. */
bool ranges_each(struct unit *unit, const struct code *code, range_fn *fn, void *context);

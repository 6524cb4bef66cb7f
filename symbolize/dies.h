/* The DIEs of a unit, one after the other: what the walk over them needs, and no more. libdw would take ten times as
 * long (it decodes each attribute that it passes). */
#pragma once

#include "symbolize/abbrevs.h"
#include "symbolize/ranges.h"

/* Where the walk is. */
struct dies {
	struct unit *unit;
	const struct abbrevs *abbrevs;
	struct scan in;
};

struct die {
	uint64_t offset;             /* in .debug_info */
	const struct abbrev *abbrev; /* NULL: no DIE, but the end of the children of one */
};

/* Goes to the unit's own DIE. abbrevs are of the unit; both outlive the walk. */
struct dies dies_start(struct unit *unit, const struct abbrevs *abbrevs);

/* False at the end of the unit, or where it is damaged, which is noted. After it dies_code or dies_skip passes over the
 * attributes of the DIE. Both give the offset of its next sibling; 0: not said. */
bool dies_next(struct dies *dies, struct die *ret);
uint64_t dies_code(struct dies *dies, const struct die *die, struct code *ret);
uint64_t dies_skip(struct dies *dies, const struct die *die);

/* Passes over the children of the DIE whose attributes were passed over last. sibling as those gave it. */
void dies_skip_children(struct dies *dies, uint64_t sibling);

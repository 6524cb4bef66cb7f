/* A unit of .debug_info: where it lies, what it says of its code, and the attributes of DIEs. */
#pragma once

#include "symbolize/image.h"

struct unit {
	struct image *image;
	Dwarf_Die die;
	uint64_t offset, end; /* in .debug_info */
	uint32_t number;      /* no two of a file have the same */
	unsigned version, address_bytes, offset_bytes;
	uint64_t base; /* of ranges and of what they are relative to */
	bool is_cplusplus;
};

/* Goes to the next unit that may hold code; the first from a unit that is zeroed but for its image. False: there are no
 * more. Notes those that are damaged. */
bool unit_next(struct unit *unit);

/* True: functions are in a split DWARF file (.dwo). */
bool unit_is_split(struct unit *unit);

/* image_note_damage and image_spend, in the name of this unit. */
void unit_note_damage(const struct unit *unit, const char *what);
bool unit_spend(const struct unit *unit, uint64_t steps);

/* Attributes of a DIE, of this unit or another. False, NULL, 0: it has none. */
bool die_number(Dwarf_Die *die, unsigned name, uint64_t *ret);
uint32_t die_small_number(Dwarf_Die *die, unsigned name); /* 0 for one of more than 32 bits, too */
const char *die_string(Dwarf_Die *die, unsigned name);

/* Whether this DIE of a unit names C++ or Objective C++ as its language; otherwise, when it names none. */
bool die_is_cplusplus(Dwarf_Die *unit_die, bool otherwise);

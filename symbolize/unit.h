/* A unit of .debug_info: where it lies, what it says of its code, and the attributes of DIEs that libdw reads. */
#pragma once

#include "symbolize/handle.h"

/* What is wrong with the DWARF of a file; of several things the one in the first unit is told. */
struct damage {
	const char *what; /* NULL: nothing */
	const char *path;
	uint64_t offset; /* of the unit, in .debug_info */
	uint32_t unit;   /* its number */
};

/* Attributes and tables that the DIEs of a unit count from. Those of split DWARF stand partly in the skeleton. */
struct bases {
	const struct piece *addr, *ranges, *rnglists;
	uint64_t addr_base, ranges_base, rnglists_base;
	uint64_t low; /* of ranges and of what they are relative to */
};

struct unit {
	const struct image *image;
	struct handle *handle;
	struct damage *damage;
	Dwarf_Die die;
	uint64_t offset, end; /* in .debug_info */
	uint64_t dies;        /* where its first DIE lies */
	uint64_t abbrevs;     /* in .debug_abbrev */
	uint64_t id;          /* of split DWARF, in skeleton and split unit alike; 0: none in the header */
	uint32_t number;      /* no two of a file have the same */
	unsigned version, address_bytes, offset_bytes;
	struct bases bases;
	bool is_cplusplus;
	uint64_t budget; /* of steps through range lists and the like, which units may share as they like */
};

/* Goes to the next unit that may hold code; the first from a unit that is zeroed but for image, handle and damage.
 * False: there are no more. Notes those that are damaged. */
bool unit_next(struct unit *unit);

/* The unit at this offset, of this number, likewise; false when there is none. */
bool unit_at(struct unit *unit, uint64_t offset, uint32_t number);

/* True: functions are in a split DWARF file (.dwo). */
bool unit_is_split(struct unit *unit);
/* The id of a skeleton or split unit, of DWARF 5 or GNU's older form. False: it has none. */
bool unit_split_id(struct unit *unit, uint64_t *ret);

/* Tells the damage, unless that of an earlier unit is told. */
void unit_note_damage(const struct unit *unit, const char *what);
/* Takes steps from the budget. False, with damage: it is used up. */
bool unit_spend(struct unit *unit, uint64_t steps);

/* The address of this number in the unit's table of addresses. in becomes bad when there is none. */
uint64_t unit_address(const struct unit *unit, struct scan *in, uint64_t number);

/* Attributes of a DIE, of this unit or another. False, NULL, 0: it has none. */
bool die_number(Dwarf_Die *die, unsigned name, uint64_t *ret);
uint32_t die_small_number(Dwarf_Die *die, unsigned name); /* 0 for one of more than 32 bits, too */
const char *die_string(Dwarf_Die *die, unsigned name);

/* Whether this DIE of a unit names C++ or Objective C++ as its language; otherwise, when it names none. */
bool die_is_cplusplus(Dwarf_Die *unit_die, bool otherwise);

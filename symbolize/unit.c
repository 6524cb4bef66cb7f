#include "symbolize/unit.h"

#include <dwarf.h>

/* ---- the head ---- */

/* Units by dwarf_next_unit: dwarf_get_units would open .dwo files. False when there are no more. */
static bool read_head(struct unit *unit)
{
	Dwarf_Off next, abbrevs;
	size_t head_bytes;
	Dwarf_Half version;
	uint8_t address_bytes, offset_bytes;

	int status = dwarf_next_unit(unit->handle->dwarf, unit->offset, &next, &head_bytes, &version, &abbrevs,
	                             &address_bytes, &offset_bytes, NULL, NULL);
	if (status < 0)
		unit_note_damage(unit, "unit");
	if (status != 0)
		return false;
	unit->end = next;
	unit->dies = unit->offset + head_bytes;
	unit->abbrevs = abbrevs;
	unit->version = version;
	unit->address_bytes = address_bytes == 4 ? 4 : 8;
	unit->offset_bytes = offset_bytes;
	return true;
}

/* DWARF 5: its type, and for some types an id, stand in the head. */
static unsigned unit_type(struct unit *unit)
{
	struct scan in = image_scan(unit->image, &unit->image->pieces[PIECE_INFO], unit->offset);

	scan_skip(&in, unit->offset_bytes == 8 ? 14 : 6); /* length and version */
	unsigned type = unit->version >= 5 ? (unsigned)scan_fixed(&in, 1) : DW_UT_compile;
	scan_skip(&in, 1 + unit->offset_bytes); /* size of an address, and where the abbreviations are */
	unit->id = type == DW_UT_skeleton || type == DW_UT_split_compile ? scan_fixed(&in, 8) : 0;
	return type;
}

static void read_bases(struct unit *unit)
{
	const struct piece *pieces = unit->image->pieces;

	unit->bases = (struct bases){
		.addr = &pieces[PIECE_ADDR],
		.ranges = &pieces[PIECE_RANGES],
		.rnglists = &pieces[PIECE_RNGLISTS],
		/* Behind the header of its table; GNU's older tables have none, but then the base is said. */
		.addr_base = unit->offset_bytes == 8 ? 16 : 8,
		.rnglists_base = unit->offset_bytes == 8 ? 20 : 12,
	};
	if (!die_number(&unit->die, DW_AT_addr_base, &unit->bases.addr_base))
		die_number(&unit->die, DW_AT_GNU_addr_base, &unit->bases.addr_base);
	die_number(&unit->die, DW_AT_rnglists_base, &unit->bases.rnglists_base);
	if (dwarf_lowpc(&unit->die, &unit->bases.low) != 0)
		unit->bases.low = 0;
}

/* A type that DWARF does not know; those of vendors begin at DW_UT_lo_user. */
static bool is_unknown(unsigned type)
{
	return type == 0 || (type > DW_UT_split_type && type < DW_UT_lo_user);
}

/* False: it is damaged, or holds types alone. */
static bool read_unit(struct unit *unit)
{
	unsigned type = unit_type(unit);
	if (!dwarf_offdie(unit->handle->dwarf, unit->dies, &unit->die) || is_unknown(type)) {
		unit_note_damage(unit, "unit");
		return false;
	}
	if (type == DW_UT_type || type == DW_UT_split_type || dwarf_tag(&unit->die) == DW_TAG_type_unit)
		return false;
	unit->is_cplusplus = die_is_cplusplus(&unit->die, false);
	read_bases(unit);
	return true;
}

bool unit_next(struct unit *unit)
{
	for (;;) {
		unit->offset = unit->end;
		if (!read_head(unit))
			return false;
		unit->number++;
		if (read_unit(unit))
			return true;
	}
}

bool unit_at(struct unit *unit, uint64_t offset, uint32_t number)
{
	unit->offset = offset;
	unit->number = number;
	return read_head(unit) && read_unit(unit);
}

bool unit_is_split(struct unit *unit)
{
	return dwarf_tag(&unit->die) == DW_TAG_skeleton_unit || dwarf_hasattr(&unit->die, DW_AT_dwo_name) ||
	       dwarf_hasattr(&unit->die, DW_AT_GNU_dwo_name);
}

bool unit_split_id(struct unit *unit, uint64_t *ret)
{
	*ret = unit->id;
	return unit->version >= 5 ? unit->id != 0 : die_number(&unit->die, DW_AT_GNU_dwo_id, ret);
}

void unit_note_damage(const struct unit *unit, const char *what)
{
	struct damage *damage = unit->damage;

	if (damage->what && damage->unit <= unit->number)
		return;
	*damage = (struct damage){what, unit->image->path, unit->offset, unit->number};
}

bool unit_spend(struct unit *unit, uint64_t steps)
{
	if (unit->budget < steps) {
		unit->budget = 0;
		unit_note_damage(unit, "ranges or lines without end in the unit");
		return false;
	}
	unit->budget -= steps;
	return true;
}

uint64_t unit_address(const struct unit *unit, struct scan *in, uint64_t number)
{
	struct scan table = image_scan(unit->image, unit->bases.addr, unit->bases.addr_base);

	if (number > unit->bases.addr->size) {
		in->is_bad = true;
		return 0;
	}
	scan_skip(&table, number * unit->address_bytes);
	uint64_t address = scan_fixed(&table, unit->address_bytes);
	in->is_bad |= table.is_bad;
	return address;
}

/* ---- attributes ---- */

bool die_number(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
		return false;
	*ret = value;
	return true;
}

uint32_t die_small_number(Dwarf_Die *die, unsigned name)
{
	uint64_t value;

	return die_number(die, name, &value) && value <= UINT32_MAX ? (uint32_t)value : 0;
}

const char *die_string(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

bool die_is_cplusplus(Dwarf_Die *unit_die, bool otherwise)
{
	enum { CPLUSPLUS_17 = 0x2b, CPLUSPLUS_20 = 0x2c }; /* newer than this dwarf.h */

	switch (dwarf_srclang(unit_die)) {
	case -1:
		return otherwise;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_ObjC_plus_plus:
	case CPLUSPLUS_17:
	case CPLUSPLUS_20:
		return true;
	default:
		return false;
	}
}

#include "symbolize/unit.h"

#include <dwarf.h>

/* Units by dwarf_next_unit: dwarf_get_units would open .dwo files. False when there are no more. */
static bool read_head(struct unit *unit, Dwarf_Off *die_ret)
{
	Dwarf_Off next;
	size_t head_bytes;
	Dwarf_Half version;
	uint8_t address_bytes, offset_bytes;

	unit->offset = unit->end;
	int status = dwarf_next_unit(unit->image->dwarf, unit->offset, &next, &head_bytes, &version, NULL, &address_bytes,
	                             &offset_bytes, NULL, NULL);
	if (status < 0)
		unit_note_damage(unit, "unit");
	if (status != 0)
		return false;
	unit->end = next;
	unit->version = version;
	unit->address_bytes = address_bytes == 4 ? 4 : 8;
	unit->offset_bytes = offset_bytes;
	unit->number++;
	*die_ret = unit->offset + head_bytes;
	return true;
}

bool unit_next(struct unit *unit)
{
	Dwarf_Off die;

	while (read_head(unit, &die)) {
		if (!dwarf_offdie(unit->image->dwarf, die, &unit->die)) {
			unit_note_damage(unit, "unit");
			continue;
		}
		if (dwarf_tag(&unit->die) == DW_TAG_type_unit)
			continue;
		unit->is_cplusplus = die_is_cplusplus(&unit->die, false);
		if (dwarf_lowpc(&unit->die, &unit->base) != 0)
			unit->base = 0;
		return true;
	}
	return false;
}

bool unit_is_split(struct unit *unit)
{
	return dwarf_tag(&unit->die) == DW_TAG_skeleton_unit || dwarf_hasattr(&unit->die, DW_AT_dwo_name) ||
	       dwarf_hasattr(&unit->die, DW_AT_GNU_dwo_name);
}

void unit_note_damage(const struct unit *unit, const char *what)
{
	image_note_damage(unit->image, what, unit->offset);
}

bool unit_spend(const struct unit *unit, uint64_t steps)
{
	return image_spend(unit->image, steps, unit->offset);
}

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

#include "symbolize/ranges.h"

#include <dwarf.h>

static void give_range(struct unit *unit, uint64_t start, uint64_t end, range_fn *fn, void *context)
{
	if (unit->address_bytes < 8) {
		start &= UINT32_MAX;
		end &= UINT32_MAX;
	}
	if (start < end && (start != 0 || unit->image->zero_is_code))
		fn(context, start, end);
}

static void walk_old_ranges(struct unit *unit, struct scan *in, range_fn *fn, void *context)
{
	uint64_t base = unit->bases.low, largest = unit->address_bytes < 8 ? UINT32_MAX : UINT64_MAX;

	while (!in->is_bad && unit_spend(unit, 1)) {
		uint64_t start = scan_fixed(in, unit->address_bytes), end = scan_fixed(in, unit->address_bytes);

		if (in->is_bad || (start == 0 && end == 0))
			return;
		if (start == largest)
			base = end;
		else
			give_range(unit, base + start, base + end, fn, context);
	}
}

/* One entry; false at the end of the list. */
static bool read_range(struct unit *unit, struct scan *in, uint64_t *base, uint64_t *start, uint64_t *end)
{
	*start = *end = 0;
	switch (scan_fixed(in, 1)) {
	case DW_RLE_base_addressx:
		*base = unit_address(unit, in, scan_uleb(in));
		return true;
	case DW_RLE_startx_endx:
		*start = unit_address(unit, in, scan_uleb(in));
		*end = unit_address(unit, in, scan_uleb(in));
		return true;
	case DW_RLE_startx_length:
		*start = unit_address(unit, in, scan_uleb(in));
		*end = *start + scan_uleb(in);
		return true;
	case DW_RLE_offset_pair:
		*start = *base + scan_uleb(in);
		*end = *base + scan_uleb(in);
		return true;
	case DW_RLE_base_address:
		*base = scan_fixed(in, unit->address_bytes);
		return true;
	case DW_RLE_start_end:
		*start = scan_fixed(in, unit->address_bytes);
		*end = scan_fixed(in, unit->address_bytes);
		return true;
	case DW_RLE_start_length:
		*start = scan_fixed(in, unit->address_bytes);
		*end = *start + scan_uleb(in);
		return true;
	case DW_RLE_end_of_list:
		return false;
	default:
		in->is_bad = true;
		return false;
	}
}

static void walk_new_ranges(struct unit *unit, struct scan *in, range_fn *fn, void *context)
{
	uint64_t base = unit->bases.low, start, end;

	while (unit_spend(unit, 1) && read_range(unit, in, &base, &start, &end) && !in->is_bad)
		give_range(unit, start, end, fn, context);
}

static struct scan new_ranges_at(struct unit *unit, const struct code *code)
{
	const struct piece *rnglists = unit->bases.rnglists;
	uint64_t base = unit->bases.rnglists_base, offset = UINT64_MAX;

	if (!code->ranges_is_index)
		return image_scan(unit->image, rnglists, code->ranges);
	struct scan in = image_scan(unit->image, rnglists, base);
	if (code->ranges <= rnglists->size) {
		scan_skip(&in, code->ranges * unit->offset_bytes);
		offset = base + scan_fixed(&in, unit->offset_bytes);
	}
	return image_scan(unit->image, rnglists, in.is_bad ? UINT64_MAX : offset);
}

static void walk_ranges(struct unit *unit, const struct code *code, range_fn *fn, void *context)
{
	struct scan in;

	if (unit->version >= 5) {
		in = new_ranges_at(unit, code);
		walk_new_ranges(unit, &in, fn, context);
	} else {
		in = image_scan(unit->image, unit->bases.ranges, unit->bases.ranges_base + code->ranges);
		walk_old_ranges(unit, &in, fn, context);
	}
	if (in.is_bad)
		unit_note_damage(unit, "ranges of the unit");
}

bool ranges_each(struct unit *unit, const struct code *code, range_fn *fn, void *context)
{
	if (code->has_ranges) {
		walk_ranges(unit, code, fn, context);
		return true;
	}
	if (!code->has_low || !code->has_high)
		return false;
	give_range(unit, code->low, code->high_is_length ? code->low + code->high : code->high, fn, context);
	return true;
}

/* ---- of the unit ---- */

static bool read_address(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && dwarf_formaddr(&attribute, ret) == 0;
}

struct code code_of_unit(struct unit *unit)
{
	struct code code = {0};
	Dwarf_Attribute ranges;

	code.has_low = read_address(&unit->die, DW_AT_low_pc, &code.low);
	code.has_high = read_address(&unit->die, DW_AT_high_pc, &code.high);
	if (!code.has_high)
		code.has_high = code.high_is_length = die_number(&unit->die, DW_AT_high_pc, &code.high);
	if (!dwarf_attr(&unit->die, DW_AT_ranges, &ranges))
		return code;
	code.ranges_is_index = dwarf_whatform(&ranges) == DW_FORM_rnglistx;
	code.has_ranges = true;
	if (!die_number(&unit->die, DW_AT_ranges, &code.ranges))
		code.ranges = UINT64_MAX;
	return code;
}

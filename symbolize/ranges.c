#include "symbolize/ranges.h"

#include <dwarf.h>

/* The attributes of a DIE that say where its code is, gathered in one pass over it. */
struct code {
	Dwarf_Attribute low, high, ranges;
	bool has_low, has_high, has_ranges;
};

static int gather_code(Dwarf_Attribute *attribute, void *context)
{
	struct code *code = context;

	switch (dwarf_whatattr(attribute)) {
	case DW_AT_low_pc:
		code->low = *attribute;
		code->has_low = true;
		break;
	case DW_AT_high_pc:
		code->high = *attribute;
		code->has_high = true;
		break;
	case DW_AT_ranges:
		code->ranges = *attribute;
		code->has_ranges = true;
		break;
	}
	return DWARF_CB_OK;
}

static bool contiguous_end(struct code *code, uint64_t start, uint64_t *ret)
{
	Dwarf_Word n;

	if (dwarf_formaddr(&code->high, ret) == 0)
		return true;
	if (dwarf_formudata(&code->high, &n) != 0)
		return false;
	*ret = start + n; /* DWARF 4: a length */
	return true;
}

static void give_range(struct unit *unit, uint64_t start, uint64_t end, range_fn *fn, void *context)
{
	if (unit->address_bytes < 8) {
		start &= UINT32_MAX;
		end &= UINT32_MAX;
	}
	if (start < end && (start != 0 || unit->image->zero_is_code))
		fn(context, start, end);
}

static uint64_t address_at_index(struct unit *unit, struct scan *from, uint64_t number)
{
	uint64_t base = unit->offset_bytes == 8 ? 16 : 8;

	if (!die_number(&unit->die, DW_AT_addr_base, &base))
		die_number(&unit->die, DW_AT_GNU_addr_base, &base);
	if (number > unit->image->addr.size) {
		from->is_bad = true;
		return 0;
	}
	struct scan in = image_scan(unit->image, unit->image->addr, base);
	scan_skip(&in, number * unit->address_bytes);
	uint64_t address = scan_fixed(&in, unit->address_bytes);
	from->is_bad |= in.is_bad;
	return address;
}

static void walk_old_ranges(struct unit *unit, struct scan *in, range_fn *fn, void *context)
{
	uint64_t base = unit->base, largest = unit->address_bytes < 8 ? UINT32_MAX : UINT64_MAX;

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
		*base = address_at_index(unit, in, scan_uleb(in));
		return true;
	case DW_RLE_startx_endx:
		*start = address_at_index(unit, in, scan_uleb(in));
		*end = address_at_index(unit, in, scan_uleb(in));
		return true;
	case DW_RLE_startx_length:
		*start = address_at_index(unit, in, scan_uleb(in));
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
	uint64_t base = unit->base, start, end;

	while (unit_spend(unit, 1) && read_range(unit, in, &base, &start, &end) && !in->is_bad)
		give_range(unit, start, end, fn, context);
}

static struct scan new_ranges_at(struct unit *unit, Dwarf_Attribute *attribute)
{
	const struct image *image = unit->image;
	uint64_t base = unit->offset_bytes == 8 ? 20 : 12, offset = UINT64_MAX;
	Dwarf_Word value;

	if (dwarf_formudata(attribute, &value) != 0)
		return image_scan(image, image->rnglists, UINT64_MAX);
	if (dwarf_whatform(attribute) != DW_FORM_rnglistx)
		return image_scan(image, image->rnglists, value);
	die_number(&unit->die, DW_AT_rnglists_base, &base);
	struct scan in = image_scan(image, image->rnglists, base);
	if (value <= image->rnglists.size) {
		scan_skip(&in, value * unit->offset_bytes);
		offset = base + scan_fixed(&in, unit->offset_bytes);
	}
	return image_scan(image, image->rnglists, in.is_bad ? UINT64_MAX : offset);
}

static void walk_ranges(struct unit *unit, Dwarf_Attribute *attribute, range_fn *fn, void *context)
{
	struct scan in;
	Dwarf_Word offset;

	if (unit->version >= 5) {
		in = new_ranges_at(unit, attribute);
		walk_new_ranges(unit, &in, fn, context);
	} else {
		in = image_scan(unit->image, unit->image->ranges,
		                dwarf_formudata(attribute, &offset) == 0 ? offset : UINT64_MAX);
		walk_old_ranges(unit, &in, fn, context);
	}
	if (in.is_bad)
		unit_note_damage(unit, "ranges of the unit");
}

bool ranges_each(struct unit *unit, Dwarf_Die *die, range_fn *fn, void *context)
{
	struct code code = {0};
	uint64_t start, end;

	dwarf_getattrs(die, gather_code, &code, 0);
	if (code.has_ranges) {
		walk_ranges(unit, &code.ranges, fn, context);
		return true;
	}
	if (!code.has_low || !code.has_high || dwarf_formaddr(&code.low, &start) != 0 ||
	    !contiguous_end(&code, start, &end))
		return false;
	give_range(unit, start, end, fn, context);
	return true;
}

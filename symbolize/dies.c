#include "symbolize/dies.h"

#include <dwarf.h>

static uint64_t offset_of(const struct dies *dies)
{
	return (uint64_t)(dies->in.at - dies->unit->image->pieces[PIECE_INFO].at);
}

struct dies dies_start(struct unit *unit, const struct abbrevs *abbrevs)
{
	struct dies dies = {unit, abbrevs, image_scan(unit->image, &unit->image->pieces[PIECE_INFO], unit->dies)};

	if (!dies.in.is_bad && unit->end - unit->dies < scan_left(&dies.in))
		dies.in.end = dies.in.at + (unit->end - unit->dies);
	return dies;
}

static bool damaged(struct dies *dies)
{
	unit_note_damage(dies->unit, "unit");
	dies->in.is_bad = true;
	return false;
}

bool dies_next(struct dies *dies, struct die *ret)
{
	if (!scan_left(&dies->in))
		return dies->in.is_bad && damaged(dies);
	ret->offset = offset_of(dies);
	uint64_t code = scan_uleb(&dies->in);
	ret->abbrev = code ? abbrevs_find(dies->abbrevs, code) : NULL;
	return (ret->abbrev || code == 0) && !dies->in.is_bad ? true : damaged(dies);
}

/* ---- attributes ---- */

/* False, with nothing read: it is no address. */
static bool read_address(struct dies *dies, uint64_t form, uint64_t *ret)
{
	struct scan *in = &dies->in;

	switch (form) {
	case DW_FORM_addr:
		*ret = scan_fixed(in, dies->unit->address_bytes);
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		*ret = unit_address(dies->unit, in, abbrevs_read_unsigned(dies->abbrevs, in, form));
		return true;
	default:
		return false;
	}
}

/* Constants, and offsets into other sections. False, with the value passed over: it is neither. */
static bool read_number(struct dies *dies, const struct abbrev_attribute *attribute, uint64_t form, uint64_t *ret)
{
	struct scan *in = &dies->in;

	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sec_offset:
	case DW_FORM_udata:
	case DW_FORM_rnglistx:
		*ret = abbrevs_read_unsigned(dies->abbrevs, in, form);
		return true;
	case DW_FORM_sdata:
		*ret = (uint64_t)scan_sleb(in);
		return true;
	case DW_FORM_implicit_const:
		*ret = (uint64_t)attribute->constant;
		return true;
	default:
		abbrevs_skip_form(dies->abbrevs, in, form);
		return false;
	}
}

static void read_high(struct dies *dies, const struct abbrev_attribute *attribute, uint64_t form, struct code *code)
{
	code->has_high = read_address(dies, form, &code->high);
	if (!code->has_high)
		code->has_high = code->high_is_length = read_number(dies, attribute, form, &code->high);
}

static uint64_t read_sibling(struct dies *dies, uint64_t form)
{
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return dies->unit->offset + abbrevs_read_unsigned(dies->abbrevs, &dies->in, form);
	default:
		abbrevs_skip_form(dies->abbrevs, &dies->in, form);
		return 0;
	}
}

uint64_t dies_code(struct dies *dies, const struct die *die, struct code *code)
{
	const struct abbrev_attribute *attribute = dies->abbrevs->attributes + die->abbrev->first;
	const struct abbrev_attribute *end = attribute + die->abbrev->n;
	uint64_t sibling = 0;

	*code = (struct code){0};
	for (; attribute < end; attribute += attribute->n_run ? attribute->n_run : 1) {
		uint64_t form = attribute->form;

		if (attribute->n_run) {
			scan_skip(&dies->in, attribute->run_bytes);
			continue;
		}
		while (form == DW_FORM_indirect && scan_left(&dies->in))
			form = scan_uleb(&dies->in);
		switch (attribute->name) {
		case DW_AT_low_pc:
			code->has_low = read_address(dies, form, &code->low);
			if (!code->has_low)
				abbrevs_skip_form(dies->abbrevs, &dies->in, form);
			break;
		case DW_AT_high_pc:
			read_high(dies, attribute, form, code);
			break;
		case DW_AT_ranges:
			code->ranges_is_index = form == DW_FORM_rnglistx;
			code->has_ranges = read_number(dies, attribute, form, &code->ranges);
			break;
		case DW_AT_sibling:
			sibling = read_sibling(dies, form);
			break;
		default:
			abbrevs_skip_form(dies->abbrevs, &dies->in, form);
		}
	}
	return sibling;
}

/* ---- passing over ---- */

static uint64_t sibling_ahead(const struct dies *dies, const struct abbrev *abbrev)
{
	struct scan in = dies->in;

	if (!abbrev->has_children || abbrev->sibling_at == ABBREV_VARIES)
		return 0;
	scan_skip(&in, abbrev->sibling_at);
	uint64_t distance = scan_fixed(&in, 4);
	return in.is_bad ? 0 : dies->unit->offset + distance;
}

uint64_t dies_skip(struct dies *dies, const struct die *die)
{
	const struct abbrev *abbrev = die->abbrev;
	const struct abbrev_attribute *attributes = dies->abbrevs->attributes + abbrev->first;
	uint64_t sibling = sibling_ahead(dies, abbrev);

	if (abbrev->n_bytes != ABBREV_VARIES) {
		scan_skip(&dies->in, abbrev->n_bytes);
		return sibling;
	}
	for (uint32_t i = 0; i < abbrev->n && !dies->in.is_bad;) {
		if (attributes[i].n_run) {
			scan_skip(&dies->in, attributes[i].run_bytes);
			i += attributes[i].n_run;
		} else {
			abbrevs_skip_form(dies->abbrevs, &dies->in, attributes[i++].form);
		}
	}
	return sibling;
}

/* False: it leads nowhere, or back. */
static bool jump(struct dies *dies, uint64_t sibling)
{
	uint64_t here = offset_of(dies);

	if (sibling <= here || sibling - here > scan_left(&dies->in))
		return false;
	dies->in.at += sibling - here;
	return true;
}

void dies_skip_children(struct dies *dies, uint64_t sibling)
{
	uint64_t depth = 1;
	struct die die;

	if (sibling && jump(dies, sibling))
		return;
	while (depth > 0 && dies_next(dies, &die)) {
		if (!die.abbrev) {
			depth--;
			continue;
		}
		sibling = dies_skip(dies, &die);
		if (die.abbrev->has_children && !(sibling && jump(dies, sibling)))
			depth++;
	}
}

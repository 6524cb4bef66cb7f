#include "symbolize/abbrevs.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	VARIES = -1,
	MOST_ATTRIBUTES = 256, /* of an abbreviation; those of compilers have some 30. Each DIE costs all of them */
};

/* ---- forms ---- */

/* The size of a value, where each of this form has the same; else VARIES. */
static int form_bytes(const struct abbrevs *abbrevs, uint64_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return (int)abbrevs->address_bytes;
	case DW_FORM_ref_addr:
		return (int)(abbrevs->version <= 2 ? abbrevs->address_bytes : abbrevs->offset_bytes);
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (int)abbrevs->offset_bytes;
	default:
		return VARIES;
	}
}

static void skip_varying(struct scan *in, uint64_t form)
{
	switch (form) {
	case DW_FORM_block1:
		scan_skip(in, scan_fixed(in, 1));
		break;
	case DW_FORM_block2:
		scan_skip(in, scan_fixed(in, 2));
		break;
	case DW_FORM_block4:
		scan_skip(in, scan_fixed(in, 4));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		scan_skip(in, scan_uleb(in));
		break;
	case DW_FORM_string:
		scan_string(in);
		break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		scan_uleb(in);
		break;
	default:
		in->is_bad = true;
	}
}

uint64_t abbrevs_read_unsigned(const struct abbrevs *abbrevs, struct scan *in, uint64_t form)
{
	int n = form_bytes(abbrevs, form);

	return n == VARIES ? scan_uleb(in) : scan_fixed(in, (unsigned)n);
}

void abbrevs_skip_form(const struct abbrevs *abbrevs, struct scan *in, uint64_t form)
{
	while (form == DW_FORM_indirect && scan_left(in))
		form = scan_uleb(in);
	int n = form_bytes(abbrevs, form);
	if (n == VARIES)
		skip_varying(in, form);
	else
		scan_skip(in, (unsigned)n);
}

/* ---- the table ---- */

static void add_attribute(struct abbrevs *abbrevs, struct abbrev *abbrev, const struct abbrev_attribute *attribute)
{
	int n = form_bytes(abbrevs, attribute->form);

	if (attribute->name == DW_AT_sibling && attribute->form == DW_FORM_ref4)
		abbrev->sibling_at = abbrev->n_bytes;
	if (n == VARIES)
		abbrev->n_bytes = ABBREV_VARIES;
	else if (abbrev->n_bytes != ABBREV_VARIES)
		abbrev->n_bytes += (unsigned)n;
	MEM_GROW(abbrevs->attributes, abbrevs->n_attributes, abbrevs->cap_attributes);
	abbrevs->attributes[abbrevs->n_attributes++] = *attribute;
	abbrev->n++;
}

static uint16_t small(uint64_t number)
{
	return number > UINT16_MAX ? UINT16_MAX : (uint16_t)number;
}

static void read_attributes(struct abbrevs *abbrevs, struct abbrev *abbrev, struct scan *in)
{
	while (scan_left(in) && abbrev->n <= MOST_ATTRIBUTES) {
		uint64_t name = scan_uleb(in), form = scan_uleb(in);
		struct abbrev_attribute attribute = {.name = small(name), .form = small(form)};

		if (name == 0 && form == 0)
			return;
		if (form == DW_FORM_implicit_const)
			attribute.constant = scan_sleb(in);
		add_attribute(abbrevs, abbrev, &attribute);
	}
	in->is_bad = true;
}

static bool is_wanted(unsigned name)
{
	return name == DW_AT_low_pc || name == DW_AT_high_pc || name == DW_AT_ranges || name == DW_AT_sibling;
}

static void make_runs(struct abbrevs *abbrevs, const struct abbrev *abbrev)
{
	uint32_t n = 0, bytes = 0;

	for (uint32_t i = abbrev->n; i-- > 0;) {
		struct abbrev_attribute *attribute = &abbrevs->attributes[abbrev->first + i];
		int size = form_bytes(abbrevs, attribute->form);

		if (size == VARIES || is_wanted(attribute->name)) {
			n = bytes = 0;
		} else {
			n++;
			bytes += (unsigned)size;
		}
		attribute->n_run = n;
		attribute->run_bytes = bytes;
	}
}

static void read_table(struct abbrevs *abbrevs, struct scan *in)
{
	uint64_t code;

	abbrevs->n = abbrevs->n_attributes = 0;
	abbrevs->is_dense = true;
	MEM_GROW(abbrevs->attributes, 0, abbrevs->cap_attributes); /* those without any have a place in it, too */
	while ((code = scan_uleb(in)) != 0 && abbrevs->n < UINT32_MAX - 1) {
		struct abbrev abbrev = {.code = code, .sibling_at = ABBREV_VARIES, .first = abbrevs->n_attributes};

		abbrev.tag = small(scan_uleb(in));
		abbrev.has_children = scan_fixed(in, 1) == DW_CHILDREN_yes;
		read_attributes(abbrevs, &abbrev, in);
		make_runs(abbrevs, &abbrev);
		MEM_GROW(abbrevs->at, abbrevs->n, abbrevs->cap);
		abbrevs->at[abbrevs->n++] = abbrev;
		abbrevs->is_dense &= code == abbrevs->n;
	}
}

/* Of two with one code the first counts, as for libdw. */
static int compare_codes(const void *left, const void *right)
{
	const struct abbrev *a = left, *b = right;

	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static bool are_of(const struct abbrevs *abbrevs, const struct unit *unit)
{
	return abbrevs->image == unit->image && abbrevs->offset == unit->abbrevs && abbrevs->version == unit->version &&
	       abbrevs->address_bytes == unit->address_bytes && abbrevs->offset_bytes == unit->offset_bytes;
}

bool abbrevs_read(struct abbrevs *abbrevs, const struct unit *unit)
{
	struct scan in = image_scan(unit->image, &unit->image->pieces[PIECE_ABBREV], unit->abbrevs);

	if (are_of(abbrevs, unit))
		return true;
	abbrevs->image = unit->image;
	abbrevs->offset = unit->abbrevs;
	abbrevs->version = unit->version;
	abbrevs->address_bytes = unit->address_bytes;
	abbrevs->offset_bytes = unit->offset_bytes;
	read_table(abbrevs, &in);
	if (!abbrevs->is_dense)
		qsort(abbrevs->at, abbrevs->n, sizeof *abbrevs->at, compare_codes);
	if (in.is_bad) {
		abbrevs->image = NULL;
		unit_note_damage(unit, "abbreviations of the unit");
	}
	return !in.is_bad;
}

/* One more at the most is counted. */
static uint64_t count_attributes(struct scan *in)
{
	uint64_t n = 0, name, form;

	do {
		name = scan_uleb(in);
		form = scan_uleb(in);
		if (form == DW_FORM_implicit_const)
			scan_sleb(in);
	} while ((name || form) && n++ < MOST_ATTRIBUTES && !in->is_bad);
	return n;
}

/* Beyond most: they are too many, or one has too many attributes. */
static uint64_t count(const struct unit *unit, uint64_t most)
{
	struct scan in = image_scan(unit->image, &unit->image->pieces[PIECE_ABBREV], unit->abbrevs);
	uint64_t n = 0;

	while (n <= most && scan_uleb(&in) != 0) {
		scan_uleb(&in);    /* its tag */
		scan_skip(&in, 1); /* whether it has children */
		uint64_t n_attributes = count_attributes(&in);
		if (n_attributes > MOST_ATTRIBUTES)
			return most + 1;
		n += 1 + n_attributes;
	}
	return n;
}

bool abbrevs_are_few(struct abbrevs_tally *tally, const struct unit *unit)
{
	enum { FREE = 4 << 20, FREE_UNITS = 32 << 10, BYTES_OF_UNIT = 32 };
	uint64_t size = unit->image->pieces[PIECE_INFO].size, most = FREE + size;

	if (unit->abbrevs != tally->last_offset || !tally->last_n)
		tally->last_n = count(unit, most);
	tally->last_offset = unit->abbrevs;
	tally->n += tally->last_n;
	return tally->n <= most && unit->number <= FREE_UNITS + size / BYTES_OF_UNIT;
}

void abbrevs_free(struct abbrevs *abbrevs)
{
	free(abbrevs->at);
	free(abbrevs->attributes);
}

const struct abbrev *abbrevs_find(const struct abbrevs *abbrevs, uint64_t code)
{
	uint32_t low = 0, high = abbrevs->n;

	if (abbrevs->is_dense)
		return code - 1 < abbrevs->n ? &abbrevs->at[code - 1] : NULL;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (abbrevs->at[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < abbrevs->n && abbrevs->at[low].code == code ? &abbrevs->at[low] : NULL;
}

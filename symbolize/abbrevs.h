/* The abbreviations of a unit: what its DIEs look like, made for passing over most of them. */
#pragma once

#include "symbolize/unit.h"

struct abbrev_attribute {
	uint16_t name, form;
	/* From this attribute on, how many can be passed over unread, and their bytes: those of fixed size that say nothing
	 * of code or siblings. 0: this one has to be looked at. */
	uint32_t n_run, run_bytes;
	int64_t constant; /* of DW_FORM_implicit_const */
};

enum { ABBREV_VARIES = UINT32_MAX };

struct abbrev {
	uint64_t code;
	uint32_t first, n;   /* a span of attributes */
	uint32_t n_bytes;    /* of the attributes of such a DIE; ABBREV_VARIES */
	uint32_t sibling_at; /* bytes before its DW_AT_sibling, of DW_FORM_ref4; ABBREV_VARIES: not so simple, or none */
	uint16_t tag;
	bool has_children;
};

struct abbrevs {
	struct abbrev *at;
	uint32_t n, cap;
	struct abbrev_attribute *attributes;
	uint32_t n_attributes, cap_attributes;
	bool is_dense; /* the code is the row's number, plus one */
	/* Whose they are. */
	const struct image *image;
	uint64_t offset;
	unsigned version, address_bytes, offset_bytes;
};

/* Reads those of the unit, unless they are there already from one that shares them. Begins as zeroed. False, with
 * damage: the table is cut. */
bool abbrevs_read(struct abbrevs *abbrevs, const struct unit *unit);
void abbrevs_free(struct abbrevs *abbrevs);

/* NULL: there is none. */
const struct abbrev *abbrevs_find(const struct abbrevs *abbrevs, uint64_t code);

/* What the tables of the units of a file cost that are read one after the other. */
struct abbrevs_tally {
	uint64_t n, last_offset, last_n;
};

/* Counts the unit's abbreviations and their attributes; begins as zeroed. libdw copies the whole table for each unit, and so
 * do we: many small units that share a large one cost n * m. False: it is more than compilers write, who need no more of them
 * than the DIEs of .debug_info have bytes; dwz lets units share tables, but not small ones. */
bool abbrevs_are_few(struct abbrevs_tally *tally, const struct unit *unit);

/* The number of a form whose values are unsigned ones of fixed size or ULEB128. */
uint64_t abbrevs_read_unsigned(const struct abbrevs *abbrevs, struct scan *in, uint64_t form);

/* Passes over a value of this form (DWARF 5, 7.5.6, and GNU's). */
void abbrevs_skip_form(const struct abbrevs *abbrevs, struct scan *in, uint64_t form);

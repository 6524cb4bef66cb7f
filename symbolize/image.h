/* The debug sections of a file as bounded bytes, and libdw's handle over them: checked, tamed, with the dwz file. */
#pragma once

#include "symbolize/find.h"
#include "symbolize/object.h"
#include "symbolize/scan.h"

#include <elfutils/libdw.h>

struct piece {
	const uint8_t *at; /* NULL: there is none */
	size_t size;
};

struct image {
	const char *path;
	Elf *elf;
	Dwarf *dwarf;
	struct diag *diag;
	bool is_big_endian;
	bool zero_is_code; /* else what lies at 0 was dropped by the linker */
	/* The sections that are read here too, and not by libdw alone. */
	struct piece info, abbrev, line, line_str, str, ranges, rnglists, addr;
	bool has_damage_note;
	/* Of steps through range lists and line programs, which units may share as they like. */
	uint64_t budget;
	struct image *alternate; /* the dwz file; NULL: none is named, or it was not found */
	struct object_file *alternate_file;
};

/* Into a zeroed image. Looks for the dwz alternate file with opts; that there is none is a note. The error names the
 * file: no DWARF that libdw takes, or sections beyond the limits. file, opts, diag and arena outlive the image.
 * image_close, also after an error. */
struct err *image_open(struct image *image, struct object_file *file, const struct find_opts *opts, struct diag *diag,
                       struct arena *arena) MUST_CHECK;
void image_close(struct image *image);

/* Bad when there is no such piece or the offset lies behind it. */
struct scan image_scan(const struct image *image, struct piece piece, uint64_t offset);
const char *image_string(const struct image *image, struct piece piece, uint64_t offset);

/* One note a file; offset is the unit's, in .debug_info. */
void image_note_damage(struct image *image, const char *what, uint64_t offset);

/* Takes steps from the budget. False, with a note: that unit has used up what was left. */
bool image_spend(struct image *image, uint64_t steps, uint64_t offset);

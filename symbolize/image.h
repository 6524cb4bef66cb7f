/* The debug sections of a file: read and inflated once, then shared by all threads. */
#pragma once

#include "symbolize/object.h"
#include "symbolize/scan.h"
#include "symbolize/unpack.h"

enum piece_name {
	PIECE_INFO,
	PIECE_ABBREV,
	PIECE_LINE,
	PIECE_LINE_STR,
	PIECE_STR,
	PIECE_STR_OFFSETS,
	PIECE_ADDR,
	PIECE_RANGES,
	PIECE_RNGLISTS,
	PIECE_CU_INDEX, /* of a package of split DWARF */
	N_PIECES,
};

/* ".debug_info" and so on. */
extern const char *const PIECE_NAMES[N_PIECES];

struct piece {
	const uint8_t *at; /* NULL: there is none; a NUL follows the bytes, so that each string in them ends */
	size_t size;
};

/* A section that is to be read: its bytes in the file. */
struct load {
	enum piece_name piece;
	const char *section;
	uint64_t offset, n_bytes;
	struct packed packed;
	uint8_t *plain; /* owned; NULL: there is no room yet */
};

struct image {
	const char *path;
	struct object_file *file;
	bool is_64, is_big_endian;
	bool zero_is_code; /* else what lies at 0 was dropped by the linker */
	struct piece pieces[N_PIECES];
	struct load loads[N_PIECES];
	uint32_t n_loads;
};

/* Into a zeroed image: lists the debug sections of the file whose names end in ending ("", or ".dwo" for those of split
 * DWARF). The error names the file: a section is compressed in a way that is not known, or beyond the limits. file
 * outlives the image. image_close, also after an error. */
struct err *image_open(struct image *image, struct object_file *file, const char *ending) MUST_CHECK;
void image_close(struct image *image);

/* Reads the sections, in parts that may be read side by side, when there is room for all. Sections are read by pread, so
 * that a file that shrinks is an error and not a signal; after an error the pieces are of no use. */
uint32_t image_n_parts(const struct image *image);
void image_make_room(struct image *image);
struct err *image_load(struct image *image, uint32_t part) MUST_CHECK;
struct err *image_load_all(struct image *image) MUST_CHECK;

/* Memory that the loads will take. */
uint64_t image_bytes(const struct image *image);

/* The error is for one that lacks a section without which there are no DIEs. */
struct err *image_check_dies(const struct image *image) MUST_CHECK;

/* Bad when there is no such piece or the offset lies behind it. */
struct scan image_scan(const struct image *image, const struct piece *piece, uint64_t offset);
const char *image_string(const struct image *image, enum piece_name piece, uint64_t offset);

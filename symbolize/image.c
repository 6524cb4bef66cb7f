#include "symbolize/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; an older one does nothing */
#endif

/* ---- what is to be read ---- */

const char *const PIECE_NAMES[N_PIECES] = {
	[PIECE_INFO] = ".debug_info",         [PIECE_ABBREV] = ".debug_abbrev", [PIECE_LINE] = ".debug_line",
	[PIECE_LINE_STR] = ".debug_line_str", [PIECE_STR] = ".debug_str",       [PIECE_STR_OFFSETS] = ".debug_str_offsets",
	[PIECE_ADDR] = ".debug_addr",         [PIECE_RANGES] = ".debug_ranges", [PIECE_RNGLISTS] = ".debug_rnglists",
	[PIECE_CU_INDEX] = ".debug_cu_index",
};

/* True for ".debug_info" and for GNU's older compressed ".zdebug_info". */
static bool is_debug(const char *section, const char *name, const char *ending)
{
	size_t n = strlen(name) - 1;

	if (*section != '.')
		return false;
	section += section[1] == 'z' ? 2 : 1;
	return strncmp(section, name + 1, n) == 0 && strcmp(section + n, ending) == 0;
}

static struct load *earlier_load(struct image *image, enum piece_name piece)
{
	for (uint32_t i = 0; i < image->n_loads; i++)
		if (image->loads[i].piece == piece)
			return &image->loads[i];
	return NULL;
}

static struct load *load_of(struct image *image, const char *section, const char *ending)
{
	for (enum piece_name piece = 0; piece < N_PIECES; piece++) {
		if (!is_debug(section, PIECE_NAMES[piece], piece == PIECE_CU_INDEX ? "" : ending))
			continue;
		struct load *load = earlier_load(image, piece);
		/* GCC gives each type a .debug_info.dwo of its own; that of the unit comes last. */
		if (load && !*ending)
			return NULL;
		if (!load)
			load = &image->loads[image->n_loads++];
		*load = (struct load){.piece = piece, .section = section};
		return load;
	}
	return NULL;
}

static struct err *read_bytes(const struct image *image, const struct load *load, uint64_t at, size_t n, uint8_t *to)
{
	if (object_read(image->file, load->offset + at, to, n))
		return NULL;
	return err_new("%s: expected a whole section %s", image->path, load->section);
}

static struct err *read_head(struct image *image, struct load *load, bool is_gabi)
{
	uint8_t head[UNPACK_HEAD];
	size_t n = load->n_bytes < sizeof head ? load->n_bytes : sizeof head;
	struct err *err = read_bytes(image, load, 0, n, head);

	if (err)
		return err;
	return unpack_head(image->path, load->section, head, load->n_bytes, is_gabi, image->is_64, image->is_big_endian,
	                   &load->packed);
}

static struct err *list_section(struct image *image, const struct section *section, const char *ending)
{
	struct load *load;

	image->zero_is_code |= section->is_code && section->vaddr == 0 && section->size > 0;
	/* One of type NULL is none: whatever else its header says was never held against the file. */
	if (section->type == SHT_NOBITS || section->type == SHT_NULL || section->size == 0 ||
	    !(load = load_of(image, section->name, ending)))
		return NULL;
	load->offset = section->offset;
	load->n_bytes = section->size;
	load->packed = (struct packed){.plain_bytes = section->size};
	if (!section->is_compressed && section->name[1] != 'z')
		return NULL;
	return read_head(image, load, section->is_compressed);
}

static int compare_loads(const void *left, const void *right)
{
	const struct load *a = left, *b = right;

	if (a->packed.plain_bytes != b->packed.plain_bytes)
		return a->packed.plain_bytes > b->packed.plain_bytes ? -1 : 1;
	return (a->piece > b->piece) - (a->piece < b->piece);
}

struct err *image_open(struct image *image, struct object_file *file, const char *ending)
{
	const struct sections *sections = object_sections(file);
	struct err *err = NULL;

	image->file = file;
	image->path = object_path(file);
	image->is_64 = object_is_64(file);
	image->is_big_endian = object_is_big_endian(file);
	for (uint32_t i = 1; i < sections->n && !err; i++)
		err = list_section(image, &sections->at[i], ending);
	/* The largest first: it takes longest, and the others are read beside it. */
	qsort(image->loads, image->n_loads, sizeof *image->loads, compare_loads);
	return err;
}

void image_close(struct image *image)
{
	for (uint32_t i = 0; i < image->n_loads; i++)
		free(image->loads[i].plain);
}

uint64_t image_bytes(const struct image *image)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < image->n_loads; i++)
		n += image->loads[i].packed.plain_bytes;
	return n;
}

/* ---- reading it ---- */

static struct err *read_packed(const struct image *image, const struct load *load)
{
	uint8_t *CLEANUP(mem_free_local) packed = mem_alloc(load->n_bytes, 1);
	struct err *err = read_bytes(image, load, 0, load->n_bytes, packed);

	if (err || unpack_into(&load->packed, packed, load->n_bytes, load->plain))
		return err;
	return err_new("%s: expected a section %s that can be inflated", image->path, load->section);
}

/* Of a section as it stands in the file any piece can be read by itself. One that is compressed is a single stream: its
 * other parts only get the memory ready in front of it, as much as debug sections expand to, and not what a bomb says. */
enum { PART_BYTES = 16 << 20, USUAL_RATIO = 8 };

static uint64_t n_bytes_in_parts(const struct load *load)
{
	uint64_t usual = load->n_bytes * USUAL_RATIO, all = load->packed.plain_bytes;

	return load->packed.packing == PACKING_NONE || all < usual ? all : usual;
}

static uint32_t n_parts_of(const struct load *load)
{
	uint64_t n = (n_bytes_in_parts(load) + PART_BYTES - 1) / PART_BYTES;

	return (uint32_t)(load->packed.packing == PACKING_NONE ? n : 1 + n);
}

/* Of no consequence but for time: a page that is there already when it is written to costs no fault. */
static void touch(uint8_t *plain, uint64_t n)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ((uintptr_t)plain + page - 1) & ~(page - 1);

	if (start < (uintptr_t)plain + n)
		madvise((void *)start, (uintptr_t)plain + n - start, MADV_POPULATE_WRITE);
}

uint32_t image_n_parts(const struct image *image)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < image->n_loads; i++)
		n += n_parts_of(&image->loads[i]);
	return n;
}

void image_make_room(struct image *image)
{
	for (uint32_t i = 0; i < image->n_loads; i++) {
		struct load *load = &image->loads[i];
		size_t n = load->packed.plain_bytes;

		load->plain = mem_alloc(n + 1, 1);
		load->plain[n] = '\0';
		image->pieces[load->piece] = (struct piece){load->plain, n};
	}
}

struct err *image_load(struct image *image, uint32_t part)
{
	const struct load *load = image->loads;

	for (; part >= n_parts_of(load); load++)
		part -= n_parts_of(load);
	bool is_packed = load->packed.packing != PACKING_NONE;
	if (is_packed && part == 0)
		return read_packed(image, load);
	uint64_t at = (uint64_t)(part - is_packed) * PART_BYTES, left = n_bytes_in_parts(load) - at;
	uint64_t n = left < PART_BYTES ? left : PART_BYTES;
	if (!is_packed)
		return read_bytes(image, load, at, n, load->plain + at);
	touch(load->plain + at, n);
	return NULL;
}

struct err *image_load_all(struct image *image)
{
	struct err *err = NULL;

	image_make_room(image);
	for (uint32_t i = 0; i < image_n_parts(image) && !err; i++)
		err = image_load(image, i);
	return err;
}

/* ---- the bytes ---- */

struct err *image_check_dies(const struct image *image)
{
	const char *lacking = !image->pieces[PIECE_INFO].at     ? ".debug_info"
	                      : !image->pieces[PIECE_ABBREV].at ? ".debug_abbrev"
	                                                        : NULL;

	return lacking ? err_new("%s: expected a section %s", image->path, lacking) : NULL;
}

struct scan image_scan(const struct image *image, const struct piece *piece, uint64_t offset)
{
	static const uint8_t nothing[1];
	struct scan in = {.at = nothing, .end = nothing, .is_big_endian = image->is_big_endian};

	in.is_bad = !piece->at || offset > piece->size;
	if (!in.is_bad) {
		in.at = piece->at + offset;
		in.end = piece->at + piece->size;
	}
	return in;
}

const char *image_string(const struct image *image, enum piece_name name, uint64_t offset)
{
	const struct piece *piece = &image->pieces[name];

	return offset < piece->size ? (const char *)piece->at + offset : "";
}

#include "symbolize/split.h"
#include "analyze/base/file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the package ---- */

static struct err *read_package(struct package *package, const char *path, int fd)
{
	struct err *err = object_open(fd, path, &package->file);

	if (!err)
		err = image_open(&package->image, package->file, ".dwo");
	return err ? err : image_load_all(&package->image);
}

bool package_open(struct package *package, struct binary *binary)
{
	const char *path;
	int fd;

	if (!find_split_package(binary->find, binary->is_program ? "" : binary->path, binary->path_used, binary->arena,
	                        &binary->diag, &path, &fd))
		return false;
	struct err *err = read_package(package, path, fd);
	if (!err)
		return true;
	diag_add(&binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
	err_free(err);
	return false;
}

void package_close(struct package *package)
{
	image_close(&package->image);
	object_close(package->file);
}

/* The tables of the index, each checked to lie in the section. */
struct cu_index {
	unsigned version;
	uint32_t n_columns, n_units, n_slots;
	struct scan ids, rows, columns, offsets, sizes;
};

static struct scan take_table(struct scan *in, uint64_t n, unsigned entry_bytes)
{
	struct scan table = *in;

	if (n > scan_left(in) / entry_bytes)
		in->is_bad = true;
	else
		scan_skip(in, n * entry_bytes);
	table.end = in->at;
	table.is_bad = in->is_bad;
	return table;
}

static bool read_index(const struct package *package, struct cu_index *ret)
{
	struct scan in = image_scan(&package->image, &package->image.pieces[PIECE_CU_INDEX], 0);
	struct scan version = in;

	/* Version 2 is a word, 5 half of one. */
	ret->version = (unsigned)scan_fixed(&version, 2);
	if (ret->version != 5)
		ret->version = (unsigned)scan_fixed(&in, 4);
	else
		scan_skip(&in, 4);
	ret->n_columns = (uint32_t)scan_fixed(&in, 4);
	ret->n_units = (uint32_t)scan_fixed(&in, 4);
	ret->n_slots = (uint32_t)scan_fixed(&in, 4);
	ret->ids = take_table(&in, ret->n_slots, 8);
	ret->rows = take_table(&in, ret->n_slots, 4);
	ret->columns = take_table(&in, ret->n_columns, 4);
	ret->offsets = take_table(&in, (uint64_t)ret->n_columns * ret->n_units, 4);
	ret->sizes = take_table(&in, (uint64_t)ret->n_columns * ret->n_units, 4);
	return !in.is_bad && (ret->version == 2 || ret->version == 5);
}

static uint64_t entry(const struct scan *table, uint64_t number, unsigned n_bytes)
{
	struct scan in = *table;

	scan_skip(&in, number * n_bytes);
	return scan_fixed(&in, n_bytes);
}

/* The row of the id, counted from 1; 0: it is not there. Slots are probed as the index was filled; in a full one that costs
 * all of them, for each unit. */
static uint32_t row_of(const struct cu_index *index, struct unit *skeleton, uint64_t id)
{
	uint64_t mask = (uint64_t)index->n_slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1;

	if (index->n_slots == 0 || (index->n_slots & mask) != 0)
		return 0;
	for (uint32_t i = 0; i < index->n_slots && unit_spend(skeleton, 1); i++, slot = (slot + step) & mask) {
		uint32_t row = (uint32_t)entry(&index->rows, slot, 4);

		if (row == 0)
			return 0;
		if (entry(&index->ids, slot, 8) == id)
			return row <= index->n_units ? row : 0;
	}
	return 0;
}

static enum piece_name piece_of_column(const struct cu_index *index, uint64_t column)
{
	switch (column) {
	case DW_SECT_INFO:
		return PIECE_INFO;
	case DW_SECT_ABBREV:
		return PIECE_ABBREV;
	case DW_SECT_STR_OFFSETS:
		return PIECE_STR_OFFSETS;
	case DW_SECT_RNGLISTS: /* in version 2 it is DW_SECT_MACRO */
		return index->version == 5 ? PIECE_RNGLISTS : N_PIECES;
	default:
		return N_PIECES;
	}
}

/* False: a part of the unit lies outside its section. */
static bool cut_pieces(const struct package *package, const struct cu_index *index, uint32_t row, struct piece *pieces)
{
	memcpy(pieces, package->image.pieces, sizeof package->image.pieces);
	for (uint32_t i = 0; i < index->n_columns; i++) {
		uint64_t at = (uint64_t)(row - 1) * index->n_columns + i;
		uint64_t offset = entry(&index->offsets, at, 4), size = entry(&index->sizes, at, 4);
		enum piece_name name = piece_of_column(index, entry(&index->columns, i, 4));

		if (name == N_PIECES || !pieces[name].at)
			continue;
		const struct piece *whole = &package->image.pieces[name];
		if (offset > whole->size || size > whole->size - offset)
			return false;
		pieces[name] = (struct piece){whole->at + offset, size};
	}
	return true;
}

static bool find_in_package(const struct package *package, struct unit *skeleton, uint64_t id, struct split_place *ret)
{
	struct cu_index index;

	if (!read_index(package, &index))
		return false;
	uint32_t row = row_of(&index, skeleton, id);
	ret->is_packed = row != 0 && unit_spend(skeleton, index.n_columns) && cut_pieces(package, &index, row, ret->pieces);
	ret->n_bytes = ret->pieces[PIECE_INFO].size;
	return ret->is_packed;
}

/* ---- the place ---- */

static const char *name_of(struct unit *skeleton)
{
	const char *name = die_string(&skeleton->die, DW_AT_dwo_name);

	return name ? name : die_string(&skeleton->die, DW_AT_GNU_dwo_name);
}

static bool find_file_of(struct unit *skeleton, struct binary *binary, struct split_place *ret)
{
	const char *folder = die_string(&skeleton->die, DW_AT_comp_dir);
	struct stat st;
	int fd;

	if (!*ret->name || !find_split_file(binary->find, binary->path_used, folder ? folder : "", ret->name, binary->arena,
	                                    &binary->diag, &ret->path, &fd))
		return false;
	bool is_known = fstat(fd, &st) == 0;
	close(fd); /* there may be more of them than files that can be open */
	if (!is_known)
		return false;
	ret->device = st.st_dev;
	ret->inode = st.st_ino;
	ret->n_bytes = (uint64_t)st.st_size;
	return true;
}

bool split_find(struct unit *skeleton, const struct package *package, struct binary *binary, struct split_place *ret)
{
	const char *name = name_of(skeleton);
	uint64_t id;

	*ret = (struct split_place){.name = name ? name : ""};
	if (package && unit_split_id(skeleton, &id) && find_in_package(package, skeleton, id, ret))
		return true;
	return find_file_of(skeleton, binary, ret);
}

/* ---- the unit ---- */

static struct err *open_file(struct split *split, const char *path)
{
	int fd;
	struct err *err = file_open_regular(path, &fd);

	if (!err)
		err = object_open(fd, path, &split->file);
	if (!err)
		err = image_open(&split->image, split->file, ".dwo");
	split->image.path = path; /* damage is told when the file is closed */
	return err ? err : image_load_all(&split->image);
}

/* The package owns the bytes. */
static void show_package(struct split *split, const struct package *package, const struct split_place *place)
{
	split->image = (struct image){
		.path = package->image.path,
		.is_64 = package->image.is_64,
		.is_big_endian = package->image.is_big_endian,
	};
	memcpy(split->image.pieces, place->pieces, sizeof place->pieces);
}

/* What the split unit leaves to the skeleton. */
static void take_bases(struct unit *unit, struct unit *skeleton)
{
	unit->bases.low = skeleton->bases.low;
	unit->bases.addr = skeleton->bases.addr;
	unit->bases.addr_base = skeleton->bases.addr_base;
	if (unit->version >= 5)
		return;
	unit->bases.ranges = skeleton->bases.ranges;
	die_number(&skeleton->die, DW_AT_GNU_ranges_base, &unit->bases.ranges_base);
}

static int compare_rows(const void *left, const void *right)
{
	const struct split_row *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Damage that is met on the way is of units that nobody asked for. */
static void list_rows(struct split *split)
{
	struct damage aside = {0};
	struct unit unit = {.image = &split->image, .handle = &split->handle, .damage = &aside};
	struct abbrevs_tally tally = {0};
	uint64_t id;

	while (unit_next(&unit) && abbrevs_are_few(&tally, &unit)) {
		if (!unit_split_id(&unit, &id))
			continue;
		MEM_GROW(split->rows, split->n_rows, split->cap_rows);
		split->rows[split->n_rows++] = (struct split_row){id, unit.offset, unit.number};
	}
	if (split->n_rows)
		qsort(split->rows, split->n_rows, sizeof *split->rows, compare_rows);
}

/* NULL: there is none. Of two with one id the first counts. */
static const struct split_row *row_at(const struct split *split, uint64_t id)
{
	uint32_t low = 0, high = split->n_rows;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (split->rows[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < split->n_rows && split->rows[low].id == id ? &split->rows[low] : NULL;
}

static bool find_unit(struct split *split, struct unit *skeleton)
{
	const struct split_row *row;
	uint64_t id;

	split->unit = (struct unit){.image = &split->image, .handle = &split->handle, .damage = skeleton->damage};
	if (!unit_split_id(skeleton, &id) || !(row = row_at(split, id)) || !unit_at(&split->unit, row->offset, row->number))
		return false;
	split->unit.number = skeleton->number;
	split->unit.budget = skeleton->budget + 16 * (split->unit.end - split->unit.offset);
	take_bases(&split->unit, skeleton);
	return true;
}

const char *split_open(struct split *split, const struct unit *skeleton, const struct split_place *place,
                       const struct package *package, struct arena *arena)
{
	struct err *err = NULL;

	if (place->is_packed)
		show_package(split, package, place);
	else
		err = open_file(split, place->path);
	split->image.zero_is_code = skeleton->image->zero_is_code;
	if (!err)
		err = image_check_dies(&split->image);
	if (!err)
		err = handle_open(&split->handle, &split->image);
	if (err) {
		const char *problem = arena_strndup(arena, err_text(err), strlen(err_text(err)));

		err_free(err);
		return problem;
	}
	list_rows(split);
	return NULL;
}

const char *split_go_to(struct split *split, struct unit *skeleton, const struct split_place *place,
                        struct arena *arena)
{
	if (find_unit(split, skeleton))
		return NULL;
	return arena_printf(arena, "%s: expected the unit of %s", place->path ? place->path : split->image.path,
	                    place->name);
}

void split_close(struct split *split)
{
	handle_close(&split->handle);
	image_close(&split->image);
	object_close(split->file);
	free(split->rows);
}

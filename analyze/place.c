/* Gives the locations of a source their places: a mapping, an object, an offset in its file. */
#include "analyze/base/file.h"
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

/* Programs at fixed addresses start at 4 MiB, where nothing else is ever mapped (x86-64 and i386 alike). */
enum { FIXED_BASE = 0x400000 };
enum { NO_SPOT = UINT32_MAX };

/* A row of the map in its final form, with what its neighbours say of it. */
struct spot {
	struct mapping mapping;
	map_id map; /* row 0: not executable, so not in the profile */
	bool lacks_file;
	uint64_t base;         /* where the object's file offset 0 lies, or UINT64_MAX */
	uint32_t below, above; /* the spots of files that border on the memory that this one is part of, or NO_SPOT */
};

/* The spots of a source, by address; those that are executable do not overlap. */
struct spots {
	const struct profile *p;
	struct spot *at;
	uint32_t n;
	uint32_t first_map, n_maps;
	uint32_t *of_map; /* by mapping of the source */
};

/* ---- from rows to spots ---- */

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = &((const struct map_row *)a)->mapping, *y = &((const struct map_row *)b)->mapping;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* For producers that write no offsets (FreeBSD, vmmap). */
static void set_offsets(const struct profile *p, struct map_row *rows, uint32_t n)
{
	uint64_t *first = mem_alloc(p->n_objects, sizeof *first);

	memset(first, 0xff, p->n_objects * sizeof *first);
	for (uint32_t i = 0; i < n; i++) {
		struct mapping *mapping = &rows[i].mapping;
		uint64_t *start = &first[mapping->object.row];

		if (mapping->start < *start)
			*start = mapping->start;
		mapping->guesses_offset = rows[i].lacks_offset;
		if (rows[i].lacks_offset)
			mapping->offset = mapping->object.row ? mapping->start - *start : 0;
	}
	free(first);
}

/* Adjoining pieces of one file are one mapping. */
static bool extends(const struct spot *last, const struct map_row *next)
{
	const struct mapping *a = &last->mapping, *b = &next->mapping;

	return last->map.row && !last->lacks_file && !next->lacks_file && a->object.row == b->object.row &&
	       a->limit == b->start && a->offset + (a->limit - a->start) == b->offset;
}

/* What lies below limit belongs to another row; false: nothing is left. */
static bool cut_below(struct mapping *mapping, uint64_t limit)
{
	if (mapping->limit <= limit)
		return false;
	if (mapping->start < limit) {
		mapping->offset += limit - mapping->start;
		mapping->start = limit;
	}
	return true;
}

static void add_spot(struct spots *spots, struct build *build, const struct map_row *row)
{
	struct spot *spot = &spots->at[spots->n++];

	*spot = (struct spot){.mapping = row->mapping, .lacks_file = row->lacks_file, .below = NO_SPOT, .above = NO_SPOT};
	if (row->executable)
		spot->map = build_map(build, &row->mapping);
}

static void add_spots(struct spots *spots, struct build *build, struct map_row *rows, uint32_t n)
{
	uint64_t limit = 0;

	spots->at = mem_alloc(n, sizeof *spots->at);
	for (uint32_t i = 0; i < n; i++) {
		struct spot *last = spots->n ? &spots->at[spots->n - 1] : NULL;

		if (rows[i].executable && !cut_below(&rows[i].mapping, limit))
			continue;
		if (rows[i].executable)
			limit = rows[i].mapping.limit;
		if (rows[i].executable && last && extends(last, &rows[i]))
			build->p->maps[last->map.row].limit = last->mapping.limit = limit;
		else
			add_spot(spots, build, &rows[i]);
	}
}

/* A file may be mapped more than once: each row goes by the nearest start of its file below it. */
static void set_bases(const struct spots *spots)
{
	uint32_t n_objects = spots->p->n_objects;
	uint64_t *base_of = mem_alloc(n_objects, sizeof *base_of);

	memset(base_of, 0xff, n_objects * sizeof *base_of);
	for (uint32_t i = 0; i < spots->n; i++) {
		struct spot *spot = &spots->at[i];

		if (spot->mapping.offset == 0)
			base_of[spot->mapping.object.row] = spot->mapping.start;
		spot->base = base_of[spot->mapping.object.row];
	}
	free(base_of);
}

/* ---- neighbours ---- */

static bool is_memory(const struct spot *spot)
{
	return spot->lacks_file && spot->map.row;
}

static bool is_file(const struct profile *p, const struct spot *spot)
{
	uint32_t object = spot->mapping.object.row;

	return object && !spot->lacks_file && p->objects[object].fate != OBJECT_SPECIAL;
}

static bool borders(const struct spot *low, const struct spot *high)
{
	return low->mapping.limit == high->mapping.start;
}

/* The file that borders on memory, directly or with more memory in between. */
static void find_neighbours(const struct spots *spots)
{
	struct spot *at = spots->at;

	for (uint32_t i = 1; i < spots->n; i++)
		if (is_memory(&at[i]) && borders(&at[i - 1], &at[i]))
			at[i].below = is_memory(&at[i - 1]) ? at[i - 1].below : is_file(spots->p, &at[i - 1]) ? i - 1 : NO_SPOT;
	for (uint32_t i = spots->n; i-- > 1;)
		if (is_memory(&at[i - 1]) && borders(&at[i - 1], &at[i]))
			at[i - 1].above = is_memory(&at[i]) ? at[i].above : is_file(spots->p, &at[i]) ? i : NO_SPOT;
}

static bool is_one_piece(const struct spot *low, const struct spot *high)
{
	return low->mapping.object.row == high->mapping.object.row &&
	       high->mapping.start - low->mapping.start == high->mapping.offset - low->mapping.offset;
}

/* Memory behind a file that is only data there is a program's own more likely than that file's text; if the file goes
 * on behind it, it is the text. */
static void drop_data_neighbours(const struct spots *spots)
{
	struct spot *at = spots->at;

	for (uint32_t i = 0; i < spots->n; i++) {
		uint32_t below = at[i].below, above = at[i].above;

		if (below != NO_SPOT && above != NO_SPOT && is_one_piece(&at[below], &at[above]))
			continue;
		if (below != NO_SPOT && !at[below].map.row)
			at[i].below = NO_SPOT;
		if (above != NO_SPOT && !at[above].map.row)
			at[i].above = NO_SPOT;
	}
}

static void index_maps(struct spots *spots)
{
	spots->of_map = mem_alloc(spots->n_maps, sizeof *spots->of_map);
	for (uint32_t i = 0; i < spots->n; i++)
		if (spots->at[i].map.row)
			spots->of_map[spots->at[i].map.row - spots->first_map] = i;
}

/* ---- from addresses to places ---- */

/* Snapshots of one process have the same program at the same place; libraries may come and go. */
static uint32_t hash_maps(const struct profile *p, const struct source *source)
{
	uint64_t hash = 0;

	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		const struct object *object = &p->objects[p->maps[i].object.row];
		const struct str *file = &p->strs[object->file.row];

		if (!p->maps[i].object.row || object->fate == OBJECT_SPECIAL || file_is_library(file->text))
			continue;
		hash = hash_pair(hash, hash_pair(p->maps[i].start, hash_bytes(file->text, file->length)));
	}
	return (uint32_t)hash;
}

/* base is where the file's offset 0 lies, or would lie. */
static uint64_t guess_vaddr(uint64_t addr, uint64_t base)
{
	return base == FIXED_BASE ? addr : addr - base;
}

static void place(struct location *loc, const struct spot *spot)
{
	const struct mapping *mapping = &spot->mapping;

	loc->map = spot->map;
	loc->object = mapping->object;
	if (!mapping->object.row)
		return;
	loc->offset = loc->addr - mapping->start + mapping->offset;
	loc->vaddr = guess_vaddr(loc->addr, spot->base == UINT64_MAX ? mapping->start - mapping->offset : spot->base);
}

/* The address is taken for a part of the neighbour's file. */
static void place_by_neighbour(struct location *loc, const struct spot *spot, const struct spot *neighbour)
{
	place(loc, neighbour);
	loc->in_hole = true;
	if (!loc->map.row)
		loc->map = spot->map;
}

/* A row's offset says how far down its file reaches. */
static bool reaches_down(const struct spot *spot, uint64_t addr)
{
	return spot->mapping.start - addr <= spot->mapping.offset;
}

static void place_in_memory(struct location *loc, const struct spots *spots, const struct spot *spot)
{
	if (spot->above != NO_SPOT && reaches_down(&spots->at[spot->above], loc->addr))
		place_by_neighbour(loc, spot, &spots->at[spot->above]);
	else if (spot->below != NO_SPOT)
		place_by_neighbour(loc, spot, &spots->at[spot->below]);
	else
		place(loc, spot);
}

/* The map may lack the first row of a file. */
static void place_below(struct location *loc, const struct spots *spots, const struct spot *spot)
{
	const struct spot *file = spot->above != NO_SPOT ? &spots->at[spot->above] : spot;

	if (is_file(spots->p, file) && reaches_down(file, loc->addr))
		place_by_neighbour(loc, spot, file);
}

/* The number of rows that start at or below the address. */
static uint32_t count_starts(const struct spots *spots, uint64_t addr)
{
	uint32_t low = 0, high = spots->n_maps;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (spots->at[spots->of_map[middle]].mapping.start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void place_loc(struct location *loc, const struct spots *spots)
{
	uint32_t n = count_starts(spots, loc->addr);
	const struct spot *last = n ? &spots->at[spots->of_map[n - 1]] : NULL;

	if (last && loc->addr < last->mapping.limit && is_memory(last))
		place_in_memory(loc, spots, last);
	else if (last && loc->addr < last->mapping.limit)
		place(loc, last);
	else if (n < spots->n_maps)
		place_below(loc, spots, &spots->at[spots->of_map[n]]);
}

loc_id build_placed_loc(struct build *build, uint64_t addr, map_id map)
{
	struct profile *p = build->p;
	uint32_t row = build_push_loc(build, &(struct location){.addr = addr, .offset = addr, .vaddr = addr, .map = map});
	struct location *loc = &p->locs[row];
	const struct mapping *m = &p->maps[map.row];

	/* In a mapping without a file, such as code that was compiled at run time, the address is all there is. */
	if (m->object.row) {
		loc->object = m->object;
		loc->offset = addr - m->start + m->offset;
		loc->vaddr = guess_vaddr(addr, m->start - m->offset);
	}
	return (loc_id){row};
}

void build_assign_maps(struct build *build, struct map_row *rows, uint32_t n_rows)
{
	struct profile *p = build->p;
	struct source *source = build_current_source(build);
	struct spots spots = {.p = p, .first_map = p->n_maps};

	if (n_rows)
		qsort(rows, n_rows, sizeof *rows, by_start);
	set_offsets(p, rows, n_rows);
	add_spots(&spots, build, rows, n_rows);
	spots.n_maps = p->n_maps - spots.first_map;
	set_bases(&spots);
	find_neighbours(&spots);
	drop_data_neighbours(&spots);
	index_maps(&spots);
	source->maps_hash = hash_maps(p, source);
	for (uint32_t i = build->first_loc; i < p->n_locs; i++)
		place_loc(&p->locs[i], &spots);
	free(spots.at);
	free(spots.of_map);
	build_fold(build);
}

/* Gives the locations of a source their places: a mapping, an object, an offset in its file. */
#include "analyze/base/file.h"
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

/* Programs at fixed addresses start at 4 MiB, where nothing else is ever mapped (x86-64 and i386 alike). */
enum { FIXED_BASE = 0x400000 };

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Snapshots of one process have the same program at the same place; libraries may come and go. */
static uint32_t hash_maps(const struct profile *p, const struct source *source)
{
	uint64_t hash = 0;

	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		const struct object *object = &p->objects[p->maps[i].object.row];
		const struct str *file = &p->strs[object->file.row];

		if (object->fate == OBJECT_SPECIAL || file_is_library(file->text))
			continue;
		hash = hash_pair(hash, hash_pair(p->maps[i].start, hash_bytes(file->text, file->length)));
	}
	return (uint32_t)hash;
}

static void assign_map(struct profile *p, struct location *loc, map_id map, const uint64_t *base_of)
{
	const struct mapping *m = &p->maps[map.row];

	loc->map = map;
	if (!map.row)
		return;
	loc->object = m->object;
	loc->offset = loc->addr - m->start + m->offset;
	uint64_t base = base_of[m->object.row];
	loc->vaddr = base == UINT64_MAX ? loc->offset : base == FIXED_BASE ? loc->addr : loc->addr - base;
}

/* The first of the source's rows that starts above the address; one past the last: none does. */
static uint32_t first_above(const struct profile *p, const struct source *source, uint64_t addr)
{
	uint32_t low = source->first_map, high = source->first_map + source->n_maps;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (p->maps[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The row that holds the address. Text that was remapped (huge pages) or whose first row is missing lies below a row of
 * its file: the row's offset says how far down the file reaches. */
static map_id find_map(const struct profile *p, const struct source *source, uint64_t addr)
{
	uint32_t above = first_above(p, source, addr);

	if (above > source->first_map && addr < p->maps[above - 1].limit)
		return (map_id){above - 1};
	if (above == source->first_map + source->n_maps)
		return (map_id){0};
	return p->maps[above].start - addr <= p->maps[above].offset ? (map_id){above} : (map_id){0};
}

loc_id build_placed_loc(struct build *build, uint64_t addr, map_id map)
{
	struct profile *p = build->p;
	uint32_t row = build_push_loc(build, &(struct location){.addr = addr, .offset = addr, .vaddr = addr});

	if (map.row) {
		struct location *loc = &p->locs[row];
		const struct mapping *m = &p->maps[map.row];

		loc->map = map;
		loc->object = m->object;
		loc->offset = addr - m->start + m->offset;
		loc->vaddr = m->start - m->offset == FIXED_BASE ? addr : loc->offset;
	}
	return (loc_id){row};
}

void build_assign_maps(struct build *build, const uint64_t *base_of)
{
	struct profile *p = build->p;
	struct source *source = build_current_source(build);

	qsort(p->maps + source->first_map, source->n_maps, sizeof *p->maps, by_start);
	source->maps_hash = hash_maps(p, source);
	for (uint32_t i = build->first_loc; i < p->n_locs; i++)
		assign_map(p, &p->locs[i], find_map(p, source, p->locs[i].addr), base_of);
	build_fold(build);
}

/* Gives the locations of a source their places: a mapping, an object, an offset in its file. */
#include "analyze/base/file.h"
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

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
	/* Programs at fixed addresses start at 4 MiB, where nothing else is ever mapped (x86-64 and i386 alike). */
	loc->vaddr = base == UINT64_MAX ? loc->offset : base == 0x400000 ? loc->addr : loc->addr - base;
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

struct loc_key {
	const struct profile *p;
	object_id object;
	uint64_t offset;
};

static bool same_loc(const void *context, uint32_t row)
{
	const struct loc_key *key = context;
	const struct location *loc = &key->p->locs[row];

	return loc->object.row == key->object.row && loc->offset == key->offset;
}

uint32_t build_find_key(const struct build *build, object_id object, uint64_t offset)
{
	struct loc_key key = {build->p, object, offset};

	return index_find(&build->key_index, hash_pair(object.row, offset), same_loc, &key);
}

void build_add_key(struct build *build, uint32_t row)
{
	const struct location *loc = &build->p->locs[row];

	index_add(&build->key_index, hash_pair(loc->object.row, loc->offset), row);
}

/* Stacks are interned by their frames, so frames that changed mean new stacks; the samples move along. */
static void refold(struct build *build, const uint32_t *loc_to)
{
	struct profile *p = build->p;
	struct profile old = *p;

	p->frames = NULL;
	p->stacks = NULL;
	p->sample_stacks = NULL;
	p->values = NULL;
	p->n_frames = p->n_stacks = p->n_samples = 0;
	build->caps.frames = build->caps.stacks = build->caps.samples = 0;
	index_free(&build->stack_index);
	free(build->sample_of);
	build->sample_of = NULL;
	build->sample_of_cap = 0;
	build_stack(build, NULL, 0);
	for (uint32_t i = 0; i < old.n_frames; i++)
		old.frames[i].row = loc_to[old.frames[i].row];
	for (uint32_t i = 0; i < old.n_samples; i++) {
		const struct stack *stack = &old.stacks[old.sample_stacks[i].row];

		build_sample(build, build_stack(build, old.frames + stack->first, stack->n),
		             old.values + (size_t)i * old.n_types);
	}
	free(old.frames);
	free(old.stacks);
	free(old.sample_stacks);
	free(old.values);
}

/* One object mapped twice: two addresses are one location. */
void build_fold_locations(struct build *build)
{
	struct profile *p = build->p;
	uint32_t *loc_to = mem_alloc(p->n_locs, sizeof *loc_to);
	bool any = false;

	for (uint32_t row = 0; row < p->n_locs; row++) {
		uint32_t found = build_find_key(build, p->locs[row].object, p->locs[row].offset);

		loc_to[row] = row && found != INDEX_NONE ? found : row;
		any |= loc_to[row] != row;
		if (row && loc_to[row] == row)
			build_add_key(build, row);
	}
	if (any)
		refold(build, loc_to);
	free(loc_to);
	build->keys_are_known = true;
}

void build_assign_maps(struct build *build, const uint64_t *base_of)
{
	struct profile *p = build->p;
	struct source *source = build_current_source(build);

	qsort(p->maps + source->first_map, source->n_maps, sizeof *p->maps, by_start);
	source->maps_hash = hash_maps(p, source);
	for (uint32_t i = build->first_loc; i < p->n_locs; i++)
		assign_map(p, &p->locs[i], find_map(p, source, p->locs[i].addr), base_of);
	build_fold_locations(build);
}

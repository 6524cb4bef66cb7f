#include "render/raw_maps.h"

#include "analyze/base/index.h"

#include <stdlib.h>

/* Programs at fixed addresses start at 4 MiB. google/pprof shows the first mapping of a text map from there, whatever
 * part of it the map has. */
enum { FIXED_BASE = 0x400000 };

struct listing {
	const struct report *report;
	const struct profile *profile;
	struct raw_maps *maps;
	struct index index;
};

/* ---- which mappings ---- */

struct map_key {
	const struct raw_maps *maps;
	const struct raw_map *map;
};

/* Inputs of one program share its mappings, wherever each of them had them. */
static bool same_map(const void *context, uint32_t at)
{
	const struct map_key *key = context;
	const struct raw_map *map = &key->maps->items[at];

	return map->source != key->map->source && map->object.row == key->map->object.row &&
	       map->offset == key->map->offset && map->limit - map->start == key->map->limit - key->map->start;
}

static void add_map(struct listing *listing, uint32_t row, uint32_t source)
{
	const struct mapping *map = &listing->profile->maps[row];
	struct raw_maps *maps = listing->maps;
	struct raw_map item = {
		.start = map->start,
		.limit = map->limit,
		.offset = map->offset,
		.object = map->object,
		.source = source,
		.is_text = map->line != 0,
		.file = profile_text(listing->profile, listing->profile->objects[map->object.row].file),
	};
	struct map_key key = {maps, &item};
	uint64_t hash = hash_pair(map->object.row, hash_pair(map->offset, map->limit - map->start));
	uint32_t at = index_find(&listing->index, hash, same_map, &key);

	if (at == INDEX_NONE) {
		at = maps->n++;
		maps->items[at] = item;
		index_add(&listing->index, hash, at);
	}
	maps->items[at].has_functions |= map->has_functions;
	maps->items[at].has_files |= map->has_files;
	maps->items[at].has_lines |= map->has_lines;
	maps->items[at].has_inlines |= map->has_inlines;
	maps->number_of[row] = at + 1;
	maps->moves[row] = maps->items[at].start - map->start;
}

static bool is_unmapped(const struct location *loc)
{
	return !loc->map.row && loc->addr;
}

/* google/pprof lists what lies in no mapping as one of the whole address space, the program where there is no other. */
static void add_whole_space(struct listing *listing, const loc_id *locs, uint32_t n_locs)
{
	struct raw_maps *maps = listing->maps;
	const char *path = listing->report->opts.path;
	uint32_t i = 0;

	while (i < n_locs && !is_unmapped(&listing->profile->locs[locs[i].row]))
		i++;
	if (i == n_locs)
		return;
	maps->items[maps->n] = (struct raw_map){.limit = UINT64_MAX, .file = !maps->n && path ? path : ""};
	maps->number_of[0] = ++maps->n;
}

/* ---- their order ---- */

static void put_program_first(struct listing *listing)
{
	const struct profile *p = listing->profile;
	struct raw_maps *maps = listing->maps;
	uint32_t at = 0;

	while (at < maps->n && (!p->program.row || maps->items[at].object.row != p->program.row))
		at++;
	if (at == maps->n)
		return;
	struct raw_map first = maps->items[0];
	maps->items[0] = maps->items[at];
	maps->items[at] = first;
	if (listing->report->opts.path)
		maps->items[0].file = listing->report->opts.path;
	for (uint32_t row = 0; row < p->n_maps; row++) {
		uint32_t *number = &maps->number_of[row];

		*number = *number == at + 1 ? 1 : *number == 1 ? at + 1 : *number;
	}
}

/* ---- what they hold ---- */

static void say_lines(struct raw_map *map, const struct profile *p, const struct location *loc)
{
	for (uint32_t i = loc->first_line; i < loc->first_line + loc->n_lines; i++) {
		const struct function *func = &p->funcs[p->lines[i].func.row];

		map->has_functions |= func->name.row != 0;
		map->has_files |= func->file.row != 0;
		map->has_lines |= p->lines[i].line != 0;
	}
}

/* Names that a profile.proto brings along are told by its own mapping. google/pprof's symbolizer looks for inlined
 * functions wherever it looks at all. */
static void say_names(struct raw_map *map, const struct profile *p, const struct location *loc)
{
	bool is_symbolized = !loc->object.row || p->objects[loc->object.row].fate == OBJECT_FOUND;

	if (!loc->n_lines || !(loc->is_hint || is_symbolized))
		return;
	say_lines(map, p, loc);
	map->has_inlines |= !loc->is_hint || loc->n_lines > 1;
}

/* A location below a mapping's start lies in a part of it that the map has not. */
static void extend_down(struct raw_map *map, uint64_t addr)
{
	if (addr >= map->start)
		return;
	map->start -= map->offset;
	map->offset = 0;
}

static void widen_first(struct raw_maps *maps)
{
	if (!maps->n || !maps->items[0].is_text || maps->items[0].start - maps->items[0].offset != FIXED_BASE)
		return;
	maps->items[0].start = FIXED_BASE;
	maps->items[0].offset = 0;
}

static void say_what_they_hold(struct listing *listing, const loc_id *locs, uint32_t n_locs)
{
	const struct profile *p = listing->profile;

	for (uint32_t i = 0; i < n_locs; i++) {
		const struct location *loc = &p->locs[locs[i].row];
		uint32_t number = raw_maps_number(listing->maps, loc);

		if (!number)
			continue;
		say_names(&listing->maps->items[number - 1], p, loc);
		extend_down(&listing->maps->items[number - 1], loc->addr + listing->maps->moves[loc->map.row]);
	}
}

void raw_maps_list(const struct report *report, const loc_id *locs, uint32_t n_locs, struct raw_maps *ret)
{
	const struct profile *p = report->profile;
	struct listing listing = {.report = report, .profile = p, .maps = ret};

	*ret = (struct raw_maps){.items = mem_zalloc((size_t)p->n_maps + 1, sizeof *ret->items),
	                         .number_of = mem_zalloc(p->n_maps, sizeof *ret->number_of),
	                         .moves = mem_zalloc(p->n_maps, sizeof *ret->moves)};
	for (uint32_t i = 0; i < p->n_sources; i++)
		for (uint32_t row = p->sources[i].first_map; row < p->sources[i].first_map + p->sources[i].n_maps; row++)
			add_map(&listing, row, i);
	add_whole_space(&listing, locs, n_locs);
	put_program_first(&listing);
	widen_first(ret);
	say_what_they_hold(&listing, locs, n_locs);
	index_free(&listing.index);
}

void raw_maps_free(struct raw_maps *maps)
{
	free(maps->items);
	free(maps->number_of);
	free(maps->moves);
	*maps = (struct raw_maps){0};
}

uint32_t raw_maps_number(const struct raw_maps *maps, const struct location *loc)
{
	return loc->map.row || loc->addr ? maps->number_of[loc->map.row] : 0;
}

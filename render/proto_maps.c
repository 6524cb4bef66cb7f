#include "render/proto_maps.h"

#include <stdlib.h>

/* Where programs at fixed addresses begin. */
static const uint64_t FIXED_BASE = 0x400000;

/* ---- which there are ---- */

struct map_key {
	const struct proto_maps *maps;
	const struct mapping *map;
	uint32_t source;
};

/* Inputs of one program share its mappings, wherever each of them had them. */
static bool same_map(const void *context, uint32_t at)
{
	const struct map_key *key = context;
	const struct proto_map *written = &key->maps->items[at];
	const struct mapping *a = &written->map, *b = key->map;

	return written->source != key->source && a->object.row == b->object.row && a->offset == b->offset &&
	       a->limit - a->start == b->limit - b->start;
}

static void add_flags(struct mapping *to, const struct mapping *from)
{
	to->has_functions |= from->has_functions;
	to->has_files |= from->has_files;
	to->has_lines |= from->has_lines;
	to->has_inlines |= from->has_inlines;
}

static uint32_t push_map(struct proto_maps *maps, const struct mapping *map, uint32_t source)
{
	MEM_GROW(maps->items, maps->n, maps->cap);
	maps->items[maps->n++] = (struct proto_map){.map = *map, .source = source};
	if (!maps->id_of_object[map->object.row])
		maps->id_of_object[map->object.row] = maps->n;
	return maps->n - 1;
}

static void add_map(struct proto_maps *maps, uint32_t row, uint32_t source)
{
	const struct mapping *map = &maps->p->maps[row];
	struct map_key key = {maps, map, source};
	uint64_t hash = hash_pair(map->object.row, hash_pair(map->offset, map->limit - map->start));
	uint32_t found = index_find(&maps->index, hash, same_map, &key);

	if (found == INDEX_NONE) {
		found = push_map(maps, map, source);
		index_add(&maps->index, hash, found);
	}
	add_flags(&maps->items[found].map, map);
	maps->id_of_map[row] = found + 1;
}

/* Text that was remapped whole leaves a file no mapping of its own. It gets one from where the file would begin. */
static void add_missing_maps(struct proto_maps *maps)
{
	for (uint32_t i = 1; i < maps->p->n_locs; i++) {
		const struct location *loc = &maps->p->locs[i];
		uint64_t base = loc->addr - loc->offset;

		if (loc->object.row && !maps->id_of_object[loc->object.row])
			push_map(maps, &(struct mapping){.start = base, .limit = base + 1, .object = loc->object},
			         maps->p->n_sources);
	}
}

/* The first mapping is taken for the main program's: the two change places. */
static void put_program_first(struct proto_maps *maps)
{
	uint32_t id = maps->id_of_object[maps->p->program.row];

	if (!maps->p->program.row || id < 2) /* it is not known, has no mapping or stands first */
		return;
	struct proto_map first = maps->items[0];
	maps->items[0] = maps->items[id - 1];
	maps->items[id - 1] = first;
	for (uint32_t i = 0; i < maps->p->n_maps; i++)
		if (maps->id_of_map[i] == 1 || maps->id_of_map[i] == id)
			maps->id_of_map[i] = maps->id_of_map[i] == id ? 1 : id;
	maps->id_of_object[maps->p->program.row] = 1;
	maps->id_of_object[first.map.object.row] = id;
}

void proto_maps_init(struct proto_maps *maps, const struct profile *profile)
{
	*maps = (struct proto_maps){.p = profile};
	maps->id_of_map = mem_zalloc(profile->n_maps, sizeof *maps->id_of_map);
	maps->id_of_object = mem_zalloc(profile->n_objects, sizeof *maps->id_of_object);
	for (uint32_t i = 0; i < profile->n_sources; i++) {
		const struct source *source = &profile->sources[i];

		for (uint32_t row = source->first_map; row < source->first_map + source->n_maps; row++)
			add_map(maps, row, i);
	}
	add_missing_maps(maps);
	put_program_first(maps);
}

void proto_maps_free(struct proto_maps *maps)
{
	free(maps->items);
	free(maps->id_of_map);
	free(maps->id_of_object);
	index_free(&maps->index);
}

/* ---- what lies in them ---- */

/* What was placed by its neighbour is written as a part of that one's mapping. */
uint32_t proto_maps_id(const struct proto_maps *maps, const struct location *loc)
{
	uint32_t own = maps->id_of_map[loc->map.row];

	if (own && maps->items[own - 1].map.object.row == loc->object.row)
		return own;
	return loc->object.row ? maps->id_of_object[loc->object.row] : 0;
}

uint64_t proto_maps_addr(const struct proto_maps *maps, const struct location *loc)
{
	uint32_t id = proto_maps_id(maps, loc);

	if (!id)
		return loc->addr;
	const struct mapping *map = &maps->items[id - 1].map;
	if (loc->object.row)
		return map->start + (loc->offset - map->offset);
	return map->start + (loc->addr - maps->p->maps[loc->map.row].start);
}

/* Names that a profile.proto brought along are told of by its own mapping. In what was symbolized here, inlined functions
 * were looked for. */
static void note_names(struct mapping *map, const struct profile *p, const struct location *loc,
                       struct view_lines lines)
{
	if (lines.first == lines.end || !(loc->is_hint || p->objects[loc->object.row].fate == OBJECT_FOUND))
		return;
	map->has_inlines |= !loc->is_hint || loc->n_lines > 1;
	for (uint32_t i = lines.first; i < lines.end; i++) {
		const struct function *func = &p->funcs[p->lines[i].func.row];

		map->has_functions |= func->name.row != 0;
		map->has_files |= func->file.row != 0;
		map->has_lines |= p->lines[i].line != 0;
	}
}

void proto_maps_note(struct proto_maps *maps, const struct location *loc, struct view_lines lines)
{
	uint32_t id = proto_maps_id(maps, loc);

	if (!id)
		return;
	struct proto_map *map = &maps->items[id - 1];
	uint64_t addr = proto_maps_addr(maps, loc);
	map->reaches_below |= addr < map->map.start;
	if (addr > map->highest)
		map->highest = addr;
	note_names(&map->map, maps->p, loc, lines);
}

/* ---- writing ---- */

/* A mapping reaches to all its locations: some lie in its file's rest, of which the map says nothing. And as google/pprof
 * does with the rows of a text map, the program begins where its file does when that is where programs are linked to. */
static struct mapping reach_out(const struct proto_map *map, bool is_first)
{
	struct mapping reached = map->map;
	uint64_t base = reached.start - reached.offset;

	if (map->reaches_below || (is_first && reached.line && base == FIXED_BASE)) {
		reached.start = base;
		reached.offset = 0;
	}
	if (reached.limit && reached.limit <= map->highest)
		reached.limit = map->highest + 1;
	return reached;
}

static void put_map(const struct proto_maps *maps, uint32_t at, struct proto_out *to)
{
	const struct mapping reached = reach_out(&maps->items[at], at == 0);
	const struct object *object = &maps->p->objects[reached.object.row];
	str_id build_id = object->build_id.row ? object->build_id : object->used_build_id;
	struct pb_writer *message = &to->message;

	pb_writer_clear(message);
	pb_put_number(message, MAPPING_ID, (uint64_t)at + 1);
	pb_put_number(message, MAPPING_MEMORY_START, reached.start);
	pb_put_number(message, MAPPING_MEMORY_LIMIT, reached.limit);
	pb_put_number(message, MAPPING_FILE_OFFSET, reached.offset);
	pb_put_number(message, MAPPING_FILENAME, proto_out_str(to, profile_text(maps->p, object->file)));
	pb_put_number(message, MAPPING_BUILD_ID, proto_out_str(to, profile_text(maps->p, build_id)));
	pb_put_number(message, MAPPING_HAS_FUNCTIONS, reached.has_functions);
	pb_put_number(message, MAPPING_HAS_FILENAMES, reached.has_files);
	pb_put_number(message, MAPPING_HAS_LINE_NUMBERS, reached.has_lines);
	pb_put_number(message, MAPPING_HAS_INLINE_FRAMES, reached.has_inlines);
	pb_put_message(&to->profile, PROFILE_MAPPING, message);
}

void proto_maps_put(const struct proto_maps *maps, struct proto_out *to)
{
	for (uint32_t i = 0; i < maps->n; i++)
		put_map(maps, i, to);
}

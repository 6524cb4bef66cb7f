#include "render/proto_maps.h"

#include <stdlib.h>

/* ---- which there are ---- */

/* Text that was remapped whole leaves a file no mapping of its own. It gets one from where the file would begin. */
static void add_missing_maps(struct proto_maps *maps)
{
	const struct profile *p = maps->list.p;

	for (uint32_t i = 1; i < p->n_locs; i++) {
		const struct location *loc = &p->locs[i];
		uint32_t *id = &maps->id_of_object[loc->object.row];
		uint64_t base = loc->addr - loc->offset;

		if (loc->object.row && !*id)
			*id =
				map_list_push(&maps->list, &(struct mapping){.start = base, .limit = base + 1, .object = loc->object});
	}
}

static void put_program_first(struct proto_maps *maps)
{
	uint32_t *program = &maps->id_of_object[maps->list.p->program.row], id = *program;

	if (!maps->list.p->program.row || id < 2) /* it is not known, has no mapping or stands first */
		return;
	maps->id_of_object[maps->list.items[0].map.object.row] = id;
	*program = 1;
	map_list_put_first(&maps->list, id);
}

void proto_maps_init(struct proto_maps *maps, const struct profile *profile)
{
	map_list_init(&maps->list, profile);
	maps->id_of_object = mem_zalloc(profile->n_objects, sizeof *maps->id_of_object);
	for (uint32_t i = maps->list.n; i-- > 0;)
		maps->id_of_object[maps->list.items[i].map.object.row] = i + 1;
	add_missing_maps(maps);
	put_program_first(maps);
}

void proto_maps_free(struct proto_maps *maps)
{
	map_list_free(&maps->list);
	free(maps->id_of_object);
}

/* ---- what lies in them ---- */

/* What was placed by its neighbour is written as a part of that one's mapping. */
uint32_t proto_maps_id(const struct proto_maps *maps, const struct location *loc)
{
	uint32_t own = maps->list.number_of[loc->map.row];

	if (own && maps->list.items[own - 1].map.object.row == loc->object.row)
		return own;
	return loc->object.row ? maps->id_of_object[loc->object.row] : 0;
}

uint64_t proto_maps_addr(const struct proto_maps *maps, const struct location *loc)
{
	uint32_t id = proto_maps_id(maps, loc);

	if (!id)
		return loc->addr;
	const struct mapping *map = &maps->list.items[id - 1].map;
	if (loc->object.row)
		return map->start + (loc->offset - map->offset);
	return map->start + (loc->addr - maps->list.p->maps[loc->map.row].start);
}

void proto_maps_note(struct proto_maps *maps, const struct location *loc, struct view_lines lines)
{
	uint32_t id = proto_maps_id(maps, loc);
	bool is_symbolized = maps->list.p->objects[loc->object.row].fate == OBJECT_FOUND;

	if (!id)
		return;
	map_list_reach(&maps->list, id, proto_maps_addr(maps, loc));
	/* Names that a profile.proto brought along are told of by its own mapping. */
	if (lines.first < lines.end && (loc->is_hint || is_symbolized))
		map_list_note_names(&maps->list, id, loc, lines);
}

/* ---- writing ---- */

static void put_map(const struct proto_maps *maps, uint32_t id, struct proto_out *to)
{
	const struct profile *p = maps->list.p;
	struct mapping map = map_list_extent(&maps->list, id);
	const struct object *object = &p->objects[map.object.row];
	str_id build_id = object->build_id.row ? object->build_id : object->used_build_id;
	uint64_t highest = maps->list.items[id - 1].highest;
	struct pb_writer *message = &to->message;

	if (map.limit && map.limit <= highest)
		map.limit = highest + 1;
	pb_writer_clear(message);
	pb_put_number(message, MAPPING_ID, id);
	pb_put_number(message, MAPPING_MEMORY_START, map.start);
	pb_put_number(message, MAPPING_MEMORY_LIMIT, map.limit);
	pb_put_number(message, MAPPING_FILE_OFFSET, map.offset);
	pb_put_number(message, MAPPING_FILENAME, proto_out_str(to, profile_text(p, object->file)));
	pb_put_number(message, MAPPING_BUILD_ID, proto_out_str(to, profile_text(p, build_id)));
	pb_put_number(message, MAPPING_HAS_FUNCTIONS, map.has_functions);
	pb_put_number(message, MAPPING_HAS_FILENAMES, map.has_files);
	pb_put_number(message, MAPPING_HAS_LINE_NUMBERS, map.has_lines);
	pb_put_number(message, MAPPING_HAS_INLINE_FRAMES, map.has_inlines);
	pb_put_message(&to->profile, PROFILE_MAPPING, message);
}

void proto_maps_put(const struct proto_maps *maps, struct proto_out *to)
{
	for (uint32_t id = 1; id <= maps->list.n; id++)
		put_map(maps, id, to);
}

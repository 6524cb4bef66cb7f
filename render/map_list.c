#include "render/map_list.h"

#include <stdlib.h>

/* Where programs at fixed addresses begin. google/pprof begins the first row of a text map there, whatever part of the
 * program the map has; mappings of a profile.proto (which have no line) it leaves where they are. */
static const uint64_t FIXED_BASE = 0x400000;

struct map_key {
	const struct map_list *list;
	const struct mapping *map;
};

static bool same_map(const void *context, uint32_t at)
{
	const struct map_key *key = context;
	const struct mapping *a = &key->list->items[at].map, *b = key->map;

	return a->object.row == b->object.row && a->offset == b->offset && a->limit - a->start == b->limit - b->start;
}

static void push(struct map_list *list, const struct mapping *map, uint32_t source)
{
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = (struct listed_map){.map = *map, .source = source};
}

static void add_flags(struct mapping *to, const struct mapping *from)
{
	to->has_functions |= from->has_functions;
	to->has_files |= from->has_files;
	to->has_lines |= from->has_lines;
	to->has_inlines |= from->has_inlines;
}

/* Inputs of one program share its mappings, wherever each of them had them. Equal ones of one input stay apart, and the
 * first of them stands for all in the index. */
static void add_map(struct map_list *list, uint32_t row, uint32_t source)
{
	const struct mapping *map = &list->p->maps[row];
	struct map_key key = {list, map};
	uint64_t hash = hash_pair(map->object.row, hash_pair(map->offset, map->limit - map->start));
	uint32_t at = index_find(&list->index, hash, same_map, &key);

	if (at == INDEX_NONE)
		index_add(&list->index, hash, list->n);
	if (at == INDEX_NONE || list->items[at].source == source) {
		at = list->n;
		push(list, map, source);
	}
	add_flags(&list->items[at].map, map);
	list->number_of[row] = at + 1;
}

void map_list_init(struct map_list *list, const struct profile *profile)
{
	*list = (struct map_list){.p = profile};
	list->number_of = mem_zalloc(profile->n_maps, sizeof *list->number_of);
	for (uint32_t i = 0; i < profile->n_sources; i++) {
		const struct source *source = &profile->sources[i];

		for (uint32_t row = source->first_map; row < source->first_map + source->n_maps; row++)
			add_map(list, row, i);
	}
}

void map_list_free(struct map_list *list)
{
	free(list->items);
	free(list->number_of);
	index_free(&list->index);
}

uint32_t map_list_push(struct map_list *list, const struct mapping *map)
{
	push(list, map, list->p->n_sources);
	return list->n;
}

void map_list_put_first(struct map_list *list, uint32_t number)
{
	struct listed_map first = list->items[0];

	list->items[0] = list->items[number - 1];
	list->items[number - 1] = first;
	for (uint32_t row = 0; row < list->p->n_maps; row++) {
		uint32_t *at = &list->number_of[row];

		*at = *at == number ? 1 : *at == 1 ? number : *at;
	}
}

void map_list_reach(struct map_list *list, uint32_t number, uint64_t addr)
{
	struct listed_map *item = &list->items[number - 1];

	item->reaches_below |= addr < item->map.start;
	if (addr > item->highest)
		item->highest = addr;
}

/* Where names were looked for, so were inlined functions. */
void map_list_note_names(struct map_list *list, uint32_t number, const struct location *loc, struct view_lines lines)
{
	struct mapping *map = &list->items[number - 1].map;

	map->has_inlines |= !loc->is_hint || loc->n_lines > 1;
	for (uint32_t i = lines.first; i < lines.end; i++) {
		const struct line *line = &list->p->lines[i];
		const struct function *func = &list->p->funcs[line->func.row];

		map->has_functions |= func->name.row != 0;
		map->has_files |= func->file.row != 0;
		map->has_lines |= line->line != 0;
	}
}

/* As google/pprof does, the program begins where its file does when that is where programs are linked to. */
struct mapping map_list_extent(const struct map_list *list, uint32_t number)
{
	const struct listed_map *item = &list->items[number - 1];
	struct mapping map = item->map;
	uint64_t base = map.start - map.offset;

	if (item->reaches_below || (number == 1 && map.line && base == FIXED_BASE)) {
		map.start = base;
		map.offset = 0;
	}
	return map;
}

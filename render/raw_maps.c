#include "render/raw_maps.h"

static bool is_unmapped(const struct location *loc)
{
	return !loc->map.row && loc->addr;
}

/* google/pprof lists what lies in no mapping as one of the whole address space. */
static void add_whole_space(struct raw_maps *maps, const struct places *places)
{
	uint32_t i = 0;

	while (i < places->n && !is_unmapped(&maps->list.p->locs[places->items[i].loc.row]))
		i++;
	if (i < places->n)
		maps->whole_space = map_list_push(&maps->list, &(struct mapping){.limit = UINT64_MAX});
}

static void put_program_first(struct map_list *list)
{
	uint32_t program = list->p->program.row, at = 0;

	while (at < list->n && (!program || list->items[at].map.object.row != program))
		at++;
	if (at < list->n)
		map_list_put_first(list, at + 1);
}

/* Names that a profile.proto brings along are told of by its own mapping. google/pprof's symbolizer looks at all
 * others, also those of no object. */
static void note_location(struct raw_maps *maps, const struct location *loc)
{
	uint32_t number = raw_maps_number(maps, loc);
	bool is_symbolized = !loc->object.row || maps->list.p->objects[loc->object.row].fate == OBJECT_FOUND;

	if (!number)
		return;
	map_list_reach(&maps->list, number, raw_maps_addr(maps, loc));
	if (loc->n_lines && (loc->is_hint || is_symbolized))
		map_list_note_names(&maps->list, number, loc,
		                    (struct view_lines){loc->first_line, loc->first_line + loc->n_lines});
}

void raw_maps_init(struct raw_maps *maps, const struct report *report, const struct places *places)
{
	*maps = (struct raw_maps){.path = report->opts.path};
	map_list_init(&maps->list, report->profile);
	put_program_first(&maps->list);
	add_whole_space(maps, places);
	for (uint32_t i = 0; i < places->n; i++)
		note_location(maps, &report->profile->locs[places->items[i].loc.row]);
}

void raw_maps_free(struct raw_maps *maps)
{
	map_list_free(&maps->list);
}

uint32_t raw_maps_number(const struct raw_maps *maps, const struct location *loc)
{
	return is_unmapped(loc) ? maps->whole_space : maps->list.number_of[loc->map.row];
}

uint64_t raw_maps_addr(const struct raw_maps *maps, const struct location *loc)
{
	uint32_t number = maps->list.number_of[loc->map.row];

	return number ? maps->list.items[number - 1].map.start + (loc->addr - maps->list.p->maps[loc->map.row].start)
	              : loc->addr;
}

/* The program is shown by the name that the user gave it, also where it has no mapping but the whole space. */
const char *raw_maps_file(const struct raw_maps *maps, uint32_t number)
{
	const struct profile *p = maps->list.p;
	object_id object = maps->list.items[number - 1].map.object;
	bool is_program = number == 1 && (number == maps->whole_space || (object.row && object.row == p->program.row));

	return is_program && maps->path ? maps->path : profile_text(p, p->objects[object.row].file);
}

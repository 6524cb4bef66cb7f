#include "render/proto_places.h"

#include <stdlib.h>

void proto_places_init(struct proto_places *places, const struct profile *profile)
{
	*places = (struct proto_places){.p = profile};
	places->funcs = mem_alloc(profile->n_funcs, sizeof *places->funcs);
	places->id_of_func = mem_zalloc(profile->n_funcs, sizeof *places->id_of_func);
}

void proto_places_free(struct proto_places *places)
{
	free(places->items);
	free(places->funcs);
	free(places->id_of_func);
	index_free(&places->index);
}

struct place_key {
	const struct proto_places *places;
	const struct proto_place *place;
};

static bool same_place(const void *context, uint32_t at)
{
	const struct place_key *key = context;
	const struct proto_place *a = &key->places->items[at], *b = key->place;

	return a->loc.row == b->loc.row && a->lines.first == b->lines.first && a->lines.end == b->lines.end;
}

uint32_t proto_places_id(struct proto_places *places, const struct proto_place *place)
{
	struct place_key key = {places, place};
	uint64_t hash = hash_pair(place->loc.row, hash_pair(place->lines.first, place->lines.end));
	uint32_t found = index_find(&places->index, hash, same_place, &key);

	if (found != INDEX_NONE)
		return found + 1;
	MEM_GROW(places->items, places->n, places->cap);
	places->items[places->n] = *place;
	index_add(&places->index, hash, places->n);
	return ++places->n;
}

static uint32_t func_id_of(struct proto_places *places, func_id func)
{
	if (!places->id_of_func[func.row]) {
		places->funcs[places->n_funcs] = func;
		places->id_of_func[func.row] = ++places->n_funcs;
	}
	return places->id_of_func[func.row];
}

static void put_location(struct proto_places *places, uint32_t at, const struct proto_maps *maps, struct proto_out *to)
{
	const struct proto_place *place = &places->items[at];
	const struct location *loc = &places->p->locs[place->loc.row];
	struct pb_writer *message = &to->message;

	pb_writer_clear(message);
	pb_put_number(message, LOCATION_ID, (uint64_t)at + 1);
	pb_put_number(message, LOCATION_MAPPING_ID, proto_maps_id(maps, loc));
	pb_put_number(message, LOCATION_ADDRESS, proto_maps_addr(maps, loc));
	for (uint32_t i = place->lines.first; i < place->lines.end; i++) {
		const struct line *line = &places->p->lines[i];

		proto_out_line(message, &to->inner, func_id_of(places, line->func), line->line, line->column);
	}
	pb_put_message(&to->profile, PROFILE_LOCATION, message);
}

static void put_function(const struct proto_places *places, uint32_t at, struct proto_out *to)
{
	const struct profile *p = places->p;
	const struct function *func = &p->funcs[places->funcs[at].row];

	proto_out_function(to, (uint64_t)at + 1, profile_text(p, func->name), profile_text(p, func->system_name),
	                   profile_text(p, func->file), func->start_line);
}

void proto_places_put(struct proto_places *places, struct proto_maps *maps, struct proto_out *to)
{
	for (uint32_t i = 0; i < places->n; i++)
		proto_maps_note(maps, &places->p->locs[places->items[i].loc.row], places->items[i].lines);
	proto_maps_put(maps, to);
	for (uint32_t i = 0; i < places->n; i++)
		put_location(places, i, maps, to);
	for (uint32_t i = 0; i < places->n_funcs; i++)
		put_function(places, i, to);
}

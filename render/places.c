#include "render/places.h"

#include <stdlib.h>

struct place_key {
	const struct places *places;
	struct place place;
};

static bool same_place(const void *context, uint32_t at)
{
	const struct place_key *key = context;
	const struct place *a = &key->places->items[at], *b = &key->place;

	return a->loc.row == b->loc.row && a->lines.first == b->lines.first && a->lines.end == b->lines.end;
}

uint32_t places_number(struct places *places, const struct view *view, stack_id stack, uint32_t frame)
{
	const struct profile *p = view->profile;
	struct place place = {p->frames[p->stacks[stack.row].first + frame], view_frame_lines(view, stack, frame)};
	struct place_key key = {places, place};
	uint64_t hash = hash_pair(place.loc.row, hash_pair(place.lines.first, place.lines.end));
	uint32_t at = index_find(&places->index, hash, same_place, &key);

	if (at != INDEX_NONE)
		return at + 1;
	MEM_GROW(places->items, places->n, places->cap);
	places->items[places->n] = place;
	index_add(&places->index, hash, places->n);
	return ++places->n;
}

void places_free(struct places *places)
{
	free(places->items);
	index_free(&places->index);
}

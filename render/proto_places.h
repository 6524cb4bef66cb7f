/* The locations and functions of a profile.proto that is written, in the order of their first use. */
#pragma once

#include "render/proto_maps.h"

/* The lines of a location that a stack keeps. A stack that begins within a location has a place of its own. */
struct proto_place {
	loc_id loc;
	struct view_lines lines;
};

struct proto_places {
	const struct profile *p;
	struct proto_place *items; /* each one's location id is one more than its number here, and so with functions */
	uint32_t n, cap;
	struct index index;
	func_id *funcs;
	uint32_t n_funcs;
	uint32_t *id_of_func; /* by the profile's function; 0: not yet used */
};

/* The profile has to outlive them. */
void proto_places_init(struct proto_places *places, const struct profile *profile);
void proto_places_free(struct proto_places *places);

/* The location id of this place. */
uint32_t proto_places_id(struct proto_places *places, const struct proto_place *place);

/* Writes the mappings, the locations and their functions; comes after the last place. */
void proto_places_put(struct proto_places *places, struct proto_maps *maps, struct proto_out *to);

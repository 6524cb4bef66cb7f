/* The mappings of a profile.proto that is written. */
#pragma once

#include "render/map_list.h"
#include "render/proto_out.h"

struct proto_maps {
	struct map_list list;
	uint32_t *id_of_object; /* by object: of the first of its mappings; 0: it has none */
};

/* Takes those of the profile, which has to outlive them, and makes one for each object that lacks one; the program's comes
 * first. A mapping's id is its number. */
void proto_maps_init(struct proto_maps *maps, const struct profile *profile);
void proto_maps_free(struct proto_maps *maps);

/* The id of the mapping that holds the location; 0: it lies in none. */
uint32_t proto_maps_id(const struct proto_maps *maps, const struct location *loc);
/* Where the location lies in that mapping: at its own address, unless the mapping is another input's. */
uint64_t proto_maps_addr(const struct proto_maps *maps, const struct location *loc);

/* Makes the mapping of a location that is written with these lines reach to it, and tell of their names. */
void proto_maps_note(struct proto_maps *maps, const struct location *loc, struct view_lines lines);
/* Comes after all notes. */
void proto_maps_put(const struct proto_maps *maps, struct proto_out *to);

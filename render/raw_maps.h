/* The mappings of a profile as --raw lists them: the main program's first, and one more for what lies in none. */
#pragma once

#include "render/map_list.h"
#include "render/places.h"
#include "render/renderer.h"

struct raw_maps {
	struct map_list list;
	uint32_t whole_space; /* the number of the one that holds what lies in none; 0: there is no such location */
	const char *path;     /* of the program that the user named; NULL: none */
};

/* The mappings of the places reach to them, and tell of their names. */
void raw_maps_init(struct raw_maps *maps, const struct report *report, const struct places *places);
void raw_maps_free(struct raw_maps *maps);

/* The number of a location's mapping; 0: it has none. */
uint32_t raw_maps_number(const struct raw_maps *maps, const struct location *loc);
/* Where the location lies in that mapping, which may be another input's. */
uint64_t raw_maps_addr(const struct raw_maps *maps, const struct location *loc);
/* The file of the mapping of this number; "": none. */
const char *raw_maps_file(const struct raw_maps *maps, uint32_t number);

/* The mappings of a profile as --raw lists them: numbered, the main program first, those of several inputs but once. */
#pragma once

#include "render/renderer.h"

struct raw_map {
	uint64_t start, limit, offset;
	object_id object;
	uint32_t source;  /* the input that it is from */
	bool is_text;     /* a row of a text map, not a message */
	const char *file; /* "": none */
	bool has_functions, has_files, has_lines, has_inlines;
};

struct raw_maps {
	struct raw_map *items; /* in the order in which they are listed; the first has number 1 */
	uint32_t n;
	uint32_t *number_of; /* by row of the profile's maps; row 0: of what is in no mapping */
	uint64_t *moves;     /* by row: what is added to an address so that it lies in the item */
};

/* locs are the locations that are listed: what is known of them is said of their mappings, which hold all of them. */
void raw_maps_list(const struct report *report, const loc_id *locs, uint32_t n_locs, struct raw_maps *ret);
void raw_maps_free(struct raw_maps *maps);
/* The number of a location's mapping; 0: it has none. */
uint32_t raw_maps_number(const struct raw_maps *maps, const struct location *loc);

/* The inside of a profile under construction, for build.c, place.c and append.c alone. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/build.h"

/* Room that each column has; what is used is in the profile. */
struct caps {
	uint32_t strs, types, objects, maps, locs, lines, funcs, frames, stacks, sources, samples;
};

struct build {
	struct profile *p;
	struct caps caps;
	struct index str_index, object_index, func_index, stack_index;
	struct index addr_index; /* locations of the current source, by address */
	struct index key_index;  /* locations by (object, offset); filled by the first build_append */
	bool keys_are_known;
	uint32_t *sample_of; /* by stack; 0: none yet, else one more than the sample's row */
	uint32_t sample_of_cap;
	uint32_t first_loc; /* of the current source */
};

struct source *build_current_source(struct build *build);
/* A new location, also where there is an equal one. Returns its row. */
uint32_t build_push_loc(struct build *build, const struct location *loc);
/* The values of the stack's sample, [set][type], made with zeros when there is none yet; good until the next call. */
double *build_values(struct build *build, stack_id stack);

/* The location at this offset of an object, or INDEX_NONE; of those that have been added. */
uint32_t build_find_key(const struct build *build, object_id object, uint64_t offset);
void build_add_key(struct build *build, uint32_t row);
/* Makes locations of one object and offset one row, and adds the keys of all. */
void build_fold_locations(struct build *build);

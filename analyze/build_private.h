/* The inside of a profile under construction, for build.c, samples.c, place.c, fold.c, levels.c, append.c and
 * copy.c alone. */
#pragma once

#include "analyze/base/addrs.h"
#include "analyze/base/index.h"
#include "analyze/build.h"

/* Room that each column has; what is used is in the profile. */
struct caps {
	uint32_t strs, types, objects, maps, locs, lines, funcs, frames, stacks, labels, label_sets, sources, comments,
		samples;
};

struct build {
	struct profile *p;
	struct caps caps;
	struct index str_index, object_index, file_index, func_index, stack_index, labels_index, sample_index,
		comment_index;
	uint32_t *plain_sample; /* by stack: its sample without labels, or INDEX_NONE */
	uint32_t plain_cap;
	uint32_t last_sample; /* to which values were added last */
	bool last_is_new;
	struct addrs addrs;    /* the addresses of the current source */
	uint32_t *loc_of_addr; /* by the address's number: its location */
	uint32_t n_loc_of_addr, loc_of_addr_cap;
	/* Locations by place and lines, and the first one of each place; filled by the first build_fold. */
	struct index line_index, place_index;
	bool places_are_known;
	uint32_t first_loc; /* of the current source */
};

struct source *build_current_source(struct build *build);
/* A new location, also where there is an equal one. Returns its row. */
uint32_t build_push_loc(struct build *build, const struct location *loc);
/* The values of this sample, [set][type], made with zeros when there is none yet; good until the next call. */
double *build_values(struct build *build, stack_id stack, labels_id labels);

/* The location of the same place, or INDEX_NONE; of those that have been added. lines are loc's, in this profile's rows. */
uint32_t build_find_place(const struct build *build, const struct location *loc, const struct line *lines);
void build_add_place(struct build *build, uint32_t row);
/* Of two locations of one place: whether the other's lines are to stand in place of those of loc. */
bool build_prefers_lines(const struct location *loc, const struct location *other);
/* Cuts the lines of locations where stacks of them would be endless, and says so. */
void build_limit_levels(struct build *build);

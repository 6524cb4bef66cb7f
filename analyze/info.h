/* What a profile is and how well its addresses can be named: totals of each type, and the objects they lie in. */
#pragma once

#include "analyze/view.h"

/* Of all samples, whatever the filters. */
struct info_type {
	double total, base;
};

/* An object of the map that has addresses in the profile; row 0 stands for the addresses that are in none. Shares are
 * percent of the view's values, by their size. */
struct info_object {
	object_id object;
	double leaf;        /* the innermost frame that counts lies in it */
	double named;       /* of leaf: that frame has a name */
	double cum;         /* some frame that counts lies in it */
	const char *advice; /* what gets the names that are missing; NULL: nothing is missing, or nothing helps */
};

struct info {
	struct info_type *types;     /* by type */
	struct info_object *objects; /* by leaf descending, then by name */
	uint32_t n_objects;
	uint32_t n_unused; /* objects of the map without addresses in the profile */
	double no_stack;   /* percent of the view's values */
};

/* Texts live in the arena. */
void info_build(const struct view *view, struct arena *arena, struct info *ret);
void info_free(struct info *info);

/* The locations of a profile that is written, numbered from 1 in the order in which its stacks use them. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/view.h"

/* A location with those of its lines that a stack keeps: one that begins within a location has a place of its own. */
struct place {
	loc_id loc;
	struct view_lines lines;
};

struct places {
	struct place *items; /* number 1 first */
	uint32_t n, cap;
	struct index index;
};

/* The number of the place of a frame that the view keeps; at its first use, the next one. */
uint32_t places_number(struct places *places, const struct view *view, stack_id stack, uint32_t frame);
void places_free(struct places *places);

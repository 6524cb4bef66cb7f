/* What the user's filters leave of the stacks of a profile: hidden frames are gone, and a stack may begin and end later. */
#pragma once

#include "analyze/filter.h"
#include "analyze/frames.h"

/* NULL: not asked for. */
struct cut_filters {
	const struct filter *retain;     /* keep only frames whose outermost function matches */
	const struct filter *exclude;    /* drop those */
	const struct filter *hide;       /* drop lines that match */
	const struct filter *show;       /* keep only those */
	const struct filter *show_from;  /* then begin each stack at its root-most line that matches, or drop it */
	const struct filter *prune_from; /* then end it at its leaf-most line that matches, if there is one */
	bool outermost_only;             /* then keep the outermost line of each frame */
};

/* Whether any of them is asked for, and whether one may leave nothing of a stack. */
bool cut_is_needed(const struct cut_filters *filters);
bool cut_drops_stacks(const struct cut_filters *filters);
/* Whether retain and exclude keep the frame. */
static inline bool cut_keeps_frame(const struct cut_filters *filters, loc_id loc)
{
	return !(filters->retain && !filters->retain->of_loc[loc.row]) &&
	       !(filters->exclude && filters->exclude->of_loc[loc.row]);
}

/* Cuts the stacks of a profile one by one; the arguments have to outlive the cut. */
struct cut;
struct cut *cut_new(const struct profile *profile, const struct frames_start *starts,
                    const struct cut_filters *filters);
/* Cuts a stack, unless that was done; returns how many frames are left of it. */
uint32_t cut_stack(struct cut *cut, stack_id stack);
/* Ends the cut. The profile that is left is the old one, which has to outlive it, but for frames, stacks, locations and
 * lines of its own. Stacks keep their rows, and so do locations; one of which a stack keeps a part has another row for
 * that part. Stacks that were not cut are empty. */
struct profile *cut_finish(struct cut *cut);
/* Frees such a profile. */
void cut_free(struct profile *profile);

/* What the user's filters say of a profile while a view of it is made, for view.c alone. */
#pragma once

#include "analyze/view.h"

enum { FOCUS, IGNORE, HIDE, SHOW, SHOW_FROM, PRUNE_FROM, RETAIN, EXCLUDE, N_FILTERS };

struct view_filters {
	struct filter *by[N_FILTERS]; /* NULL: not asked for */
	struct cut_filters of_frames; /* those that are about frames */
	bool *has_tags;               /* by sample: its labels are wanted; NULL: whatever they are */
	struct tag_keys *tag_keys;    /* the view's, once there is one */
	struct diag tag_notes;
};

/* The error is a bad pattern. To be cleared in any case. */
struct err *view_filters_init(struct view_filters *filters, const struct profile *p,
                              const struct view_opts *opts) MUST_CHECK;
void view_filters_clear(struct view_filters *filters);

/* By its stack, of which frames that the view drops do not count, and by its labels. */
bool view_filters_pass(const struct view_filters *filters, const struct view *view, uint32_t sample);
/* Leaves the notes on what the filters found in the view, which knows by now what they left. */
void view_filters_note(const struct view_filters *filters, struct view *view);

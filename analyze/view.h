/* A view of a profile: which samples count, with what value, and where their stacks begin. Never changes the profile. */
#pragma once

#include "analyze/profile.h"
#include "analyze/base/err.h"

struct view_opts {
	uint32_t type;      /* the sample type that is shown */
	const char *focus;  /* keep samples with a frame that matches; NULL: all */
	const char *ignore; /* drop samples with a frame that matches; NULL: none */
	bool all_frames;    /* keep the allocator's own frames */
	bool drop_negative; /* a stack that shrank counts as 0 */
};

/* Where a stack begins: its first frames are the allocator's, and so may be the inner lines of the next one. */
struct view_start {
	uint32_t frame, line;
};

/* Sums over samples. */
struct view_total {
	double sum, sum_abs;
	bool has_gain, has_loss; /* positive and negative values are among them */
};

struct view {
	const struct profile *profile;
	struct view_opts opts;
	bool has_base;
	double *values;              /* by sample: the profile's, less the base's; 0 where a filter dropped it */
	struct view_start *starts;   /* by stack */
	struct view_total all, kept; /* before and after the filters */
	struct view_total in_rows;   /* kept samples that have a stack: the others are in no row of a table */
	bool is_rounded;             /* some value needs more than the 53 bits that a double has */
	uint32_t n_kept;             /* samples that passed the filters */
	unsigned n_given_up;         /* matches that passed the limits of the pattern engine */
};

/* The error is a bad pattern. The view points into the profile, which must outlive it. */
struct err *view_new(const struct profile *profile, const struct view_opts *opts, struct view **ret) MUST_CHECK;
void view_free(struct view *view);

/* What percentages divide by: |net total| where all values have one sign, else the sum of |values|. */
double view_divisor(const struct view_total *total);

/* The lines of a frame that the view keeps: row numbers first_line .. end_line-1 of profile->lines, innermost first. */
struct view_lines {
	uint32_t first, end;
};
struct view_lines view_frame_lines(const struct view *view, stack_id stack, uint32_t frame);

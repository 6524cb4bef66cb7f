/* A view of a profile: which samples count, with what value, and where their stacks begin. Never changes the profile. */
#pragma once

#include "analyze/cut.h"
#include "analyze/normalize.h"
#include "analyze/suppressions.h"
#include "analyze/tag_keys.h"

struct view_opts {
	uint32_t type;      /* the sample type that is shown */
	const char *focus;  /* keep samples with a frame that matches; NULL: all */
	const char *ignore; /* drop samples with a frame that matches; NULL: none */
	/* Keep or drop single frames, and samples of which none is left: by what matches (cut.h). NULL: not asked for. */
	const char *retain, *exclude, *hide, *show, *show_from, *prune_from;
	bool no_inlines;    /* keep the outermost function of each frame */
	const char *thread; /* keep samples of this thread; NULL: all */
	struct tag_opts tags;
	bool all_frames;    /* keep the frames of allocators, locks and profilers, and those that the profile drops */
	bool drop_negative; /* a stack that shrank counts as 0 */
	bool is_relative;   /* the total is that of what the filters left */
	bool normalize;     /* scale the profile so that its totals are the base's */
	bool of_base;       /* percentages are of the base's total */
	bool both_sides;    /* of a difference, what has not changed passes too: a picture shows both sides */
	double divide_by;   /* what is shown is the values divided by this; 0: as they are */
	/* Known leaks, whose stacks do not count; NULL: none. They are no filter: view_drops_samples knows nothing of them. */
	const struct suppressions *suppressions;
	bool mean; /* what is shown is the values divided by those of count_type */
	uint32_t count_type;
};

/* Sums over samples, held where they pass VIEW_MOST. */
struct view_total {
	double sum, sum_abs;
	double count;            /* with opts.mean: what the sum is divided by */
	bool has_gain, has_loss; /* positive and negative values are among them */
};

struct view {
	const struct profile
		*profile;        /* with the stacks that the filters left: it need not be the one the view was made of */
	struct profile *own; /* the same then, made by cut_finish; else NULL */
	bool is_shared;      /* what does not hang on the type is another view's */
	struct view_opts opts;
	bool has_base;
	double *values;              /* by sample: the profile's, less the base's; 0 where a filter dropped it */
	double *counts;              /* by sample, with opts.mean: what its value is divided by; else NULL */
	struct ratio *ratios;        /* by sample type, of a difference with opts.normalize or opts.both_sides; else NULL */
	bool *of_thread;             /* by set of labels: it is of opts.thread; NULL: any counts */
	bool *passes;                /* by sample: no filter dropped it, nor is it unchanged (opts.both_sides) */
	struct frames_start *starts; /* by stack */
	struct suppressed suppressed; /* by opts.suppressions */
	struct view_total left_out;   /* by them, of what passed the filters */
	uint32_t n_left_out;          /* stacks */
	struct tag_keys *tag_keys;    /* which labels are shown; NULL: all */
	struct view_total all, kept;  /* before and after the filters; of the thread alone, where one is chosen */
	struct view_total base;       /* of what was subtracted, before the filters */
	struct view_total in_rows;    /* kept samples that have a stack: the others are in no row of a table */
	struct diag notes;            /* what is wrong with the values */
	struct diag filter_notes;     /* and with the filters, the profile's own too: the same whatever the thread */
	uint32_t n_kept;              /* samples that passed the filters */
	unsigned n_given_up;          /* matches that passed the limits of the pattern engine */
};

/* The error is a bad pattern. The view points into the profile, which must outlive it. */
struct err *view_new(const struct profile *profile, const struct view_opts *opts, struct view **ret) MUST_CHECK;
/* The same samples with what they have in another type. The view points into the other one, which must outlive it. */
struct view *view_of_type(const struct view *of, uint32_t type);
/* Likewise, with the means of that type, which are divided by the other. Not of a difference. */
struct view *view_of_mean(const struct view *of, uint32_t type, uint32_t count_type);
/* As view_of_type, as opts.normalize has it, of a view with opts.both_sides. */
struct view *view_scaled(const struct view *of, uint32_t type);
void view_free(struct view *view);

/* Whether the filters may drop samples. */
bool view_drops_samples(const struct view_opts *opts);

/* The total that reports are about: before the filters, unless the user wants it to be after them. */
static inline const struct view_total *view_whole(const struct view *view)
{
	return view->opts.is_relative ? &view->kept : &view->all;
}

/* What percentages divide by: |net total| where all values have one sign, else the sum of |values|. */
double view_divisor(const struct view_total *total);

/* A sum as reports show it: itself, or with opts.mean sum / count, where what has no objects has no mean: 0. */
static inline double view_shown(const struct view *view, double sum, double count)
{
	if (!view->opts.mean)
		return sum;
	return count == 0 ? 0 : sum / count;
}

/* What a place in stacks has, and with opts.mean what that is divided by. */
struct values {
	double flat, cum;
	double flat_count, cum_count;
};
void values_add(struct values *to, const struct values *values);
/* Whether a sample adds to any values. */
static inline bool view_has_value(const struct view *view, uint32_t sample)
{
	return view->values[sample] != 0 || (view->counts && view->counts[sample] != 0);
}
/* What a sample adds to the place of its leaf. */
struct values view_values(const struct view *view, uint32_t sample);
/* Turns sums into what reports show: held as view_row_sum does it, and with opts.mean divided. */
void view_finish_values(const struct view *view, struct values *values);

/* Sums stay within +-(2^63-1), which as a double is 2^63. */
static const double VIEW_MOST = 0x1p63;
/* The sum, or the end of that range. A row's sum cannot pass it unless the view's totals do, which is noted. */
double view_hold(double sum);
/* Likewise, of values that the view may have scaled: what scaling has left of differences that add up to 0 is 0. */
double view_row_sum(const struct view *view, double sum);
/* Whether the sum may be what scaling has left of differences that add up to 0, where sum_abs is their sum without signs. */
bool view_is_residue(const struct view *view, double sum, double sum_abs);

/* A sample's value in any type, filters apart: the profile's, less the base's. */
double view_value(const struct view *view, uint32_t sample, uint32_t type);
/* Likewise, divided as opts.divide_by says. */
double view_divided_value(const struct view *view, uint32_t sample, uint32_t type);
/* One side of it: view_divided_value is what SET_MAIN has more than SET_BASE. With opts.drop_negative, what shrank has on
 * both sides what is left. Of snapshots any of the sets (profile_snapshot_set). */
double view_side_value(const struct view *view, uint32_t sample, uint32_t set, uint32_t type);

/* The labels of a sample that reports show, in place of what is in the list; the caller frees list->items. */
void view_labels(const struct view *view, uint32_t sample, struct label_list *list);

/* The frames that the view keeps are those from view->starts[stack].frame to the last for which view_has_frame says so:
 *
 *	for (uint32_t i = view->starts[stack.row].frame; i < p->stacks[stack.row].n; i++)
 *		if (view_has_frame(view, stack, i)) ...
 *
 * It says no to any other frame of the stack. A stack that has frames keeps one. */
static inline bool view_has_frame(const struct view *view, stack_id stack, uint32_t frame)
{
	const struct frames_start *start = &view->starts[stack.row];

	return frame >= start->frame && !(frame == 1 && start->drops_second);
}

/* The lines of a frame that the view keeps: row numbers first .. end-1 of profile->lines, innermost first. None for a
 * frame without names, nor for one that the view has not. */
struct view_lines {
	uint32_t first, end;
};
struct view_lines view_frame_lines(const struct view *view, stack_id stack, uint32_t frame);

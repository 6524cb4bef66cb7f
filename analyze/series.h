/* The rows of a table over the snapshots of a profile: what grows, since when, how fast, and whether it looks like a leak. */
#pragma once

#include "analyze/tally.h"

/* What the values of a row do from the first snapshot to the last. */
enum shape {
	SHAPE_GROWS, /* and goes on: ongoing is 0.5 or more (series_row.score), and the growth came in more than one span */
	SHAPE_GREW,  /* but not steadily: at once, or it has stopped */
	SHAPE_NEW,   /* there is nothing of it before the last snapshot */
	SHAPE_RETURNED, /* it rose, by more than a tenth of its peak, and gave back half as much as it kept, or more */
	SHAPE_SHRANK,   /* by more than twice what it ever rose */
	SHAPE_CHURN,    /* stays as it is, while memory is allocated and freed again */
	SHAPE_LEVEL,
	N_SHAPES,
};

struct series_row {
	uint32_t row;         /* of the table */
	const double *values; /* by snapshot: flat, or cum where rows go by it; in the unit of the view's type */
	double growth;        /* the last less the first */
	double step;          /* growth a snapshot: the slope of the line that fits best (least squares) */
	double per_second;    /* likewise by time, where series.has_times */
	double monotone;      /* which part of the steps it does not fall in, 0 to 1 */
	/* What was allocated and freed again between the first snapshot and the last; 0: none, or not known. Where a row holds
	 * nothing in any snapshot, nor does what is below it, that of what is below it too; but for a whole stack. */
	double churn;
	uint32_t first_seen; /* the first snapshot in which it has a value; n_snapshots: in none */
	/* growth x kept^2 x even^2 x ongoing, and 0 where it did not grow. kept: growth / (growth + back), where back is the most
	 * that was given back: the largest fall from a value to a later one. even: of four equal spans of steps (fewer where there
	 * are fewer steps) each counts up to its fair part of the growth. ongoing: what was still to come, as part of what steady
	 * growth would bring from there to the end, at most all of it: the mean over the snapshots but the last. */
	double score;
	enum shape shape;
};

struct snapshot {
	const char *name;   /* of its file */
	int64_t time_nanos; /* since 1970; 0: not known */
};

struct series {
	uint32_t n_snapshots;
	struct snapshot *snapshots;
	bool has_times;          /* all have one, and none is earlier than the one before it, nor all the same */
	bool has_churn;          /* the profile has a type for what was ever allocated */
	struct series_row *rows; /* that have a value or churn; the likeliest leak first, and the order is total */
	uint32_t n_rows;
	struct series_row total; /* of all samples that the view keeps, with a stack or without */
	double divisor;          /* what growths are parts of, as view_divisor has it */
	bool divisor_is_sum;     /* the sum of |changes|, since they have both signs */
};

/* by_cum: values are cum, not flat. The view's profile has snapshots, or a base, or is one alone; its filters count. The table may
 * be a tree's (tree.h). */
void series_build(const struct table *table, bool by_cum, struct arena *arena, struct series *ret);
/* Since the first snapshot, where series.has_times: exact up to 2^53 nanoseconds, which is 104 days. */
double series_nanos(const struct series *series, uint32_t snapshot);
/* Which part of the divisor a row's growth is. */
double series_share(const struct series *series, const struct series_row *row);
/* "grows" */
const char *shape_name(enum shape shape);

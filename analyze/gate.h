/* A gate for test runs: which rows of a series hold or grew more than the user allows. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/series.h"
#include "analyze/units.h"

struct gate_opts {
	const char *growth; /* "10MB", or "5%" of the first snapshot's or the base's total; NULL: not asked for */
	/* "R:100MB", split at the last colon: rows that match the pattern R; n_above of them. */
	const char *const *above;
	uint32_t n_above;
};

/* One limit of the user's. */
struct gate_limit {
	const char *option; /* "--fail-growth=10MB" */
	double value;       /* in the unit of the view's type */
	bool is_growth;     /* what a row grew by counts, not what it has in the last snapshot */
	bool is_of_nothing; /* a part of a first total that is 0, as the limit is then */
	uint32_t first, n;  /* its offenders */
};

/* A row, or the total, beyond a limit. */
struct offender {
	const struct gate_limit *limit;
	const struct series_row *row; /* of the series */
	double value;                 /* its growth, or what it has; in the unit of the view's type */
};

struct gate {
	const struct table *table;
	const struct series *series;
	struct gate_limit *limits;
	uint32_t n_limits;
	struct offender *offenders; /* by limit; the total first, then by size */
	uint32_t n_offenders, cap;
	unsigned n_given_up; /* names that took too long to match */
};

/* Whether any gate is asked for. */
bool gate_is_wanted(const struct gate_opts *opts);
/* The error says what was expected of an option's text, without a profile. */
struct err *gate_check_opts(const struct gate_opts *opts) MUST_CHECK;
/* What lies in *ret lives in the arena, and points into the series and its table. A row of whole stacks matches by any of
 * its frames. The error is a limit in a unit that measures something else, or a bad pattern. */
struct err *gate_build(const struct table *table, const struct series *series, const struct gate_opts *opts,
                       struct arena *arena, struct gate *ret) MUST_CHECK;

/* "total", or the label of its row (tree_label), which may lie in the arena. */
const char *gate_name(const struct gate *gate, const struct offender *offender, struct arena *arena);

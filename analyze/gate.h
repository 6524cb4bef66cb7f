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

/* A row, or the total, beyond a limit. */
struct offender {
	const char *option;           /* "--fail-growth=10MB" */
	const struct series_row *row; /* of the series */
	const char *name;             /* its label, "total" for the total */
	double value, limit;          /* in the unit of the view's type */
	bool is_growth;               /* the value is the row's growth, not what it holds last */
};

struct gate {
	struct offender *offenders; /* by option, then as the series has its rows */
	uint32_t n_offenders;
	unsigned n_given_up; /* names that took too long to match */
};

/* Whether any gate is asked for. */
bool gate_is_wanted(const struct gate_opts *opts);
/* The error says what was expected of an option's text, without a profile. */
struct err *gate_check_opts(const struct gate_opts *opts) MUST_CHECK;
/* What lies in *ret lives in the arena, and points into the series and its table. The error is a limit in a unit that
 * measures something else, or a bad pattern. */
struct err *gate_build(const struct table *table, const struct series *series, const struct gate_opts *opts,
                       struct arena *arena, struct gate *ret) MUST_CHECK;

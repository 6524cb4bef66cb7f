/* From a profile to what is written: a view, a report, its renderer or viewer; for one thread or for each. */
#pragma once

#include "cmd/options.h"
#include "cmd/view_file.h"

/* What the reports of one run share. */
struct show {
	const struct options *options;
	const struct profile *profile;
	const struct renderer *renderer;
	const struct viewer *viewer; /* NULL: the reports are written */
	struct view_opts view;
	struct report_opts rows;
	const struct suppressions *suppressions; /* NULL: none */
	struct diag *diag;
	struct diag answers;  /* told when the reports are written, whatever --quiet says */
	struct out_look look; /* of standard output */
	bool on_terminal;     /* what goes to standard output ends there */
	uint32_t n_told;      /* of the notes */
	uint32_t n_reports;
	uint32_t n_kept;      /* samples that passed the filters */
	uint32_t n_offenders; /* rows, and totals, beyond the limits of the user's gates */
	bool no_match;        /* the report's pattern matched no row */
};

/* Works out what the options ask for of a profile; all but ret's must outlive it. The error is about the sample type. */
struct err *show_prepare(const struct options *options, const struct profile *profile, const char *program,
                         struct diag *diag, struct show *ret) MUST_CHECK;
/* True when a filter or the report's pattern left nothing to show. */
bool show_found_nothing(const struct show *show);
/* Tells the notes and writes the report, or a report for each thread; *diag, n_told, n_kept and no_match then say what was
 * found. The error leaves no output behind. */
struct err *show_all(struct show *show) MUST_CHECK;

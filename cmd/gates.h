/* The user's limits, held against a report, and the known leaks that were left out of that. */
#pragma once

#include "cmd/show.h"

/* What the limits are held against, where the report itself has no rows over snapshots: a view of its own, for what has not
 * changed holds something too, and known leaks are in the report. */
struct gates {
	struct view *view;
	struct report *report; /* NULL: the report itself */
	struct gate gate;
};

/* Whether known leaks are left out of the report itself: the rows of the limits are its own. */
bool gates_count_in(const struct show *show);
/* Sets report->gate, which lives as long as *ret does, and counts in show->n_offenders. *ret is empty before, and to be
 * cleared whatever comes of it. The error is a limit that does not fit the values. */
struct err *gates_check(struct show *show, struct report *report, struct gates *ret) MUST_CHECK;
void gates_clear(struct gates *gates);

/* What the user should know of the limits and of the known leaks. */
void gates_note(const struct gates *gates, const struct report *report, struct diag *diag);
/* A line for each row beyond a limit, of many the first. */
void gates_answer(const struct report *report, struct diag *answers);

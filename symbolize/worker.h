/* One thread's part of the work on a file: what it needs to answer for a unit, and what it finds. */
#pragma once

#include "symbolize/lines.h"
#include "symbolize/plan.h"
#include "symbolize/scopes.h"
#include "symbolize/sources.h"

/* What a unit found for an address. */
struct finding {
	uint32_t vaddr, unit; /* numbers */
	uint32_t first, n;    /* a span of frames; of one without a scope only the place is known */
	bool has_scope;
};

/* What one thread needs, and what it finds. */
struct worker {
	const struct image *image;
	struct arena *arena;
	struct handle handle, alternate;
	struct damage damage;
	struct abbrevs abbrevs;
	struct sources sources;
	struct targets targets;
	struct scopes scopes;
	struct split split;                    /* the one of the unit before stays open, for many may be in one file */
	const struct split_place *split_place; /* of that one; NULL: none was opened */
	const char *split_problem;             /* with opening it; NULL: none */
	struct lines_frame *frames;
	struct finding *findings;
	uint32_t n_frames, cap_frames, n_findings, cap_findings;
	/* Split DWARF that was found and cannot be used. */
	uint32_t n_problems, problem_unit;
	const char *problem;
};

/* Into a zeroed worker, once; what comes later has no effect. alternate is the dwz file's image, or NULL. All outlive the
 * worker. The error names a file that libdw does not take. worker_close, also after an error. */
struct err *worker_open(struct worker *worker, const struct image *image, const struct image *alternate) MUST_CHECK;
void worker_close(struct worker *worker);

/* A unit to start from, at the beginning of the image. */
struct unit worker_unit(struct worker *worker);

/* Adds what the unit knows of its candidates to the findings. */
void worker_answer(struct worker *worker, const struct plan *plan, const struct touched *touched);

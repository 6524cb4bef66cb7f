/* Which units hold which addresses, in what order they are worked, and what each may cost. */
#pragma once

#include "symbolize/split.h"

/* A unit that holds some of the addresses. */
struct touched {
	uint64_t offset;
	uint32_t number;
	uint32_t first, n;         /* a span of the candidates */
	uint64_t n_bytes, budget;  /* bytes: with split those that are read for it */
	struct split_place *split; /* NULL: its DIEs are here */
};

struct plan {
	const uint64_t *vaddrs; /* all that are asked for, sorted */
	uint32_t n_vaddrs;
	/* The largest first. Vague ones do not say where all their code is; they are for what no other unit has. */
	struct touched *units, *vague;
	uint32_t n_units, cap_units, n_vague, cap_vague;
	uint32_t *candidates; /* numbers of vaddrs, each unit's sorted */
	uint32_t n_candidates, cap_candidates;
	/* Split DWARF: the package, if there is one, and the units whose DIEs were not found. */
	struct package package;
	bool has_package, has_looked_for_package;
	uint32_t n_lost;
	const char *first_lost;
};

/* Into a zeroed plan. start is a unit that is zeroed but for its image, handle and damage. vaddrs are distinct, and
 * outlive the plan; binary is asked for split DWARF. The error names the file: it has more units than it has room for.
 * plan_free, also after an error. */
struct err *plan_make(struct plan *plan, struct unit start, const uint64_t *vaddrs, uint32_t n,
                      struct binary *binary) MUST_CHECK;
void plan_free(struct plan *plan);

/* The steps that all units together may take. Shares are given out here and not as threads come to the units: which unit
 * of a hostile file is the first to get none does not depend on threads. */
uint64_t plan_budget(const struct image *image, uint32_t n_vaddrs);

/* True when both are in one .dwo file, be it by two paths. */
bool plan_is_same_file(const struct split_place *a, const struct split_place *b);

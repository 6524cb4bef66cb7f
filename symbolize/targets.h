/* The addresses that a unit is asked for, in rising order, and what was found for each. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>

struct place {
	const char *file;      /* NULL: not known */
	uint32_t line, column; /* 0: not known */
	bool is_set;
};

struct targets {
	const uint64_t *vaddrs; /* all that are asked for, sorted */
	uint32_t *numbers;      /* of the targets, as indices of vaddrs */
	uint32_t *scopes;       /* beside numbers: the innermost scope; INDEX_NONE: none */
	struct place *places;   /* beside numbers: by the line table */
	uint32_t n;
};

/* None yet, with room for all vaddrs, which must outlive them. */
void targets_init(struct targets *targets, const uint64_t *vaddrs, uint32_t n_vaddrs);
void targets_free(struct targets *targets);

/* Those of a unit: n numbers, sorted. No place is set. */
void targets_take(struct targets *targets, const uint32_t *numbers, uint32_t n);

static inline uint64_t targets_vaddr(const struct targets *targets, uint32_t target)
{
	return targets->vaddrs[targets->numbers[target]];
}

/* The first target that is not below vaddr; n: none. */
uint32_t targets_first(const struct targets *targets, uint64_t vaddr);

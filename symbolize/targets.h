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
	uint32_t n_vaddrs;
	uint32_t *numbers;    /* of the targets, as indices of vaddrs */
	uint32_t *scopes;     /* beside numbers: the innermost scope; INDEX_NONE: none */
	struct place *places; /* beside numbers: by the line table */
	uint32_t n;
	bool is_unsorted; /* while they are gathered */
};

/* None yet, with room for all vaddrs, which must outlive them. */
void targets_init(struct targets *targets, const uint64_t *vaddrs, uint32_t n_vaddrs);
void targets_free(struct targets *targets);

/* To gather: clear, add each number at most once, sort. After that no place is set. */
void targets_clear(struct targets *targets);
void targets_sort(struct targets *targets);

/* Inline, for a unit that does not say where its code is takes all addresses. */
static inline void targets_add(struct targets *targets, uint32_t number)
{
	targets->is_unsorted |= targets->n && targets->numbers[targets->n - 1] > number;
	targets->numbers[targets->n++] = number;
}

static inline uint64_t targets_vaddr(const struct targets *targets, uint32_t target)
{
	return targets->vaddrs[targets->numbers[target]];
}

/* The first target that is not below vaddr; n: none. */
uint32_t targets_first(const struct targets *targets, uint64_t vaddr);

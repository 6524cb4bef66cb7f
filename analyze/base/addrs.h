/* A table that numbers addresses: 0, 1, 2 ... in the order in which they come. */
#pragma once

#include "analyze/base/index.h"

struct addrs {
	struct addr_slot *slots;
	uint32_t n, cap; /* cap is a power of two, or 0 */
	unsigned shift;
};

struct addr_slot {
	uint64_t addr;
	uint32_t number; /* one more than the number; 0: the slot is free */
};

/* Makes room for the address in a free slot; for addrs_number alone. */
uint32_t addrs_add(struct addrs *addrs, uint64_t addr);
void addrs_free(struct addrs *addrs);

static inline uint32_t addrs_place(const struct addrs *addrs, uint64_t addr)
{
	return (uint32_t)(hash_mix(addr) >> addrs->shift);
}

#define ADDRS_NONE UINT32_MAX

/* The number of this address, or ADDRS_NONE. */
static inline uint32_t addrs_find(const struct addrs *addrs, uint64_t addr)
{
	if (!addrs->cap)
		return ADDRS_NONE;
	for (uint32_t at = addrs_place(addrs, addr);; at = (at + 1) & (addrs->cap - 1)) {
		const struct addr_slot *slot = &addrs->slots[at];

		if (!slot->number)
			return ADDRS_NONE;
		if (slot->addr == addr)
			return slot->number - 1;
	}
}

/* The number of this address; a new one is n as it was before the call. Inline: it is asked for each frame of a file of
 * 500 MB, and nearly always knows the answer. */
static inline uint32_t addrs_number(struct addrs *addrs, uint64_t addr)
{
	uint32_t number = addrs_find(addrs, addr);

	return number == ADDRS_NONE ? addrs_add(addrs, addr) : number;
}

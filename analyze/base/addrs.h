/* A table that numbers addresses: 0, 1, 2 ... in the order in which they come. */
#pragma once

#include "analyze/base/mem.h"

struct addrs {
	struct addr_slot *slots;
	uint32_t n, cap; /* cap is a power of two, or 0 */
	unsigned shift;
};

struct addr_slot {
	uint64_t addr;
	uint32_t number; /* one more than the number; 0: the slot is free */
};

/* The number of this address; a new one is n as it was before the call. */
uint32_t addrs_number(struct addrs *addrs, uint64_t addr);
void addrs_free(struct addrs *addrs);

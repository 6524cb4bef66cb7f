#include "analyze/base/addrs.h"

#include <stdlib.h>

/* Fibonacci hashing: the upper bits of the product depend on all bits of the address. */
static uint32_t slot_of(const struct addrs *addrs, uint64_t addr)
{
	return (uint32_t)(((addr ^ addr >> 32) * 0x9e3779b97f4a7c15u) >> addrs->shift);
}

static struct addr_slot *find_slot(const struct addrs *addrs, uint64_t addr)
{
	uint32_t at = slot_of(addrs, addr);

	while (addrs->slots[at].number && addrs->slots[at].addr != addr)
		at = (at + 1) & (addrs->cap - 1);
	return &addrs->slots[at];
}

static void grow(struct addrs *addrs)
{
	struct addrs old = *addrs;

	addrs->cap = old.cap ? old.cap * 2 : 256;
	addrs->shift = 64 - (unsigned)__builtin_ctz(addrs->cap);
	addrs->slots = mem_zalloc(addrs->cap, sizeof *addrs->slots);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slots[i].number)
			*find_slot(addrs, old.slots[i].addr) = old.slots[i];
	free(old.slots);
}

uint32_t addrs_number(struct addrs *addrs, uint64_t addr)
{
	if (addrs->n >= addrs->cap / 2)
		grow(addrs);
	struct addr_slot *slot = find_slot(addrs, addr);
	if (!slot->number)
		*slot = (struct addr_slot){addr, ++addrs->n};
	return slot->number - 1;
}

void addrs_free(struct addrs *addrs)
{
	free(addrs->slots);
	*addrs = (struct addrs){0};
}

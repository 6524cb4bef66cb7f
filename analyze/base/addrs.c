#include "analyze/base/addrs.h"

#include <stdlib.h>

static struct addr_slot *free_slot(const struct addrs *addrs, uint64_t addr)
{
	uint32_t at = addrs_place(addrs, addr);

	while (addrs->slots[at].number)
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
			*free_slot(addrs, old.slots[i].addr) = old.slots[i];
	free(old.slots);
}

uint32_t addrs_add(struct addrs *addrs, uint64_t addr)
{
	if (addrs->n >= addrs->cap / 2)
		grow(addrs);
	*free_slot(addrs, addr) = (struct addr_slot){addr, ++addrs->n};
	return addrs->n - 1;
}

void addrs_free(struct addrs *addrs)
{
	free(addrs->slots);
	*addrs = (struct addrs){0};
}

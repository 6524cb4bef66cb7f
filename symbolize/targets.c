#include "symbolize/targets.h"

#include <stdlib.h>
#include <string.h>

void targets_init(struct targets *targets, const uint64_t *vaddrs, uint32_t n_vaddrs)
{
	*targets = (struct targets){
		.vaddrs = vaddrs,
		.numbers = mem_alloc(n_vaddrs, sizeof *targets->numbers),
		.scopes = mem_alloc(n_vaddrs, sizeof *targets->scopes),
		.places = mem_alloc(n_vaddrs, sizeof *targets->places),
	};
}

void targets_free(struct targets *targets)
{
	free(targets->numbers);
	free(targets->scopes);
	free(targets->places);
}

void targets_take(struct targets *targets, const uint32_t *numbers, uint32_t n)
{
	memcpy(targets->numbers, numbers, n * sizeof *numbers);
	memset(targets->places, 0, n * sizeof *targets->places);
	targets->n = n;
}

uint32_t targets_first(const struct targets *targets, uint64_t vaddr)
{
	uint32_t low = 0, high = targets->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (targets_vaddr(targets, middle) < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

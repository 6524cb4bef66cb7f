#include "symbolize/targets.h"

#include <stdlib.h>
#include <string.h>

void targets_init(struct targets *targets, const uint64_t *vaddrs, uint32_t n_vaddrs)
{
	*targets = (struct targets){
		.vaddrs = vaddrs,
		.n_vaddrs = n_vaddrs,
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

void targets_clear(struct targets *targets)
{
	targets->n = 0;
	targets->is_unsorted = false;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

void targets_sort(struct targets *targets)
{
	if (targets->is_unsorted)
		qsort(targets->numbers, targets->n, sizeof *targets->numbers, compare_numbers);
	memset(targets->places, 0, targets->n * sizeof *targets->places);
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

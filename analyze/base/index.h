/* A hash index from content to row number; the rows themselves live in the caller's columns. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>

struct index {
	struct index_slot *slots;
	uint32_t n, cap; /* cap is a power of two, or 0 */
};

/* Says whether the row holds the content that is looked for. */
typedef bool index_same_fn(const void *context, uint32_t row);

#define INDEX_NONE UINT32_MAX

/* The row with this hash for which same() is true, else INDEX_NONE. */
uint32_t index_find(const struct index *index, uint64_t hash, index_same_fn *same, const void *context);
/* Adds a row that index_find did not find. */
void index_add(struct index *index, uint64_t hash, uint32_t row);
void index_free(struct index *index);

/* Hashes are for tables in memory only: they are others in each process, for no file to know them, and never reach the
 * output. */
extern uint64_t hash_secret[2];

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* One step: quick, and good enough where the upper bits are used. */
static inline uint64_t hash_mix(uint64_t value)
{
	return hash_fold(value ^ hash_secret[0], hash_secret[1]);
}

uint64_t hash_bytes(const void *data, size_t size);
uint64_t hash_u64(uint64_t value);
uint64_t hash_pair(uint64_t a, uint64_t b);

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

/* Hashes are for tables in memory only: they depend on the host's byte order and never reach the output. */
uint64_t hash_bytes(const void *data, size_t size);
uint64_t hash_u64(uint64_t value);
uint64_t hash_pair(uint64_t a, uint64_t b);

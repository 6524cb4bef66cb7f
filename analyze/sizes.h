/* How large the blocks are that a heap's rows hold: for each row a histogram by powers of two. */
#pragma once

#include "analyze/tally.h"

/* Bucket 0 holds blocks of no bytes, bucket k those of 2^(k-1) to 2^k - 1, and the last those of which the size is not
 * known. */
enum { SIZES_UNKNOWN = 64, SIZES_BUCKETS };

struct size_bucket {
	uint32_t next; /* of the row: one more than its place in sizes->buckets, 0: there are no more */
	uint32_t number;
	double objects, space; /* of a difference, what changed */
};

struct sizes {
	uint32_t objects, space; /* types */
	uint32_t *first;         /* by row, as next says it; buckets of a row are in the order of their numbers */
	struct size_bucket *buckets;
	uint32_t n, cap;
};

/* Those of the view's type, or of the one beside it: objects or space, in use or allocated. What a row's buckets have of
 * the view's type adds up to its flat, or with by_cum its cum. The input says the size of a block, or else blocks of one
 * stack are as large as their mean; on each side of a difference as it is there. The error says that the view is none of a
 * heap, or that the profile does not tell how large its blocks are. */
struct err *sizes_build(const struct table *table, bool by_cum, struct sizes *ret) MUST_CHECK;
void sizes_free(struct sizes *sizes);

static inline const struct size_bucket *sizes_first(const struct sizes *sizes, uint32_t row)
{
	return sizes->first[row] ? &sizes->buckets[sizes->first[row] - 1] : NULL;
}

static inline const struct size_bucket *sizes_next(const struct sizes *sizes, const struct size_bucket *bucket)
{
	return bucket->next ? &sizes->buckets[bucket->next - 1] : NULL;
}

/* The smallest size of a bucket that is known, as a double: the next one's is more than any of its sizes. */
double sizes_least(uint32_t number);

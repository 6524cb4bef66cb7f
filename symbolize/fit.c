#include "symbolize/fit.h"

enum { LARGEST_PAGE = 64 << 10, MOST_SEGMENTS = 64 };

static uint64_t page_below(uint64_t offset)
{
	return offset & ~(uint64_t)(LARGEST_PAGE - 1);
}

static uint64_t page_above(uint64_t offset)
{
	return offset > UINT64_MAX - LARGEST_PAGE ? UINT64_MAX : page_below(offset + LARGEST_PAGE - 1);
}

static uint64_t end_of(uint64_t start, uint64_t n)
{
	return n > UINT64_MAX - start ? UINT64_MAX : start + n;
}

static bool begins_in(const struct segment *segment, uint64_t offset)
{
	return offset >= page_below(segment->offset) && offset < page_above(end_of(segment->offset, segment->n_bytes));
}

/* Where the next segment begins in memory, by the offset that this one would have there. */
static uint64_t end_of_hole(const struct segment *segments, uint32_t n, const struct segment *segment)
{
	uint64_t most = segment->n_memory > segment->n_bytes ? segment->n_memory : segment->n_bytes, hole = UINT64_MAX;

	for (uint32_t i = 0; i < n; i++)
		if (segments[i].vaddr > segment->vaddr && segments[i].vaddr - segment->vaddr < hole)
			hole = segments[i].vaddr - segment->vaddr;
	return end_of(segment->offset, hole != UINT64_MAX && hole > most ? hole : most);
}

/* Rows that adjoin are one, and so may be segments. */
static uint64_t farthest_end(const struct segment *segments, uint32_t n)
{
	uint64_t farthest = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t end = segments[i].is_code ? end_of_hole(segments, n, &segments[i]) : 0;

		if (end > farthest)
			farthest = end;
	}
	return page_above(farthest);
}

bool fit_row(const struct segment *segments, uint32_t n, const struct fit_row *row)
{
	uint64_t end = end_of(row->offset, row->n_bytes);

	if (n > MOST_SEGMENTS)
		return true;
	if (end > farthest_end(segments, n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (segments[i].is_code && begins_in(&segments[i], row->offset) &&
		    (row->end_is_open || end >= end_of(segments[i].offset, segments[i].n_bytes)))
			return true;
	return false;
}

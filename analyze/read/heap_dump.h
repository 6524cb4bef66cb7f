/* What the heap profiles of tcmalloc, Go and jemalloc have in common: commands in front of the header, and four counts in
 * each row. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* Eats the lines of "%" commands that may stand before a header. */
void heap_skip_commands(struct span *head);
/* Reads them, notes what "%warn" says, and gives the line after them: the header, which the probe has seen. */
void heap_take_header(struct cursor *in, struct build *build, struct span *ret);

/* Of "n: b [n2: b2]": n and b are the live objects and bytes, n2 and b2 all that were ever allocated. */
enum { LIVE_N, LIVE_B, ALL_N, ALL_B, N_COUNTS };

/* Eats them, blanks or none between; *overflow is set for numbers of more than 63 bits. False: another shape. */
bool heap_counts(struct span *line, int64_t counts[N_COUNTS], bool *overflow);

/* alloc_objects, alloc_space, inuse_objects, inuse_space, of which the last is the default. */
void heap_four_types(struct build *build);
/* Adds a row's counts to them, scaled by what period (1: exact) makes of each pair. */
void heap_add(struct build *build, stack_id stack, labels_id labels, const int64_t counts[N_COUNTS], int64_t period);

/* What the heap dumps of tcmalloc and jemalloc have in common around their rows: command lines, and the four columns. */
#pragma once

#include "analyze/read/heap_rows.h"

/* Eats the lines of "%" commands that may stand before a header. */
void heap_skip_commands(struct span *head);
/* Reads them, notes what "%warn" says, and gives the line after them: the header, which the probe has seen. */
void heap_take_header(struct cursor *in, struct build *build, struct span *ret);

/* alloc_objects, alloc_space, inuse_objects, inuse_space, of which the last is the default. */
void heap_four_types(struct build *build);
/* Adds a row's counts to them, scaled by what period (1: exact) makes of each pair. */
void heap_add(struct build *build, stack_id stack, labels_id labels, const int64_t counts[N_COUNTS], int64_t period);

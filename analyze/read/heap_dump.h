/* What the heap dumps of tcmalloc and jemalloc have in common around their rows: command lines, the four columns, and
 * the warnings on rows that are lost. */
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

/* One warning on the rows that were passed over. share: percent of the header's total that the rows do not hold; negative:
 * not known. */
void heap_note_losses(const struct row_trouble *lost, double share, const struct cursor *in, struct build *build);
/* The rows are whole, and yet do not hold that share; why says in brackets what may have happened, or nothing. */
void heap_note_early_end(double share, const char *why, const struct cursor *in, struct build *build);

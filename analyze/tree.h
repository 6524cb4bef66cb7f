/* The call tree: a row for each way from a root to a function, not for each function. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/tally.h"

enum { TREE_MOST_ROWS = 4 << 20 };

/* Turns a table of functions, files, lines or addresses into one of the ways to them: table->callers says what leads where,
 * and table->entries keep the numbers that rows had before.
 * A tree of more than most rows, or twice those of the table, is cut: rows far from the root are left out, what they have
 * counts for the one above them, and a note says so. */
void tree_split(struct table *table, uint32_t most, struct diag *notes);

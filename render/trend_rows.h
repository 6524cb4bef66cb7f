/* What the formats of --trend have in common: which rows they show, and what snapshots and rows are called. */
#pragma once

#include "analyze/report.h"

/* The first rows of the series that are shown: as many as the user wants, else usual (0: all). */
uint32_t trend_n_rows(const struct report *report, uint32_t usual);

/* By snapshot: the names of their files without folders, where these differ from each other, else as they were given. */
const char **trend_names(const struct series *series, struct arena *arena);
/* By snapshot, short and all different: the first number in the names of their files that differs in all of them ("0001"),
 * else their place, from "1" on. */
const char **trend_headings(const struct series *series, struct arena *arena);

/* Undoes allocation sampling: what a sampled row stands for. */
#pragma once

#include "analyze/read/reader.h"

/* An allocation of a bytes is sampled with probability 1 - exp(-a/period) (tcmalloc, jemalloc and the Go runtime), so
 * a row of n objects and b bytes, a = b/n on average, stands for n and b divided by that. Nothing changes where n is
 * 0 or period at most 1; with b = 0 there is no size to go by, and n stays. */
void unbias_poisson(int64_t period, double *n, double *b);

/* The sampling period of a file: the user's where one was given, else what the file says. */
int64_t unbias_period(const struct read_opts *opts, int64_t file_period);

/* Says for people what becomes of the rows of a file of this period: in text, which is returned. */
enum { UNBIAS_RULE = 80 };
const char *unbias_rule(const struct read_opts *opts, int64_t period, char text[UNBIAS_RULE]);

/* Undoes allocation sampling: what a sampled row stands for. */
#pragma once

#include <stdint.h>

/* An allocation of a bytes is sampled with probability 1 - exp(-a/period) (tcmalloc, jemalloc and the Go runtime), so
 * a row of n objects and b bytes, a = b/n on average, stands for n and b divided by that. Nothing changes where n is
 * 0 or period at most 1; with b = 0 there is no size to go by, and n stays. */
void unbias_poisson(int64_t period, double *n, double *b);

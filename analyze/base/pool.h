/* Independent jobs over a few threads; the answer is the same for any number of them. */
#pragma once

#include "analyze/base/err.h"

typedef struct err *pool_job_fn(void *context, uint32_t job) MUST_CHECK;

enum { POOL_MOST_THREADS = 64 };

/* How many threads that is; 0: as many as there are processors. */
unsigned pool_threads(unsigned n_threads);

/* Runs job 0 .. n_jobs-1, each once, over at most pool_threads(n_threads) threads.
 * All run even when one fails; the error of the lowest job number is returned, the others are freed. */
struct err *pool_run(unsigned n_threads, uint32_t n_jobs, pool_job_fn *job, void *context) MUST_CHECK;

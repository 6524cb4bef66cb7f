/* Independent jobs over a few threads; the answer is the same for any number of them. */
#pragma once

#include "analyze/base/err.h"

typedef struct err *pool_job_fn(void *context, uint32_t job) MUST_CHECK;

/* Runs job 0 .. n_jobs-1, each once, over at most n_threads threads (0: as many as there are processors).
 * All run even when one fails; the error of the lowest job number is returned, the others are freed. */
struct err *pool_run(unsigned n_threads, uint32_t n_jobs, pool_job_fn *job, void *context) MUST_CHECK;

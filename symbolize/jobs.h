/* Runs the jobs of all objects over the threads: a large object is shared by all, small ones run side by side. */
#pragma once

#include "symbolize/job.h"
#include "symbolize/progress.h"

/* Answers do not depend on n_threads (0: as many as there are processors). progress may be NULL. The error is for a
 * program that the user named. */
struct err *jobs_run(struct job *const *jobs, uint32_t n, unsigned n_threads, progress_fn *progress) MUST_CHECK;

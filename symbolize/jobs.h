/* Runs the jobs of all objects over the threads: a large object is shared by all, small ones run side by side. */
#pragma once

#include "symbolize/job.h"

/* Says how far it is: how many of how many units of this object are done. From any thread, and often. */
typedef void jobs_progress_fn(const char *path, uint32_t n_done, uint32_t n_units);

/* Answers do not depend on n_threads (0: as many as there are processors). progress may be NULL. The error is for a
 * program that the user named. */
struct err *jobs_run(struct job *const *jobs, uint32_t n, unsigned n_threads, jobs_progress_fn *progress) MUST_CHECK;

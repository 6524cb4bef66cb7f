/* A command of the shell in a process of its own: the profile is there too, so it starts at once; and whatever happens to it,
 * Ctrl-C or the end of the memory, happens to it alone. */
#pragma once

#include "analyze/base/err.h"

/* Its error is told there. */
typedef struct err *shell_job_fn(const void *context);

/* Runs it and waits for its end, of which it tells where a signal brought it. The error is that none could be started. */
struct err *shell_job_run(shell_job_fn *run, const void *context) MUST_CHECK;
/* Likewise, and what it writes to standard output, a terminal, is shown by the pager. */
struct err *shell_job_page(shell_job_fn *run, const void *context) MUST_CHECK;

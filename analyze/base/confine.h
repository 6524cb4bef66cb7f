/* What this process gives up for good, by a filter of the Linux kernel (seccomp) that its threads and its children inherit. */
#pragma once

#include <stdbool.h>

/* Each gives up what those before it do. What is refused fails with EPERM. */
enum confine {
	CONFINE_NETWORK = 1, /* sockets, and holds on other processes */
	CONFINE_PROGRAMS,    /* starting programs */
	CONFINE_LAYOUT,      /* everything but memory, threads, what is open, and reading files */
};

/* False: errno says why the kernel does not do it; ENOSYS also where no filter is known for this processor. What has been given
 * up is not given up again, so that it may be asked for at any time. */
bool confine_to(enum confine what);
/* From here on confine_to gives nothing up, and is content: the user wants it so. */
void confine_never(void);

/* What a run gives up, and when: its bytes are other people's, and nothing in them shall reach further than the report. */
#pragma once

#include "cmd/options.h"

/* Before the first input is read: sockets; and the starting of programs, unless the report needs one. A run that shows its
 * report in a viewer, which may need both, gives up nothing yet, and neither does a shell. That the kernel cannot do it is
 * a note of detail. */
void sandbox_enter(const struct options *options, struct diag *diag);
/* After the last program of this process was started: both, if they are not given up yet. */
void sandbox_close(struct diag *diag);

/* What signals do to the process. */
#pragma once

/* From now on a file that grows too large is a write error like any other, a profile that gets shorter while it is read is
 * an error that names it, and signals_leave_nothing holds. */
void signals_take(void);
/* Signals that end the process (SIGINT, SIGTERM, SIGPIPE and the like) leave no part of a file behind, and no program that
 * works for us; those that are ignored stay ignored. */
void signals_leave_nothing(void);

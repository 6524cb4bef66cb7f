/* What a signal that ends the process takes with it. */
#pragma once

/* From now on SIGINT, SIGTERM and SIGHUP leave no part of a file behind; those that are ignored stay ignored. */
void interrupt_leave_nothing(void);

/* What is longer than the screen is shown by the user's pager. */
#pragma once

/* Copies what comes through the pipe to standard output, which is a terminal, until it ends: as it is where it fits on the
 * screen or no pager starts ($PAGER, else less). Closes fd; when the pager ends first, whoever writes gets EPIPE. */
void pager_show(int fd);

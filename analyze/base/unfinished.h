/* What goes with the process when a signal ends it: files that are not whole yet, and the program that works for us. What a
 * process began is no matter of its children. */
#pragma once

#include <sys/types.h>

/* Makes a new private file (0600) below the folder that is open as dir: the row of Xs in path becomes a name that nobody
 * guesses. It is unfinished from then on. path must stay until unfinished_end; at most 4 count at a time. -1: errno says why
 * there is none. */
int unfinished_begin(int dir, char *path);
/* It is whole and has another name, is removed, or is to stay as it is. */
void unfinished_end(const char *path);

/* A child that nobody needs but us. One at a time: another one takes its place. */
void unfinished_set_program(pid_t pid);
/* It has ended, if it is the one. */
void unfinished_forget_program(pid_t pid);

/* For a signal handler: takes all of it away. */
void unfinished_take_away(void);

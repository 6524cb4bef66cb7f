/* Programs of other people: started by an argument vector, never through a shell. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>
#include <sys/types.h>

/* For a stream of the program, instead of a descriptor. */
enum { CHILD_OURS = -1, CHILD_NOTHING = -2 };

struct child_opts {
	const char *const *argv;        /* ends with NULL; the first is a path, or a name to look for along PATH */
	const char *const *environment; /* likewise; NULL: ours */
	int input, output, messages;    /* its standard streams */
	bool has_own_group;             /* Ctrl-C is not for it */
	bool ends_with_us;              /* a signal that ends this process ends it; one at a time */
};

/* 0, or the errno of what is wrong. The program has the signals as they are by default which this one ignores. */
int child_start(const struct child_opts *opts, pid_t *pid_ret) MUST_CHECK;
/* Waits for the end of a child: the status as of waitpid(2), or -1 where it is none. */
int child_wait(pid_t pid);
/* Likewise, without waiting. False: it goes on. */
bool child_has_ended(pid_t pid, int *status_ret);
/* In a process that was forked: it gets the signal when its parent ends, or at once when that is done. */
void child_end_with(pid_t parent, int number);
/* A command that the user names in an environment variable, cut at blanks: an argv that ends with NULL. */
const char **child_words(const char *command, struct arena *arena);

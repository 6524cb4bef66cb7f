#include "analyze/base/child.h"

#include "analyze/base/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void set_stream(posix_spawn_file_actions_t *actions, int stream, int fd)
{
	if (fd == CHILD_NOTHING)
		posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_RDWR, 0);
	else if (fd != CHILD_OURS)
		posix_spawn_file_actions_adddup2(actions, fd, stream);
}

static void set_attributes(posix_spawnattr_t *attributes, const struct child_opts *opts, const sigset_t *mask)
{
	sigset_t ignored_by_us;

	sigemptyset(&ignored_by_us);
	sigaddset(&ignored_by_us, SIGPIPE);
	sigaddset(&ignored_by_us, SIGXFSZ);
	posix_spawnattr_setsigdefault(attributes, &ignored_by_us);
	posix_spawnattr_setsigmask(attributes, mask);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
	                                         (opts->has_own_group ? POSIX_SPAWN_SETPGROUP : 0));
}

static int spawn(const struct child_opts *opts, const sigset_t *mask, pid_t *pid_ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char *const *argv = (char *const *)(uintptr_t)opts->argv;
	char *const *environment = opts->environment ? (char *const *)(uintptr_t)opts->environment : environ;

	posix_spawn_file_actions_init(&actions);
	set_stream(&actions, STDIN_FILENO, opts->input);
	set_stream(&actions, STDOUT_FILENO, opts->output);
	set_stream(&actions, STDERR_FILENO, opts->messages);
	posix_spawnattr_init(&attributes);
	set_attributes(&attributes, opts, mask);
	int problem = posix_spawnp(pid_ret, argv[0], &actions, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return problem;
}

int child_start(const struct child_opts *opts, pid_t *pid_ret)
{
	sigset_t all, before;

	/* No signal comes between its start and what is known of it. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int problem = spawn(opts, &before, pid_ret);
	if (!problem && opts->ends_with_us)
		unfinished_set_program(*pid_ret);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return problem;
}

static bool has_ended(pid_t pid, int options, int *status_ret)
{
	pid_t ended;

	do
		ended = waitpid(pid, status_ret, options);
	while (ended < 0 && errno == EINTR);
	if (ended == 0)
		return false;
	if (ended < 0)
		*status_ret = -1;
	unfinished_forget_program(pid);
	return true;
}

int child_wait(pid_t pid)
{
	int status;

	has_ended(pid, 0, &status);
	return status;
}

bool child_has_ended(pid_t pid, int *status_ret)
{
	return has_ended(pid, WNOHANG, status_ret);
}

void child_end_with(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, number);
	if (getppid() != parent)
		raise(number);
}

const char **child_words(const char *command, struct arena *arena)
{
	const char **words = arena_alloc(arena, strlen(command) / 2 + 2, sizeof *words);
	char *rest, *copy = arena_strndup(arena, command, strlen(command));
	size_t n = 0;

	for (char *word = strtok_r(copy, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	return words;
}

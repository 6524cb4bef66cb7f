#include "analyze/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
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

static void set_attributes(posix_spawnattr_t *attributes, const struct child_opts *opts)
{
	sigset_t ignored_by_us;

	sigemptyset(&ignored_by_us);
	sigaddset(&ignored_by_us, SIGPIPE);
	sigaddset(&ignored_by_us, SIGXFSZ);
	posix_spawnattr_setsigdefault(attributes, &ignored_by_us);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | (opts->has_own_group ? POSIX_SPAWN_SETPGROUP : 0));
}

int child_start(const struct child_opts *opts, pid_t *pid_ret)
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
	set_attributes(&attributes, opts);
	int problem = posix_spawnp(pid_ret, argv[0], &actions, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return problem;
}

int child_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
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

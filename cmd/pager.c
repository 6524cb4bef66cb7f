#include "cmd/pager.h"

#include "analyze/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PIECE = 64 << 10, MOST_WORDS = 32 };

struct pager {
	int to;     /* -1: not yet known where to */
	pid_t pid;  /* 0: none was started */
	char *held; /* what came so far, while it is not known */
	size_t n_held;
	bool is_escaped;            /* within a sequence that sets a colour, which takes no room */
	unsigned rows, columns;     /* of the screen */
	unsigned n_rows, n_columns; /* that are filled: the last row is not full */
};

static void measure_screen(struct pager *pager)
{
	struct winsize size;
	bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;

	pager->rows = is_known && size.ws_row ? size.ws_row : 24;
	pager->columns = is_known && size.ws_col ? size.ws_col : 80;
}

/* True for what takes no room: colours are sequences from ESC to "m". */
static bool is_invisible(struct pager *pager, char c)
{
	bool was_escaped = pager->is_escaped;

	pager->is_escaped = c == '\033' || (was_escaped && c != 'm');
	return was_escaped || pager->is_escaped || text_is_inside(c);
}

static void count_rows(struct pager *pager, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (is_invisible(pager, text[i]))
			continue;
		bool is_end = text[i] == '\n';

		pager->n_rows += is_end || pager->n_columns == pager->columns;
		pager->n_columns = is_end ? 0 : pager->n_columns % pager->columns + 1;
	}
}

/* ---- the program ---- */

/* $PAGER cut at blanks. Empty: the user wants none. */
static void split_words(char *text, char *argv[MOST_WORDS + 1])
{
	char *rest;
	size_t n = 0;

	for (char *word = strtok_r(text, " \t", &rest); word && n < MOST_WORDS; word = strtok_r(NULL, " \t", &rest))
		argv[n++] = word;
	argv[n] = NULL;
}

/* Programs that it starts should not inherit what the shell does with signals. */
static void set_signals(posix_spawnattr_t *attributes)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_setsigdefault(attributes, &signals);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

static bool spawn(char *const argv[], int input, pid_t *pid_ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	set_signals(&attributes);
	bool is_started = posix_spawnp(pid_ret, argv[0], &actions, &attributes, argv, environ) == 0;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return is_started;
}

static void start(struct pager *pager)
{
	const char *named = getenv("PAGER");
	char CLEANUP(mem_free_local) *text = mem_strndup(named ? named : "less -FRX", named ? strlen(named) : 9);
	char *argv[MOST_WORDS + 1];
	int ends[2];

	pager->to = STDOUT_FILENO;
	split_words(text, argv);
	if (!argv[0] || pipe2(ends, O_CLOEXEC) < 0)
		return;
	if (spawn(argv, ends[0], &pager->pid)) {
		pager->to = ends[1];
	} else {
		pager->pid = 0;
		close(ends[1]);
	}
	close(ends[0]);
}

/* ---- copying ---- */

static bool write_all(int fd, const char *at, size_t left)
{
	while (left) {
		ssize_t n = write(fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += n;
		left -= (size_t)n;
	}
	return true;
}

static bool release(struct pager *pager)
{
	bool is_written = write_all(pager->to, pager->held, pager->n_held);

	pager->n_held = 0;
	return is_written;
}

/* Nothing is shown before it is known whether it fits. False: nobody reads on. */
static bool take(struct pager *pager, const char *text, size_t size)
{
	if (pager->to >= 0)
		return write_all(pager->to, text, size);
	pager->held = mem_realloc(pager->held, pager->n_held + size, 1);
	memcpy(pager->held + pager->n_held, text, size);
	pager->n_held += size;
	count_rows(pager, text, size);
	if (pager->n_rows < pager->rows)
		return true;
	start(pager);
	return release(pager);
}

static void finish(struct pager *pager)
{
	if (pager->to < 0) {
		pager->to = STDOUT_FILENO;
		release(pager);
	}
	free(pager->held);
	if (!pager->pid)
		return;
	close(pager->to);
	while (waitpid(pager->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void pager_show(int fd)
{
	struct pager pager = {.to = -1};
	char CLEANUP(mem_free_local) *piece = mem_alloc(PIECE, 1);

	measure_screen(&pager);
	for (;;) {
		ssize_t n = read(fd, piece, PIECE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || !take(&pager, piece, (size_t)n))
			break;
	}
	close(fd);
	finish(&pager);
}

#include "cmd/pager.h"

#include "analyze/base/child.h"
#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIECE = 64 << 10 };

struct pager {
	int to; /* -1: not yet known where to */
	bool has_program;
	pid_t pid;
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

static bool start_program(const char *const *argv, int input, pid_t *pid_ret)
{
	const struct child_opts child = {.argv = argv, .input = input, .output = CHILD_OURS, .messages = CHILD_OURS};

	return *argv && child_start(&child, pid_ret) == 0;
}

/* Without one it goes to the terminal, all at once. */
static void start(struct pager *pager)
{
	const char *named = getenv("PAGER");
	struct arena *arena = arena_new();
	int ends[2];

	pager->to = STDOUT_FILENO;
	if (pipe2(ends, O_CLOEXEC) == 0) {
		pager->has_program = start_program(child_words(named ? named : "less -FRX", arena), ends[0], &pager->pid);
		if (pager->has_program)
			pager->to = ends[1];
		else
			close(ends[1]);
		close(ends[0]);
	}
	arena_free(arena);
}

/* ---- copying ---- */

static bool release(struct pager *pager)
{
	bool is_written = file_write_all(pager->to, pager->held, pager->n_held);

	pager->n_held = 0;
	return is_written;
}

/* Nothing is shown before it is known whether it fits. False: nobody reads on. */
static bool take(struct pager *pager, const char *text, size_t size)
{
	if (pager->to >= 0)
		return file_write_all(pager->to, text, size);
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
	if (!pager->has_program)
		return;
	close(pager->to);
	child_wait(pager->pid);
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

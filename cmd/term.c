#include "cmd/term.h"

#include "analyze/base/text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"

enum { LONGEST_LINE = 4096, SHOWN_END = 1024 };

/* ---- what a terminal can do ---- */

static enum color color_of_messages;

static bool is_said(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

static bool has_colours(bool is_terminal, enum color color)
{
	const char *kind = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return is_terminal && !is_said("NO_COLOR") && kind && *kind && strcmp(kind, "dumb") != 0;
}

static uint32_t columns_said(void)
{
	const char *value = getenv("COLUMNS");
	size_t n = value ? strspn(value, "0123456789") : 0;

	return n && n < 6 && !value[n] ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

static uint32_t count_columns(void)
{
	struct winsize size = {0};

	if (columns_said())
		return columns_said();
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

struct out_look term_look(enum color color)
{
	bool is_terminal = isatty(STDOUT_FILENO);

	return (struct out_look){.n_columns = is_terminal ? count_columns() : 0,
	                         .has_colours = has_colours(is_terminal, color)};
}

struct out_look term_look_of_file(enum color color)
{
	return (struct out_look){.has_colours = has_colours(false, color)};
}

void term_set_color(enum color color)
{
	color_of_messages = color;
}

/* ---- messages ---- */

/* Not within a character of UTF-8. */
static const char *next_character(const char *at)
{
	while (text_is_inside(*at))
		at++;
	return at;
}

/* A name from a file has no end, and what is wrong stands behind it: of a long line the middle goes. */
static void write_line(const char *prefix, const char *code, const char *text)
{
	struct arena *arena = arena_new();
	const char *shown = text_printable(text, arena), *end = "";
	size_t length = strlen(shown), begin = length;

	if (length > LONGEST_LINE) {
		begin = (size_t)(next_character(shown + LONGEST_LINE - SHOWN_END) - shown);
		end = next_character(shown + length - SHOWN_END);
	}
	bool is_plain = !*prefix || !has_colours(isatty(STDERR_FILENO), color_of_messages);
	fprintf(stderr, "pprof: %s%s%s%.*s%s%s\n", is_plain ? "" : code, prefix, is_plain ? "" : "\033[0m", (int)begin,
	        shown, *end ? " ... " : "", end);
	arena_free(arena);
}

void term_error(const struct err *err)
{
	write_line("error: ", RED, err_text(err));
}

void term_notes(const struct diag *notes, uint32_t first, bool quiet, bool verbose)
{
	for (uint32_t i = first; i < notes->n && !quiet; i++) {
		const struct note *note = &notes->notes[i];

		if (note->level != NOTE_DETAIL || verbose)
			write_line(note->level == NOTE_WARNING ? "warning: " : "", YELLOW, note->text);
	}
}

/* ---- progress ---- */

/* Milliseconds: when the next line may be written, and whether one was. */
static atomic_int_fast64_t next_line;
static atomic_bool has_line;

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The thread that moves the time on writes the line. */
static void show_progress(const char *path, uint32_t n_done, uint32_t n_units)
{
	enum { PAUSE = 100, LONGEST_PATH = 50 };
	int_fast64_t due = atomic_load(&next_line), time = now();
	size_t n = strlen(path);

	if (time < due || !atomic_compare_exchange_strong(&next_line, &due, time + PAUSE))
		return;
	struct arena *arena = arena_new();
	const char *tail = n > LONGEST_PATH ? next_character(path + n - LONGEST_PATH) : path;
	atomic_store(&has_line, true);
	dprintf(STDERR_FILENO, "\rpprof: names from %s%s: %" PRIu32 " of %" PRIu32 " units\033[K",
	        tail == path ? "" : "...", text_printable(tail, arena), n_done, n_units);
	arena_free(arena);
}

progress_fn *term_progress_start(void)
{
	enum { FIRST = 500 };

	if (!isatty(STDERR_FILENO))
		return NULL;
	atomic_store(&next_line, now() + FIRST);
	return show_progress;
}

void term_progress_end(void)
{
	if (atomic_exchange(&has_line, false))
		dprintf(STDERR_FILENO, "\r\033[K");
}

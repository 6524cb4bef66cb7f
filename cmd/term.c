#include "cmd/term.h"

#include "analyze/base/text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_LINE = 4096, SHOWN_END = 1024 };

/* Not within a character of UTF-8. */
static const char *next_character(const char *at)
{
	while (text_is_inside(*at))
		at++;
	return at;
}

/* A name from a file has no end, and what is wrong stands behind it: of a long line the middle goes. */
static void write_line(const char *prefix, const char *text)
{
	struct arena *arena = arena_new();
	const char *shown = text_printable(text, arena), *end = "";
	size_t length = strlen(shown), begin = length;

	if (length > LONGEST_LINE) {
		begin = (size_t)(next_character(shown + LONGEST_LINE - SHOWN_END) - shown);
		end = next_character(shown + length - SHOWN_END);
	}
	fprintf(stderr, "pprof: %s%.*s%s%s\n", prefix, (int)begin, shown, *end ? " ... " : "", end);
	arena_free(arena);
}

void term_error(const struct err *err)
{
	write_line("error: ", err_text(err));
}

void term_notes(const struct diag *notes, uint32_t first, bool quiet, bool verbose)
{
	for (uint32_t i = first; i < notes->n && !quiet; i++) {
		const struct note *note = &notes->notes[i];

		if (note->level != NOTE_DETAIL || verbose)
			write_line(note->level == NOTE_WARNING ? "warning: " : "", note->text);
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

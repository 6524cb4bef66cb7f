#include "cmd/term.h"

#include "analyze/base/text.h"

#include <stdio.h>
#include <string.h>

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

#include "cmd/term.h"

#include "analyze/base/text.h"

#include <stdio.h>

static void write_line(const char *prefix, const char *text)
{
	struct arena *arena = arena_new();

	fprintf(stderr, "pprof: %s%s\n", prefix, text_printable(text, arena));
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

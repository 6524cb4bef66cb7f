/* Notes: what the user should know beside the report, kept in the order in which it was found.
 * A room below cmd never prints: it adds a note, and cmd writes the notes to stderr. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>

enum note_level {
	NOTE_DETAIL,  /* shown with -v */
	NOTE_INFO,    /* something was adjusted or chosen; hidden by -q */
	NOTE_WARNING, /* something is wrong, and the answer suffers; hidden by -q */
};

enum note_kind {
	NOTE_PLAIN,
	NOTE_LOSS,         /* truncated, skipped or of a wrong build: exit 3 with --strict */
	NOTE_UNSYMBOLIZED, /* no names: exit 3 with --strict=symbols */
};

struct note {
	enum note_level level;
	enum note_kind kind;
	const char *text;
};

struct diag {
	struct arena *arena;
	struct note *notes;
	uint32_t n, cap;
};

void diag_add(struct diag *diag, enum note_level level, enum note_kind kind, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_append(struct diag *diag, const struct diag *other); /* copies the texts */
void diag_clear(struct diag *diag);

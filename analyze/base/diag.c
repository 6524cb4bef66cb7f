#include "analyze/base/diag.h"

#include <stdlib.h>
#include <string.h>

static struct note *diag_push(struct diag *diag)
{
	if (!diag->arena)
		diag->arena = arena_new();
	MEM_GROW(diag->notes, diag->n, diag->cap);
	return &diag->notes[diag->n++];
}

void diag_add(struct diag *diag, enum note_level level, enum note_kind kind, const char *format, ...)
{
	struct note *note = diag_push(diag);
	va_list args;

	va_start(args, format);
	*note = (struct note){level, kind, arena_vprintf(diag->arena, format, args)};
	va_end(args);
}

void diag_append(struct diag *diag, const struct diag *other)
{
	for (uint32_t i = 0; i < other->n; i++) {
		struct note *note = diag_push(diag);

		*note = other->notes[i];
		note->text = arena_strndup(diag->arena, note->text, strlen(note->text));
	}
}

void diag_clear(struct diag *diag)
{
	arena_free(diag->arena);
	free(diag->notes);
	*diag = (struct diag){0};
}

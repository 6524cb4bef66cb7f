#include "symbolize/capped.h"
#include "analyze/base/text.h"

#include <string.h>

void capped_add(struct capped *text, const char *bytes, size_t n)
{
	size_t room = sizeof text->bytes - text->n;

	if (n > room) {
		text->is_cut = true;
		n = room;
	}
	/* libiberty gives nothing as NULL. */
	if (n)
		memcpy(text->bytes + text->n, bytes, n);
	text->n += n;
}

void capped_add_string(struct capped *text, const char *string)
{
	capped_add(text, string, strlen(string));
}

void capped_add_or_leave(const char *bytes, size_t n, void *context)
{
	struct capped *text = context;

	capped_add(text, bytes, n);
	if (text->is_cut)
		longjmp(text->full, 1);
}

void capped_add_or_swallow(const char *bytes, size_t n, void *context)
{
	capped_add(context, bytes, n);
}

const char *capped_take(struct capped *text, struct arena *arena)
{
	static const char DOTS[] = "...";
	size_t n = text->n;

	if (!text->is_cut)
		return arena_strndup(arena, text->bytes, n);
	n = sizeof text->bytes - (sizeof DOTS - 1);
	while (n > 0 && text_is_inside(text->bytes[n]))
		n--;
	memcpy(text->bytes + n, DOTS, sizeof DOTS - 1);
	return arena_strndup(arena, text->bytes, n + sizeof DOTS - 1);
}

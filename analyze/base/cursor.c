#include "analyze/base/cursor.h"

#include <string.h>

void cursor_init(struct cursor *cursor, const char *name, const void *data, size_t size)
{
	*cursor = (struct cursor){.name = name, .at = data, .end = (const char *)data + size, .start = data};
}

bool cursor_line(struct cursor *cursor, struct span *ret)
{
	if (cursor->at == cursor->end)
		return false;
	const char *newline = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
	struct span line = {cursor->at, newline ? newline : cursor->end};

	cursor->at = newline ? newline + 1 : cursor->end;
	cursor->line++;
	span_blanks(&line);
	span_trim_end(&line);
	*ret = line;
	return true;
}

bool cursor_line_is_cut(const struct cursor *cursor)
{
	return cursor->at == cursor->end && cursor->line && cursor->end[-1] != '\n';
}

struct err *cursor_err(const struct cursor *cursor, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	struct arena *arena = arena_new();
	const char *text = arena_vprintf(arena, format, args);
	va_end(args);
	struct err *err = err_new("%s:%llu: %s", cursor->name, (unsigned long long)(cursor->line ? cursor->line : 1), text);
	arena_free(arena);
	return err;
}

struct err *cursor_err_at(const struct cursor *cursor, const char *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	struct arena *arena = arena_new();
	const char *text = arena_vprintf(arena, format, args);
	va_end(args);
	struct err *err = err_new("%s+0x%zx: %s", cursor->name, (size_t)(at - cursor->start), text);
	arena_free(arena);
	return err;
}

bool span_starts(const struct span *span, const char *word)
{
	size_t length = strlen(word);

	return span_length(span) >= length && memcmp(span->at, word, length) == 0;
}

bool span_ends(const struct span *span, const char *word)
{
	size_t length = strlen(word);

	return span_length(span) >= length && memcmp(span->end - length, word, length) == 0;
}

bool span_is(const struct span *span, const char *word)
{
	return span_length(span) == strlen(word) && span_starts(span, word);
}

bool span_equal(const struct span *a, const struct span *b)
{
	return span_length(a) == span_length(b) && memcmp(a->at, b->at, span_length(a)) == 0;
}

bool span_word(struct span *span, const char *word)
{
	if (!span_starts(span, word))
		return false;
	span->at += strlen(word);
	return true;
}

const uint8_t span_hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

#include "analyze/base/cursor.h"

#include <string.h>

void cursor_init(struct cursor *cursor, const char *name, const void *data, size_t size)
{
	*cursor = (struct cursor){.name = name, .at = data, .end = (const char *)data + size, .start = data};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
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
	while (line.end > line.at && is_blank(line.end[-1]))
		line.end--;
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

void span_blanks(struct span *span)
{
	while (span->at < span->end && is_blank(*span->at))
		span->at++;
}

bool span_char(struct span *span, char c)
{
	if (span->at == span->end || *span->at != c)
		return false;
	span->at++;
	return true;
}

size_t span_length(const struct span *span)
{
	return (size_t)(span->end - span->at);
}

bool span_starts(const struct span *span, const char *word)
{
	size_t length = strlen(word);

	return span_length(span) >= length && memcmp(span->at, word, length) == 0;
}

bool span_word(struct span *span, const char *word)
{
	if (!span_starts(span, word))
		return false;
	span->at += strlen(word);
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool span_int64(struct span *span, int64_t *ret, bool *overflow)
{
	const char *at = span->at;
	bool negative = at < span->end && *at == '-';
	int64_t value = 0;

	at += negative;
	if (at == span->end || !is_digit(*at))
		return false;
	for (; at < span->end && is_digit(*at); at++) {
		int digit = negative ? '0' - *at : *at - '0';

		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			*overflow = true;
	}
	span->at = at;
	*ret = value;
	return true;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool span_hex(struct span *span, uint64_t *ret, bool *overflow)
{
	const char *at = span->at;
	uint64_t value = 0;

	if (span->end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x' && hex_digit(at[2]) >= 0)
		at += 2;
	if (at == span->end || hex_digit(*at) < 0)
		return false;
	for (int digit; at < span->end && (digit = hex_digit(*at)) >= 0; at++) {
		if (value >> 60)
			*overflow = true;
		value = value << 4 | (uint64_t)digit;
	}
	span->at = at;
	*ret = value;
	return true;
}

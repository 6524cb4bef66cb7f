/* A place in an input file: hands out lines and numbers, and makes errors that name the file and the line. */
#pragma once

#include "analyze/base/err.h"

#include <stdbool.h>

struct span {
	const char *at, *end;
};

struct cursor {
	const char *name; /* of the file, for messages */
	const char *at, *end;
	const char *start;
	uint64_t line; /* number of the line that was handed out last; 0: none yet */
};

void cursor_init(struct cursor *cursor, const char *name, const void *data, size_t size);
/* The next line without its end (LF or CRLF) and without blanks around it; false at the end of the file. */
bool cursor_line(struct cursor *cursor, struct span *ret);
/* True when the line handed out last ends with the file and not with a newline: it may be cut. */
bool cursor_line_is_cut(const struct cursor *cursor);
/* "name:line: expected ..." */
struct err *cursor_err(const struct cursor *cursor, const char *format, ...) PRINTF_LIKE(2, 3) MUST_CHECK NEVER_NULL;

/* "name+0x1c4: expected ...": the place in a binary file is the offset of at. */
struct err *cursor_err_at(const struct cursor *cursor, const char *at, const char *format, ...)
	PRINTF_LIKE(3, 4) MUST_CHECK NEVER_NULL;

bool span_starts(const struct span *span, const char *word);
bool span_ends(const struct span *span, const char *word);
bool span_is(const struct span *span, const char *word);
bool span_equal(const struct span *a, const struct span *b);

static inline size_t span_length(const struct span *span)
{
	return (size_t)(span->end - span->at);
}

static inline bool span_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline void span_trim_end(struct span *span)
{
	while (span->at < span->end && span_is_blank(span->end[-1]))
		span->end--;
}

/* These eat what they find from the front of a span, and nothing when they return false. Those that a file of 500 MB needs
 * for each of its addresses are inline. */
bool span_word(struct span *span, const char *word);

static inline void span_blanks(struct span *span)
{
	while (span->at < span->end && span_is_blank(*span->at))
		span->at++;
}

static inline bool span_char(struct span *span, char c)
{
	if (span->at == span->end || *span->at != c)
		return false;
	span->at++;
	return true;
}

/* One character, with or without blanks around it; those before it are eaten in any case. */
static inline bool span_mark(struct span *span, char mark)
{
	span_blanks(span);
	if (!span_char(span, mark))
		return false;
	span_blanks(span);
	return true;
}

static inline bool span_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A character of a C or C++ name. */
static inline bool span_is_name_char(char c)
{
	return c == '_' || c == '$' || span_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* A decimal number with an optional sign. *overflow is set, and the digits eaten, when it does not fit. */
static inline bool span_int64(struct span *span, int64_t *ret, bool *overflow)
{
	const char *at = span->at;
	bool negative = at < span->end && *at == '-';
	int64_t value = 0;

	at += negative;
	if (at == span->end || !span_is_digit(*at))
		return false;
	for (; at < span->end && span_is_digit(*at); at++) {
		int digit = negative ? '0' - *at : *at - '0';

		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			*overflow = true;
	}
	span->at = at;
	*ret = value;
	return true;
}

static inline bool span_starts_number(const struct span *span)
{
	struct span rest = *span;
	bool overflow = false;
	int64_t number;

	return span_int64(&rest, &number, &overflow);
}

/* By character: one more than its value as a hex digit; 0: it is none. */
extern const uint8_t span_hex_digits[256];

static inline unsigned span_hex_digit(char c)
{
	return span_hex_digits[(unsigned char)c];
}

/* True of nothing but hex digits, and of an empty span. */
static inline bool span_is_hex(const struct span *span)
{
	const char *at = span->at;

	while (at < span->end && span_hex_digit(*at))
		at++;
	return at == span->end;
}

/* Hex digits of either case with an optional 0x. *overflow as above. */
static inline bool span_hex(struct span *span, uint64_t *ret, bool *overflow)
{
	const char *at = span->at;
	uint64_t value = 0, lost = 0;

	if (span->end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x' && span_hex_digit(at[2]))
		at += 2;
	if (at == span->end || !span_hex_digit(*at))
		return false;
	for (unsigned digit; at < span->end && (digit = span_hex_digit(*at)); at++) {
		lost |= value >> 60;
		value = value << 4 | (digit - 1);
	}
	if (lost)
		*overflow = true;
	span->at = at;
	*ret = value;
	return true;
}

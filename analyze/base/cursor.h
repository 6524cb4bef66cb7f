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
struct err *cursor_err(const struct cursor *cursor, const char *format, ...) PRINTF_LIKE(2, 3) MUST_CHECK;

/* "name+0x1c4: expected ...": the place in a binary file is the offset of at. */
struct err *cursor_err_at(const struct cursor *cursor, const char *at, const char *format, ...)
	PRINTF_LIKE(3, 4) MUST_CHECK;

/* These eat what they find from the front of a span, and nothing when they return false. */
void span_blanks(struct span *span);
bool span_char(struct span *span, char c);
bool span_word(struct span *span, const char *word);
/* A decimal number with an optional sign. *overflow is set, and the digits eaten, when it does not fit. */
bool span_int64(struct span *span, int64_t *ret, bool *overflow);
/* Hex digits of either case with an optional 0x. *overflow as above. */
bool span_hex(struct span *span, uint64_t *ret, bool *overflow);
bool span_starts(const struct span *span, const char *word);
size_t span_length(const struct span *span);

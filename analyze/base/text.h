/* Text from files, made harmless (names may hold anything, also what a terminal or a browser would obey), measured and cut,
 * and taken apart into items and lines. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>
#include <string.h>

/* The text with control characters, bidi overrides and bytes that are not UTF-8 shown as \x1b, \u202e. The text itself
 * where there is nothing to escape, else a copy in the arena. */
const char *text_printable(const char *text, struct arena *arena);
/* The text has nothing to escape. */
bool text_is_printable(const char *text);
/* The first character of a text that is not empty: its length in bytes, or 0 where its first byte begins none of UTF-8. */
size_t text_first(const char *text, uint32_t *code_ret);
/* The character is none that a terminal or a reader would obey. */
bool text_is_harmless(uint32_t code);
enum { TEXT_DIGITS = 24 };
/* The number's digits, somewhere in the text. printf says the same, in ten times the time. */
char *text_decimal(char text[TEXT_DIGITS], uint64_t value);
char *text_hex(char text[TEXT_DIGITS], uint64_t value);
/* strcmp, but for one and the same string: those of a profile are interned, and a long one may belong to a million rows. */
int text_compare(const char *a, const char *b);
/* Likewise, but numbers in them go by their value: "a.9" is before "a.10". A total order. */
int text_compare_naturally(const char *a, const char *b);
/* How many characters a printable text has. */
uint32_t text_width(const char *text);
/* How many columns of a terminal a printable text takes: of East Asian letters two each, of marks over letters none. */
uint32_t text_columns(const char *text);
/* The text, of which the middle goes for "..." where it takes more columns than these, at least 3. A copy in the arena then. */
const char *text_fit(const char *text, uint32_t n_columns, struct arena *arena);
/* The length of its first characters that need at most so many bytes. */
size_t text_cut(const char *text, size_t most);
/* Likewise, of a text of this length, which need not end with a NUL. */
size_t text_cut_bytes(const char *text, size_t length, size_t most);

/* The byte is one of a character of UTF-8, but not the first. */
static inline bool text_is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* What follows this beginning of the text; NULL: it begins with something else. */
static inline const char *text_after(const char *text, const char *beginning)
{
	size_t n = strlen(beginning);

	return strncmp(text, beginning, n) == 0 ? text + n : NULL;
}

/* The next item of a list such as "a:b", which is not empty; NULL: there are no more. *list moves behind it. */
const char *text_item(const char **list, char mark, size_t *length_ret);
/* So many bytes are this word. */
bool text_is(const char *at, size_t length, const char *word);

/* "alloc_objects, alloc_space": names of a list, of a long one the first ten. */
const char *text_join(struct arena *arena, const char *const *names, uint32_t n);

/* A text in lines. */
struct text_lines {
	const char *text;
	uint32_t *starts; /* of each line, and where a line behind the last would start */
	uint32_t n;
};

/* text[size] lives as long as the lines do; size is below 4 GiB. */
void text_lines_find(const char *text, size_t size, struct arena *arena, struct text_lines *ret);
/* Line number of 1 .. lines->n, without its end (\n or \r\n). */
const char *text_line(const struct text_lines *lines, uint32_t number, size_t *length_ret);

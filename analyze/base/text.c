#include "analyze/base/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t text_first(const char *text, uint32_t *code_ret)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)text;
	size_t length = *at < 0x80                  ? 1
	                : *at >= 0xf0 && *at < 0xf8 ? 4
	                : *at >= 0xe0 && *at < 0xf0 ? 3
	                : *at >= 0xc0 && *at < 0xe0 ? 2
	                                            : 0;
	uint32_t code = length == 1 ? *at : *at & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (length > 1 && (code < smallest[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)))
		return 0;
	*code_ret = code;
	return length;
}

bool text_is_harmless(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return false;
	/* No characters, and not allowed in XML. */
	if ((code & 0xfffe) == 0xfffe)
		return false;
	/* What has no width: soft hyphen, joiners, tags; what bidi algorithms obey; line and paragraph separators. */
	return !(code == 0xad || code == 0x61c || code == 0x180e || (code >= 0x200b && code <= 0x200f) ||
	         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	         (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff));
}

/* Most of most names. */
static const char *skip_harmless_ascii(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return text;
}

bool text_is_printable(const char *text)
{
	uint32_t code;

	while (*(text = skip_harmless_ascii(text))) {
		size_t length = text_first(text, &code);

		if (!length || !text_is_harmless(code))
			return false;
		text += length;
	}
	return true;
}

const char *text_printable(const char *text, struct arena *arena)
{
	if (text_is_printable(text))
		return text;
	/* The longest escape is six characters for a byte or two. */
	size_t size = strlen(text) * 6 + 1, used = 0;
	char *copy = arena_alloc(arena, size, 1);

	for (const char *at = text; *at;) {
		uint32_t code = 0;
		size_t length = text_first(at, &code);

		if (length && text_is_harmless(code)) {
			memcpy(copy + used, at, length);
			used += length;
		} else if (length > 1) {
			used += (size_t)snprintf(copy + used, size - used, "\\u%04x", code);
		} else {
			used += (size_t)snprintf(copy + used, size - used, "\\x%02x", (unsigned char)*at);
		}
		at += length ? length : 1;
	}
	return copy;
}

/* Inlined, for the base to be known: divisions take most of the time. */
static inline char *write_digits(char text[TEXT_DIGITS], uint64_t value, unsigned base)
{
	char *at = text + (TEXT_DIGITS - 1);

	*at = '\0';
	do
		*--at = "0123456789abcdef"[value % base];
	while (value /= base);
	return at;
}

char *text_decimal(char text[TEXT_DIGITS], uint64_t value)
{
	return write_digits(text, value, 10);
}

char *text_hex(char text[TEXT_DIGITS], uint64_t value)
{
	return write_digits(text, value, 16);
}

int text_compare(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Compares the numbers that begin there, of any length; both texts move behind them. */
static int compare_numbers(const char **a, const char **b)
{
	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	size_t n = strspn(*a, "0123456789"), n_b = strspn(*b, "0123456789");
	int order = n != n_b ? (n < n_b ? -1 : 1) : memcmp(*a, *b, n);
	*a += n;
	*b += n_b;
	return order;
}

int text_compare_naturally(const char *a, const char *b)
{
	const char *x = a, *y = b;
	int order = 0;

	while (!order && *x && *y) {
		if (is_digit(*x) && is_digit(*y))
			order = compare_numbers(&x, &y);
		else
			order = (unsigned char)*x++ - (unsigned char)*y++;
	}
	if (!order)
		order = (*x != '\0') - (*y != '\0');
	return order ? order : text_compare(a, b);
}

uint32_t text_width(const char *text)
{
	uint32_t n = 0;

	for (; *text; text++)
		n += !text_is_inside(*text);
	return n;
}

struct range {
	uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* The blocks of Unicode that are wide, and those of combining marks; a locale may know none of them. */
static uint32_t columns_of(uint32_t code)
{
	static const struct range wide[] = {
		{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
		{0xfe30, 0xfe6f}, {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
	};
	static const struct range marks[] = {
		{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
	};

	if (code < 0x300)
		return 1;
	if (is_in(marks, sizeof marks / sizeof *marks, code))
		return 0;
	return is_in(wide, sizeof wide / sizeof *wide, code) ? 2 : 1;
}

/* Of the first character; *length_ret is that of its bytes. */
static uint32_t first_columns(const char *text, size_t *length_ret)
{
	uint32_t code = 0;
	size_t length = text_first(text, &code);

	*length_ret = length ? length : 1;
	return length ? columns_of(code) : 1;
}

uint32_t text_columns(const char *text)
{
	uint32_t n = 0;

	for (size_t length; *text; text += length)
		n += first_columns(text, &length);
	return n;
}

/* The first characters that take at most so many columns end here. */
static const char *skip_columns(const char *text, uint32_t most)
{
	size_t length;

	for (uint32_t n = 0; *text && (n += first_columns(text, &length)) <= most; text += length)
		;
	return text;
}

const char *text_fit(const char *text, uint32_t n_columns, struct arena *arena)
{
	enum { DOTS = 3 };
	uint32_t all = text_columns(text), room = n_columns > DOTS ? n_columns - DOTS : 0;

	if (all <= n_columns)
		return text;
	const char *head_end = skip_columns(text, room / 2), *tail = text;
	/* A wide character at the border goes as a whole. */
	for (uint32_t left = all; left > room - room / 2;) {
		size_t length;

		left -= first_columns(tail, &length);
		tail += length;
	}
	return arena_printf(arena, "%.*s...%s", (int)(head_end - text), text, tail);
}

size_t text_cut(const char *text, size_t most)
{
	return text_cut_bytes(text, strnlen(text, most + 1), most);
}

size_t text_cut_bytes(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	while (most && text_is_inside(text[most]))
		most--;
	return most;
}

const char *text_item(const char **list, char mark, size_t *length_ret)
{
	const char *item = *list;

	while (*item == mark)
		item++;
	*list = strchrnul(item, mark);
	*length_ret = (size_t)(*list - item);
	return *length_ret ? item : NULL;
}

bool text_is(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(at, word, length) == 0;
}

const char *text_join(struct arena *arena, const char *const *names, uint32_t n)
{
	const char *text = "";

	for (uint32_t i = 0; i < n && i < 10; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
	return n > 10 ? arena_printf(arena, "%s and %" PRIu32 " more", text, n - 10) : text;
}

static uint32_t count_lines(const char *text, size_t size)
{
	const char *at = text, *end = text + size;
	uint32_t n = size && end[-1] != '\n';

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		n++;
	}
	return n;
}

void text_lines_find(const char *text, size_t size, struct arena *arena, struct text_lines *ret)
{
	*ret = (struct text_lines){.text = text, .n = count_lines(text, size)};
	ret->starts = arena_alloc(arena, (size_t)ret->n + 1, sizeof *ret->starts);
	for (uint32_t i = 0; i < ret->n; i++) {
		size_t start = ret->starts[i];
		const char *end = memchr(text + start, '\n', size - start);

		ret->starts[i + 1] = (uint32_t)(end ? (size_t)(end - text) + 1 : size);
	}
}

const char *text_line(const struct text_lines *lines, uint32_t number, size_t *length_ret)
{
	const char *line = lines->text + lines->starts[number - 1];
	size_t length = lines->starts[number] - lines->starts[number - 1];

	if (length && line[length - 1] == '\n')
		length--;
	if (length && line[length - 1] == '\r')
		length--;
	*length_ret = length;
	return line;
}

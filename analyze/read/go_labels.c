#include "analyze/read/go_labels.h"

#include <stdlib.h>

/* Strings are quoted as in Go, of which JSON's quoting is a part: \n, \x1b, \u00e9, \U0001f600. */

enum { REPLACEMENT = 0xfffd, LAST_RUNE = 0x10ffff };

struct text {
	char *bytes;
	uint32_t n, cap;
};

static void push_byte(struct text *text, uint32_t byte)
{
	MEM_GROW(text->bytes, text->n, text->cap);
	text->bytes[text->n++] = (char)byte;
}

/* As UTF-8. What is no character, and the NUL that would end the string, are replaced. */
static void push_rune(struct text *text, uint32_t rune)
{
	if (!rune || rune > LAST_RUNE || (rune >= 0xd800 && rune < 0xe000))
		rune = REPLACEMENT;
	if (rune < 0x80) {
		push_byte(text, rune);
		return;
	}
	if (rune < 0x800) {
		push_byte(text, 0xc0 | rune >> 6);
	} else {
		if (rune < 0x10000) {
			push_byte(text, 0xe0 | rune >> 12);
		} else {
			push_byte(text, 0xf0 | rune >> 18);
			push_byte(text, 0x80 | (rune >> 12 & 0x3f));
		}
		push_byte(text, 0x80 | (rune >> 6 & 0x3f));
	}
	push_byte(text, 0x80 | (rune & 0x3f));
}

/* Exactly n hex digits. */
static bool take_digits(struct span *in, size_t n, uint32_t *ret)
{
	bool overflow = false;
	uint64_t value;

	if (span_length(in) < n)
		return false;
	struct span digits = {in->at, in->at + n};
	if (!span_is_hex(&digits) || !span_hex(&digits, &value, &overflow))
		return false;
	in->at += n;
	*ret = (uint32_t)value;
	return true;
}

/* JSON writes characters beyond 16 bits as two halves. */
static bool take_low_half(struct span *in, uint32_t *rune)
{
	struct span rest = *in;
	uint32_t low;

	if (*rune < 0xd800 || *rune >= 0xdc00 || !span_word(&rest, "\\u") || !take_digits(&rest, 4, &low) || low < 0xdc00 ||
	    low >= 0xe000)
		return false;
	*rune = 0x10000 + ((*rune - 0xd800) << 10) + (low - 0xdc00);
	*in = rest;
	return true;
}

static bool take_number_escape(struct span *in, char kind, struct text *text)
{
	uint32_t value;

	if (!take_digits(in, kind == 'x' ? 2 : kind == 'u' ? 4 : 8, &value))
		return false;
	if (kind == 'u')
		take_low_half(in, &value);
	if (kind == 'x' && value)
		push_byte(text, value); /* a byte that is no UTF-8 */
	else
		push_rune(text, value);
	return true;
}

/* Behind the backslash. */
static bool take_escape(struct span *in, struct text *text)
{
	static const char escapes[][2] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'},  {'b', '\b'}, {'f', '\f'}, {'a', '\a'},
	                                  {'v', '\v'}, {'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'\'', '\''}};

	if (in->at == in->end)
		return false;
	char c = *in->at++;
	if (c == 'x' || c == 'u' || c == 'U')
		return take_number_escape(in, c, text);
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
		if (escapes[i][0] == c) {
			push_byte(text, (unsigned char)escapes[i][1]);
			return true;
		}
	return false;
}

static bool take_string(struct span *in, struct text *text)
{
	text->n = 0;
	if (!span_char(in, '"'))
		return false;
	while (in->at < in->end) {
		char c = *in->at++;

		if (c == '"')
			return true;
		if (c == '\\' && !take_escape(in, text))
			return false;
		if (c == '\0')
			push_rune(text, REPLACEMENT);
		else if (c != '\\')
			push_byte(text, (unsigned char)c);
	}
	return false;
}

static bool take_label(struct span *in, struct build *build, struct text *text, struct label *ret)
{
	*ret = (struct label){0};
	if (!take_string(in, text))
		return false;
	ret->key = build_str(build, text->n ? text->bytes : "", text->n);
	if (!span_mark(in, ':') || !take_string(in, text))
		return false;
	ret->text = build_str(build, text->n ? text->bytes : "", text->n);
	return true;
}

struct list {
	struct label *labels;
	uint32_t n, cap;
};

static bool take_labels(struct span *in, struct build *build, struct text *text, struct list *list)
{
	if (!span_mark(in, '{'))
		return false;
	if (span_mark(in, '}'))
		return in->at == in->end;
	do {
		MEM_GROW(list->labels, list->n, list->cap);
		if (!take_label(in, build, text, &list->labels[list->n++]))
			return false;
	} while (span_mark(in, ','));
	return span_mark(in, '}') && in->at == in->end;
}

bool go_labels_begin(struct span *line)
{
	struct span rest = *line;

	if (!span_char(&rest, '#'))
		return false;
	span_blanks(&rest);
	if (!span_word(&rest, "labels:"))
		return false;
	*line = rest;
	return true;
}

bool go_labels_read(struct span in, struct build *build, labels_id *ret)
{
	struct text text = {0};
	struct list list = {0};
	bool good = take_labels(&in, build, &text, &list);

	if (good)
		*ret = build_labels(build, list.labels, list.n);
	free(text.bytes);
	free(list.labels);
	return good;
}

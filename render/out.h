/* A checked stream of output bytes: the first error sticks, and nothing is lost without a word. */
#pragma once

#include "analyze/base/err.h"

#include <stdbool.h>
#include <string.h>

struct out;

/* What a terminal can do; nothing of it by default. */
struct out_look {
	uint32_t n_columns; /* 0: lines may be of any width */
	bool has_colours;
};

enum out_style { OUT_PLAIN, OUT_BOLD, OUT_GROWN, OUT_SHRUNK };

/* Writes to an open file descriptor, which stays the caller's. name is for messages. */
struct out *out_fd(int fd, const char *name);
/* Writes to a file: a regular or new one is written beside and renamed by out_close, so that it is whole or not there;
 * anything else (a device, a FIFO) is opened and written directly. */
struct err *out_file(const char *path, struct out **ret) MUST_CHECK;
void out_set_look(struct out *out, struct out_look look);
/* Of the terminal; 0: lines may be of any width. */
uint32_t out_columns(const struct out *out);
/* Collects the bytes in memory. */
struct out *out_memory(void);
const char *out_memory_bytes(const struct out *out, size_t *size_ret);
size_t out_memory_size(const struct out *out);

void out_bytes(struct out *out, const void *bytes, size_t size);
/* Inline, since the length of most texts is known to the compiler. */
static inline void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}
void out_printf(struct out *out, const char *format, ...) PRINTF_LIKE(2, 3);
void out_number(struct out *out, uint64_t value);
/* 16 digits in base 16. */
void out_address(struct out *out, uint64_t address);
/* From here on it is a page of HTML or XML: whatever is written as text shows as that text, and markup goes by out_markup
 * alone. */
void out_set_page(struct out *out);
void out_markup(struct out *out, const char *markup);
/* Likewise what was collected in memory, which it ends. */
void out_markup_collected(struct out *out, struct out *memory);
/* A name from a profile: control characters, bidi overrides and bytes that are not UTF-8 are shown escaped (\x1b). */
void out_name(struct out *out, const char *name);
/* A string of JSON (RFC 8259) in its quotes: always UTF-8, with U+FFFD for bytes that are not. What a terminal would obey
 * is escaped, and so is <, which could end a script that the text is put in. */
void out_json(struct out *out, const char *text);
/* A number of JSON: whole ones exactly, within 63 bits, others in the fewest digits that read back the same. */
void out_json_number(struct out *out, double value);
/* Likewise with a text behind it, at the end of a line: where the line would be wider than the terminal, the middle of the
 * name goes. */
void out_name_fitting(struct out *out, const char *name, const char *behind);
/* What follows looks so, where colours are wanted. */
void out_style(struct out *out, enum out_style style);
/* A line of a label and a name: "Comment: " and what it says. */
void out_line(struct out *out, const char *label, const char *name);

/* True once a write failed: a renderer may stop early. */
bool out_has_failed(const struct out *out);

/* Ends the output: flushes and renames. The error of the first write that failed; a file is then removed. A reader that
 * went away (EPIPE) has seen enough: that is no error. */
struct err *out_close(struct out *out) MUST_CHECK;
/* Ends it without a result: a file that was begun is removed. */
void out_discard(struct out *out);

/* Names that a text profile brings along for its own addresses. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct names;

struct names *names_new(void);
void names_free(struct names *names);

/* The next function at this address, the innermost inlined one first, which the input names with parameters (full) and
 * tables without (func). */
void names_add(struct names *names, uint64_t addr, str_id func, str_id full);
bool names_know(const struct names *names, uint64_t addr);

/* Splits "/a/b.go:10" or "Query.java:-1"; what is no number of a line becomes 0. False: the text has another shape, and
 * nothing is set. */
bool names_split_place(struct span text, struct span *file_ret, uint32_t *line_ret);

/* "#	0x4012b4	main.f+0x10	/a/b.go:10" of the Go runtime; several lines of one address are inlined
 * functions. False: the line is something else. */
bool names_take_line(struct names *names, struct build *build, struct span line);

/* Gives the locations of the current source that have no lines theirs, as hints: by the address itself, else by one more
 * (a return address, of which the location is one less), else by one less. */
void names_apply(struct names *names, struct build *build);

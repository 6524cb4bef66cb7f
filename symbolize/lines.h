/* DWARF, libdw's door: link-time addresses to functions, inlined calls, files and lines. */
#pragma once

#include "symbolize/find.h"
#include "symbolize/object.h"

struct lines;

/* One level of an address: the function, and the place in it. */
struct lines_frame {
	const char *linkage_name; /* NULL: the unit gives none */
	const char *name;         /* DW_AT_name; NULL: none */
	bool is_cplusplus;
	const char *file;      /* NULL: not known; absolute and without "." or ".." where the unit says enough */
	uint32_t line, column; /* 0: not known */
	uint32_t start_line;   /* where the function is declared; 0: not known */
	uint64_t entry;        /* lowest vaddr of the function's code; 0 for an inlined one */
};

/* Opens the DWARF in this file, which must outlive it. opts and diag serve to find a dwz alternate file; they, too,
 * must outlive it. NULL in *ret: there is no DWARF. The error names the file. */
struct err *lines_open(struct object_file *file, const struct find_opts *opts, struct diag *diag,
                       struct lines **ret) MUST_CHECK;
void lines_close(struct lines *lines);

/* frames[0] is the innermost inlined function, frames[n-1] the one that has code of its own; n >= 1. An address that
 * only a line table knows gives one frame without names. Texts last until the next call of lines_answer's callback. */
typedef void lines_found_fn(void *context, uint32_t index, const struct lines_frame *frames, uint32_t n);

/* Calls found once for each vaddr that the DWARF knows, in any order. vaddrs are sorted and distinct. Each unit that
 * is touched is walked once. A damaged unit loses its own addresses only, with one note of the file. */
void lines_answer(struct lines *lines, const uint64_t *vaddrs, uint32_t n, lines_found_fn *found, void *context);

/* DWARF: link-time addresses to functions, inlined calls, files and lines, in stages that several threads share. */
#pragma once

#include "analyze/base/pool.h"
#include "symbolize/binary.h"

struct lines;

/* One level of an address: the function, and the place in it. */
struct lines_frame {
	const char *linkage_name; /* NULL: the unit gives none */
	const char *name;         /* DW_AT_name; NULL: none */
	bool is_cplusplus;
	const char *file;      /* NULL: not known; absolute and without "." or ".." where the unit says enough */
	uint32_t line, column; /* 0: not known */
	uint32_t start_line;   /* where the function is declared; 0: not known */
	uint64_t entry;        /* where the first range of the function's code starts; 0 for an inlined one */
};

/* Lists the debug sections of an open binary, and those of its dwz alternate file. The binary outlives the lines; notes
 * go to it. NULL in *ret: it has no DWARF. The error names the file. */
struct err *lines_open(struct binary *binary, struct lines **ret) MUST_CHECK;
void lines_close(struct lines *lines);

/* The stages, one after the other. Jobs of one stage may run side by side. */

/* 1. Reads and inflates the sections, in loads, when there is room for all; those of the largest come first. lines_bytes is
 * what they take. */
uint32_t lines_n_loads(const struct lines *lines);
uint64_t lines_bytes(const struct lines *lines);
void lines_make_room(struct lines *lines);
struct err *lines_load(struct lines *lines, uint32_t load) MUST_CHECK;

/* 2. Chooses the units that hold any of these addresses, which are sorted and distinct and outlive the lines. */
struct err *lines_plan(struct lines *lines, const uint64_t *vaddrs, uint32_t n) MUST_CHECK;
uint32_t lines_n_units(const struct lines *lines);

/* 3. Each worker takes units, the largest first, until none is left: each unit is walked once. worker is below
 * LINES_MOST_WORKERS. step is called after each unit, with what was done so far, by all workers together. */
enum { LINES_MOST_WORKERS = POOL_MOST_THREADS };
typedef void lines_step_fn(void *context, uint32_t n_done);
void lines_work(struct lines *lines, uint32_t worker, lines_step_fn *step, void *context);

/* frames[0] is the innermost inlined function, frames[n-1] the one that has code of its own; n >= 1. An address that
 * only a line table knows gives one frame without names. Texts last until lines_close. */
typedef void lines_found_fn(void *context, uint32_t index, const struct lines_frame *frames, uint32_t n);

/* 4. Calls found once for each vaddr that the DWARF knows, in their order. Of several units that hold one address the
 * first counts. A damaged unit loses its own addresses only, with one note of the file; so does split DWARF that is not
 * there. Lookups of the lines' own are done then: the answers are the same for any number of workers. */
void lines_finish(struct lines *lines, lines_found_fn *found, void *context);

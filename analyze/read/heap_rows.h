/* The rows of a heap dump, "n: b [n2: b2] @ 0x... 0x...": a large file is cut into pieces that are parsed side by side. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* n and b are the live objects and bytes, n2 and b2 all that were ever allocated. */
enum { LIVE_N, LIVE_B, ALL_N, ALL_B, N_COUNTS };

/* One character, with or without blanks around it. */
bool heap_mark(struct span *line, char mark);

/* "n: b [n2: b2]", blanks or none between; *overflow is set for numbers of more than 63 bits. False: another shape. */
bool heap_counts(struct span *line, int64_t counts[N_COUNTS], bool *overflow);

/* The next return address of a row. NULL, or what is wrong with it. */
const char *heap_addr(struct span *line, uint64_t *ret);

/* Rows of one kind of trouble. */
struct row_trouble {
	uint32_t n;
	uint64_t line;    /* of the first */
	const char *what; /* the first one's, as "expected ..." */
};

void row_trouble_note(struct row_trouble *trouble, uint64_t line, const char *what);

enum heap_end { END_OF_FILE, END_AT_MAPS, END_AT_PROFILE };

/* Who takes what is found, in the order of the file, on the caller's thread. */
struct heap_rows {
	void *context;
	void (*row)(void *context, const int64_t counts[N_COUNTS], stack_id stack);
	void (*comment)(void *context, struct span line); /* "#<tab>0x...": symbols that the Go runtime adds */
	/* What is found out by the way. */
	enum heap_end
		end; /* what follows at in->at: rows of the map, or what stands behind the header of another profile */
	struct row_trouble bad;      /* rows that could not be read, and were skipped */
	struct row_trouble negative; /* rows with a negative count; they were taken */
};

/* Reads from in->at to the map section or another profile (behind its first line) or to the end of the file. Each frame becomes a location
 * of build one below the return address that the row holds. n_threads 0: as many as there are processors. */
void heap_rows_read(struct cursor *in, struct build *build, unsigned n_threads, struct heap_rows *rows);

/* The rows of tcmalloc's and Go's heap profiles, "n: b [n2: b2] @ 0x... 0x...": a large file is cut into pieces that are
 * parsed side by side. */
#pragma once

#include "analyze/read/heap_dump.h"
#include "analyze/read/losses.h"

/* What stands at in->at behind the rows: nothing, rows of the map, or what follows another profile's header. */
enum heap_end { END_OF_FILE, END_AT_MAPS, END_AT_PROFILE };

struct heap_rows {
	/* Who takes what is found: called in the order of the file, on the caller's thread. */
	void *context;
	void (*row)(void *context, const int64_t counts[N_COUNTS], stack_id stack);
	void (*comment)(void *context, struct span line); /* "#<tab>0x...": symbols that the Go runtime adds */
	/* What is found out by the way. */
	enum heap_end end;
	struct row_trouble bad;      /* rows that could not be read, and were skipped */
	struct row_trouble negative; /* rows with a negative count; they were taken */
};

/* Reads from in->at to the map section, or behind the first line of another profile, or to the end of the file. Each frame
 * becomes a location of build, at the call in front of its return address. n_threads 0: as many as there are processors. */
void heap_rows_read(struct cursor *in, struct build *build, unsigned n_threads, struct heap_rows *rows);

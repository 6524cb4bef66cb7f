/* What an input format is: how its head is known, and how it is read. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct read_opts {
	unsigned n_threads;       /* for one large file; 0: as many as there are processors */
	uint64_t max_inflate;     /* bytes a compressed file may expand to */
	bool no_unsample;         /* sampled counts as they stand in the file */
	uint64_t sampling_period; /* bytes; stands in for the one of the file; 0: the file's */
	const char *thread;       /* read what this thread allocated ("*": all, each apart); NULL: all together */
};

struct reader {
	const char *name;
	const char *help;
	/* Looks at the head of the file alone. After it says yes, an error is an error. */
	bool (*probe)(struct span head);
	bool is_binary;     /* log lines before it would be part of it */
	bool ends_anywhere; /* the last line need not end, or has been looked at */
	bool is_mapless;    /* files of this format have no map by nature, or bring names along */
	bool has_threads;   /* obeys read_opts.thread, or gives samples the label "thread" */
	/* Reads from in->at on into the source that was begun in build. Rows that cannot be read are notes; an error means
	 * that nothing could be. */
	struct err *(*read)(struct cursor *in, const struct read_opts *opts, struct build *build);
};

extern const struct reader reader_heap;
extern const struct reader reader_jeheap;
extern const struct reader reader_java;
extern const struct reader reader_contention;
extern const struct reader reader_gocount;
extern const struct reader reader_threadz;
extern const struct reader reader_cpu;
extern const struct reader reader_symbolized;
extern const struct reader reader_addresses;
extern const struct reader reader_proto;

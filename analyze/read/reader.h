/* What an input format is: how its head is known, and how it is read. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct reader {
	const char *name;
	const char *help;
	/* Looks at the head of the file alone. After it says yes, an error is an error. */
	bool (*probe)(struct span head);
	/* Fills build, which is empty. Rows that cannot be read are notes; an error means that nothing could be. */
	struct err *(*read)(struct cursor *in, struct build *build);
};

extern const struct reader reader_heap;

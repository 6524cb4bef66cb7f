/* Known leaks that are left out: a file of suppressions as LeakSanitizer reads it, and which stacks they match. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/profile.h"

struct suppression {
	const char *pattern; /* behind "leak:" */
};

struct suppressions {
	const char *path;
	struct suppression *items;
	uint32_t n;
};

/* What they leave out of a profile. */
struct suppressed {
	bool *of_stack;      /* by stack; NULL: there are no suppressions */
	bool *is_used;       /* by suppression: it matches a name of the profile */
	uint32_t n_used;     /* how many those are */
	uint32_t n_given_up; /* names that count as no match, for matching all took too long */
};

/* Reads lines "leak:PATTERN", comments (#) and empty lines. All that *ret points to lives in the arena, but for path, which
 * must outlive it. The error is a file that cannot be read or is no such text, with the line. */
struct err *suppressions_read(const char *path, struct arena *arena, struct suppressions *ret) MUST_CHECK;

/* As compiler-rt's sanitizer_suppressions has it: a part of the text is enough, '*' stands for any bytes, '^' at the start
 * and '$' for its ends, and what follows a '$' does not count. But "foo$" matches "foofoo", of which LeakSanitizer looks at
 * the first foo alone. */
bool suppression_matches(const char *pattern, const char *text);

/* A stack is left out when a pattern matches the function, with parameters or without, the source file or the object of any
 * of its frames. Each name is looked at once. suppressions may be NULL. */
struct suppressed suppressions_find(const struct suppressions *suppressions, const struct profile *profile);
void suppressed_free(struct suppressed *suppressed);

/* Reads lines that somebody types: libedit's door. Without it, and from what is no terminal, lines are read as they come. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What the end of a line, up to the cursor, may become. */
struct completion {
	size_t n_replaced;          /* so many of its last characters make room */
	const char *text;           /* for these; NULL: nothing is certain */
	const char *const *choices; /* what it may become, where nothing is */
	size_t n_choices;
};

struct edit_completer {
	void *context;
	/* Of the line's part before the cursor. What *ret points to stays until the next call. */
	void (*complete)(void *context, const char *line, struct completion *ret);
};

struct edit;

/* prompt and completer must outlive it. */
struct edit *edit_open(const char *prompt, const struct edit_completer *completer);
void edit_close(struct edit *edit);

/* The next line, which stays until the next call, "" where the user gave it up by Ctrl-C; NULL: there are no more. */
const char *edit_line(struct edit *edit);
/* The line can be called back. */
void edit_remember(struct edit *edit, const char *line);

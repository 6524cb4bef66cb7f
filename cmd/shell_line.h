/* A line of the shell taken apart: a setting, or a command with its words. */
#pragma once

#include "analyze/base/err.h"

struct shell_word {
	const char *text;
	bool is_quoted; /* it stood in quotes, so it is no option, number or redirection */
};

struct shell_line {
	const char *name; /* of the setting or the command; "": the line is empty */
	bool is_setting;
	const char *value;        /* of the setting, "" where nothing follows the '=' */
	const char *output;       /* of the command, behind '>'; NULL: none */
	struct shell_word *words; /* the others behind the command's name */
	uint32_t n_words;
};

/* The line without blanks around it, in the arena. */
const char *shell_line_trim(const char *text, struct arena *arena);
/* "//:" begins a comment. Texts live in the arena. The error is a '>' without a file, or a quote that does not end. */
struct err *shell_line_parse(const char *text, struct arena *arena, struct shell_line *ret) MUST_CHECK;

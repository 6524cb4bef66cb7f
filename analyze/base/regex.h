/* Patterns that users type, PCRE2's door: unanchored, case-sensitive, with limits. */
#pragma once

#include "analyze/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct regex;

/* The error names the option and the column of the pattern at which it ends to make sense. */
struct err *regex_new(const char *option, const char *pattern, struct regex **ret) MUST_CHECK;
/* A pattern that came with a profile, which the whole text must match. The error begins with name, its field. A match
 * has limits such that n_texts of them take a second or so, whatever the pattern. */
struct err *regex_new_whole(const char *name, const char *pattern, uint32_t n_texts, struct regex **ret) MUST_CHECK;
void regex_free(struct regex *regex);

/* Says whether the text contains a match. A match that passes the limits is none, and is counted; after
 * a second or so of such matches the limits are tighter. */
bool regex_match(struct regex *regex, const char *text);
/* How many matches passed the limits so far. */
unsigned regex_n_given_up(const struct regex *regex);

#include "analyze/base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_LIMIT = 100000, HEAP_LIMIT_KB = 20000, LONGEST_PATTERN = 64 << 10 };
enum { STEPS_A_SECOND = 100000000, LEAST_MATCH_LIMIT = 1000 };

struct regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
	uint32_t match_limit;
	uint64_t steps_left; /* that texts on which it gives up may cost */
	unsigned n_given_up;
};

/* name is how messages call the pattern: "--focus", "drop_frames". */
static struct err *compile(const char *name, const char *pattern, uint32_t flags, pcre2_code **ret)
{
	PCRE2_SIZE column = 0;
	PCRE2_UCHAR message[128];
	int code = 0;

	if (strlen(pattern) > LONGEST_PATTERN)
		return err_new("%s: expected a pattern of at most %d bytes", name, LONGEST_PATTERN);
	/* Names are bytes, not always UTF-8. */
	*ret = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_NEVER_BACKSLASH_C | flags, &code, &column,
	                     NULL);
	if (*ret)
		return NULL;
	pcre2_get_error_message(code, message, sizeof message);
	return err_new("%s=%s: column %zu: %s", name, pattern, (size_t)column + 1, (const char *)message);
}

static void set_limit(struct regex *regex, uint32_t limit)
{
	regex->match_limit = limit;
	pcre2_set_match_limit(regex->limits, limit);
}

static struct err *prepare(const char *name, pcre2_code *code, uint32_t match_limit, struct regex **ret)
{
	struct regex *regex = mem_zalloc(1, sizeof *regex);

	regex->code = code;
	regex->match = pcre2_match_data_create(1, NULL);
	regex->limits = pcre2_match_context_create(NULL);
	if (!regex->match || !regex->limits) {
		regex_free(regex);
		return err_new("%s: no memory for the pattern", name);
	}
	set_limit(regex, match_limit);
	pcre2_set_heap_limit(regex->limits, HEAP_LIMIT_KB);
	regex->steps_left = STEPS_A_SECOND;
	*ret = regex;
	return NULL;
}

struct err *regex_new(const char *option, const char *pattern, struct regex **ret)
{
	char name[80];
	pcre2_code *code;

	snprintf(name, sizeof name, "--%s", option);
	struct err *err = compile(name, pattern, 0, &code);
	return err ? err : prepare(name, code, MATCH_LIMIT, ret);
}

struct err *regex_new_whole(const char *name, const char *pattern, uint32_t n_texts, struct regex **ret)
{
	uint32_t limit = STEPS_A_SECOND / (n_texts ? n_texts : 1);
	pcre2_code *code;
	struct err *err = compile(name, pattern, PCRE2_ANCHORED | PCRE2_ENDANCHORED, &code);

	if (limit < LEAST_MATCH_LIMIT)
		limit = LEAST_MATCH_LIMIT;
	return err ? err : prepare(name, code, limit < MATCH_LIMIT ? limit : MATCH_LIMIT, ret);
}

void regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_match_context_free(regex->limits);
	pcre2_match_data_free(regex->match);
	pcre2_code_free(regex->code);
	free(regex);
}

/* A pattern that gives up on some names will do so on many, and a hostile file has a million of them. */
static void give_up(struct regex *regex)
{
	regex->n_given_up++;
	if (regex->steps_left > regex->match_limit)
		regex->steps_left -= regex->match_limit;
	else
		set_limit(regex, LEAST_MATCH_LIMIT);
}

bool regex_match(struct regex *regex, const char *text)
{
	int found = pcre2_match(regex->code, (PCRE2_SPTR)text, strlen(text), 0, 0, regex->match, regex->limits);

	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		give_up(regex);
	return found >= 0;
}

unsigned regex_n_given_up(const struct regex *regex)
{
	return regex->n_given_up;
}

#include "analyze/filter.h"

#include "analyze/base/index.h"
#include "analyze/base/regex.h"
#include "analyze/frames.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, NO, YES };
enum { LONGEST_PATH = 4096 }; /* a longer one names no file, and would be read again for each of its lines */

struct place {
	str_id file;
	uint32_t line;
	bool matches;
};

/* What is known while a pattern is held against the profile. */
struct matcher {
	const struct profile *p;
	struct regex *regex;
	bool sees_addresses; /* a pattern that begins 0x matches addresses, any other never does */
	uint8_t *of_str;
	struct place *places;
	uint32_t n_places, cap_places;
	struct index index; /* of places */
};

/* ---- texts ---- */

static bool match_str(struct matcher *matcher, str_id id)
{
	if (!id.row)
		return false;
	if (matcher->of_str[id.row] == UNKNOWN)
		matcher->of_str[id.row] = regex_match(matcher->regex, profile_text(matcher->p, id)) ? YES : NO;
	return matcher->of_str[id.row] == YES;
}

static bool match_plain(struct matcher *matcher, str_id id)
{
	char plain[FRAMES_PLAIN_NAME];

	if (matcher->of_str[id.row] == UNKNOWN) {
		bool has_name = frames_plain_name(profile_text(matcher->p, id), plain);

		matcher->of_str[id.row] = has_name && regex_match(matcher->regex, plain) ? YES : NO;
	}
	return matcher->of_str[id.row] == YES;
}

struct place_key {
	const struct matcher *matcher;
	str_id file;
	uint32_t line;
};

static bool same_place(const void *context, uint32_t row)
{
	const struct place_key *key = context;
	const struct place *place = &key->matcher->places[row];

	return place->file.row == key->file.row && place->line == key->line;
}

static bool match_place_text(struct matcher *matcher, str_id file, uint32_t line)
{
	char text[LONGEST_PATH + 16];

	if (matcher->p->strs[file.row].length > LONGEST_PATH)
		return false;
	snprintf(text, sizeof text, "%s:%" PRIu32, profile_text(matcher->p, file), line);
	return regex_match(matcher->regex, text);
}

static bool match_place(struct matcher *matcher, str_id file, uint32_t line)
{
	struct place_key key = {matcher, file, line};
	uint64_t hash = hash_pair(file.row, line);

	if (!file.row || !line)
		return false;
	uint32_t row = index_find(&matcher->index, hash, same_place, &key);
	if (row != INDEX_NONE)
		return matcher->places[row].matches;
	MEM_GROW(matcher->places, matcher->n_places, matcher->cap_places);
	index_add(&matcher->index, hash, matcher->n_places);
	struct place *place = &matcher->places[matcher->n_places++];
	*place = (struct place){file, line, match_place_text(matcher, file, line)};
	return place->matches;
}

static bool match_address(struct matcher *matcher, const struct location *loc)
{
	char addr[24];

	if (!matcher->sees_addresses)
		return false;
	snprintf(addr, sizeof addr, "0x%" PRIx64, loc->addr);
	return regex_match(matcher->regex, addr);
}

/* ---- lines and locations ---- */

static bool match_line(struct matcher *matcher, const struct line *line)
{
	const struct function *func = &matcher->p->funcs[line->func.row];

	return match_str(matcher, func->name) || match_str(matcher, func->full_name) || match_str(matcher, func->file) ||
	       match_place(matcher, func->file, line->line);
}

static bool match_plain_line(struct matcher *matcher, const struct line *line)
{
	return match_plain(matcher, matcher->p->funcs[line->func.row].name);
}

static bool match_loc(struct matcher *matcher, const struct location *loc)
{
	return match_str(matcher, matcher->p->objects[loc->object.row].file) || match_address(matcher, loc);
}

static bool match_outermost(struct matcher *matcher, const struct location *loc)
{
	if (loc->n_lines) {
		const struct line *line = &matcher->p->lines[loc->first_line + loc->n_lines - 1];
		const struct function *func = &matcher->p->funcs[line->func.row];

		if (match_str(matcher, func->name) || match_str(matcher, func->full_name))
			return true;
	}
	return match_address(matcher, loc);
}

/* ---- the filter ---- */

/* What may match; NULL: none of them does. */
struct targets {
	bool (*line)(struct matcher *, const struct line *);
	bool (*loc)(struct matcher *, const struct location *);
};

static void match_all(struct filter *filter, struct matcher *matcher, const struct targets *targets)
{
	const struct profile *p = matcher->p;

	for (uint32_t i = 0; targets->line && i < p->n_lines; i++) {
		filter->of_line[i] = targets->line(matcher, &p->lines[i]);
		filter->has_match |= filter->of_line[i];
	}
	for (uint32_t i = 1; targets->loc && i < p->n_locs; i++) {
		filter->of_loc[i] = targets->loc(matcher, &p->locs[i]);
		filter->has_match |= filter->of_loc[i];
	}
	filter->n_given_up = regex_n_given_up(matcher->regex);
}

static struct err *make(const struct profile *p, const char *option, const char *pattern, const struct targets *targets,
                        struct filter **ret)
{
	struct matcher matcher = {.p = p};

	*ret = NULL;
	if (!pattern)
		return NULL;
	struct err *err = regex_new(option, pattern, &matcher.regex);
	if (err)
		return err;
	struct filter *filter = mem_zalloc(1, sizeof *filter);
	filter->option = option;
	filter->pattern = pattern;
	filter->of_line = mem_zalloc(p->n_lines, sizeof *filter->of_line);
	filter->of_loc = mem_zalloc(p->n_locs, sizeof *filter->of_loc);
	matcher.sees_addresses = strncmp(pattern, "0x", 2) == 0;
	matcher.of_str = mem_zalloc(p->n_strs, 1);
	match_all(filter, &matcher, targets);
	regex_free(matcher.regex);
	free(matcher.of_str);
	free(matcher.places);
	index_free(&matcher.index);
	*ret = filter;
	return NULL;
}

struct err *filter_new(const struct profile *profile, const char *option, const char *pattern, struct filter **ret)
{
	return make(profile, option, pattern, &(struct targets){match_line, match_loc}, ret);
}

struct err *filter_new_plain(const struct profile *profile, const char *option, const char *pattern,
                             struct filter **ret)
{
	return make(profile, option, pattern, &(struct targets){.line = match_plain_line}, ret);
}

struct err *filter_new_outermost(const struct profile *profile, const char *option, const char *pattern,
                                 struct filter **ret)
{
	return make(profile, option, pattern, &(struct targets){.loc = match_outermost}, ret);
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	free(filter->of_line);
	free(filter->of_loc);
	free(filter);
}

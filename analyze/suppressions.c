#include "analyze/suppressions.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20, LONGEST_SHOWN = 60 };
/* Patterns are found by three bytes that they hold, so that a name need not be held against each. */
enum { GRAM = 3, BUCKET_BITS = 16, N_BUCKETS = 1 << BUCKET_BITS, NONE = UINT32_MAX };

/* Patterns held against names, and bytes of names that they then look at. What is left counts as no match: hostile lists
 * and names would take minutes, while a hundred patterns without three bytes in a row and a million names take a tenth. */
static const uint64_t MOST_WORK = UINT64_C(1000000000);

/* ---- the file ---- */

static struct err *bad_line(const char *path, uint32_t number, const char *at, size_t length, struct arena *arena)
{
	size_t shown = text_cut_bytes(at, length, LONGEST_SHOWN);

	return err_new("%s:%" PRIu32 ": expected leak:PATTERN, a comment (#) or an empty line, found %s%s", path, number,
	               arena_strndup(arena, at, shown), shown < length ? "..." : "");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct err *read_line(struct suppressions *to, uint32_t number, const char *at, size_t length,
                             struct arena *arena)
{
	static const char kind[] = "leak:";
	const size_t n_kind = sizeof kind - 1;

	while (length && is_blank(*at))
		at++, length--;
	while (length && is_blank(at[length - 1]))
		length--;
	if (!length || *at == '#')
		return NULL;
	if (length <= n_kind || memcmp(at, kind, n_kind) != 0 || memchr(at, '\0', length))
		return bad_line(to->path, number, at, length, arena);
	to->items[to->n++] = (struct suppression){arena_strndup(arena, at + n_kind, length - n_kind)};
	return NULL;
}

static struct err *read_lines(const struct bytes *bytes, struct arena *arena, struct suppressions *ret)
{
	struct text_lines lines;
	struct err *err = NULL;

	text_lines_find((const char *)bytes->data, bytes->size, arena, &lines);
	ret->items = arena_alloc(arena, lines.n, sizeof *ret->items);
	for (uint32_t i = 1; !err && i <= lines.n; i++) {
		size_t length;
		const char *at = text_line(&lines, i, &length);

		err = read_line(ret, i, at, length, arena);
	}
	return err;
}

struct err *suppressions_read(const char *path, struct arena *arena, struct suppressions *ret)
{
	struct bytes bytes = {0};
	struct err *err = file_read_regular(path, MOST_BYTES, &bytes);

	if (err)
		return err;
	*ret = (struct suppressions){.path = path};
	err = read_lines(&bytes, arena, ret);
	bytes_free(&bytes);
	return err;
}

/* ---- a pattern and a text ---- */

static bool matches_end(const char *piece, size_t n, const char *text, const char *end, bool at_start)
{
	size_t left = (size_t)(end - text);

	return n <= left && (!at_start || n == left) && memcmp(end - n, piece, n) == 0;
}

static const char *find_piece(const char *piece, size_t n, const char *text, const char *end, bool at_start)
{
	size_t left = (size_t)(end - text);

	if (!at_start)
		return memmem(text, left, piece, n);
	return n <= left && memcmp(text, piece, n) == 0 ? text : NULL;
}

/* Of the pieces between the stars each is taken where it comes first: where the others fit behind a later one, they fit here. */
bool suppression_matches(const char *pattern, const char *text)
{
	const char *end = text + strlen(text);
	bool at_start = *pattern == '^';

	for (pattern += at_start; *pattern;) {
		size_t n = strcspn(pattern, "*$");

		if (pattern[n] == '$')
			return matches_end(pattern, n, text, end, at_start);
		const char *found = find_piece(pattern, n, text, end, at_start);
		if (!found)
			return false;
		text = found + n;
		pattern += n + strspn(pattern + n, "*");
		at_start = false;
	}
	return true;
}

/* ---- many patterns and many names ---- */

enum { UNKNOWN, NO, YES };
enum { COST_OF_PIECE = 32 };

/* What is known of a pattern before any text. */
struct candidate {
	uint64_t bytes; /* that a text must hold, as bytes_of_text has it */
	uint32_t cost;  /* of its pieces: as many bytes as can be looked at in the time */
	uint32_t next;  /* the next one of its bucket */
};

struct matcher {
	const struct suppressions *of;
	const struct profile *p;
	struct suppressed *to;
	uint8_t *of_str;              /* by string of the profile */
	uint32_t n_texts;             /* that were looked at, this one included */
	uint32_t *buckets;            /* the first pattern of each; NONE: there is none */
	uint32_t *walked;             /* by bucket: the last text for which it was walked */
	struct candidate *candidates; /* by pattern */
	uint32_t without;             /* the first of those that hold no three bytes */
	uint64_t work;                /* done so far: patterns that were tried, bytes that they looked at */
};

/* Which bytes it holds: one bit for four of them. */
static uint64_t bytes_of_text(const char *text, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes |= UINT64_C(1) << ((uint8_t)text[i] & 63);
	return bytes;
}

static uint32_t bucket_of(const char *at)
{
	uint32_t gram = (uint32_t)(uint8_t)at[0] | (uint32_t)(uint8_t)at[1] << 8 | (uint32_t)(uint8_t)at[2] << 16;

	return gram * 2654435761U >> (32 - BUCKET_BITS);
}

/* The bucket that fewest use, of the pattern's own so far and those of one of its pieces. */
static uint32_t choose_bucket(const char *piece, size_t n, const uint32_t *counts, uint32_t best)
{
	for (size_t i = 0; i + GRAM <= n; i++) {
		uint32_t bucket = bucket_of(piece + i);

		if (best == NONE || counts[bucket] < counts[best])
			best = bucket;
	}
	return best;
}

/* Returns its bucket, of what each text that matches must hold; NONE: there is none. */
static uint32_t look_at_pattern(const char *pattern, const uint32_t *counts, struct candidate *ret)
{
	uint32_t bucket = NONE;

	for (const char *at = pattern + (*pattern == '^'); *at && *at != '$';) {
		size_t n = strcspn(at, "*$");

		bucket = choose_bucket(at, n, counts, bucket);
		ret->bytes |= bytes_of_text(at, n);
		ret->cost += COST_OF_PIECE;
		at += n + strspn(at + n, "*");
	}
	return bucket;
}

static void fill_buckets(struct matcher *matcher)
{
	uint32_t *counts = mem_zalloc(N_BUCKETS, sizeof *counts);

	memset(matcher->buckets, 0xff, N_BUCKETS * sizeof *matcher->buckets);
	matcher->without = NONE;
	for (uint32_t i = matcher->of->n; i-- > 0;) {
		struct candidate *candidate = &matcher->candidates[i];
		uint32_t bucket = look_at_pattern(matcher->of->items[i].pattern, counts, candidate);
		uint32_t *first = bucket == NONE ? &matcher->without : &matcher->buckets[bucket];

		if (bucket != NONE)
			counts[bucket]++;
		candidate->next = *first;
		*first = i;
	}
	free(counts);
}

struct text {
	const char *at;
	size_t n;
	uint64_t bytes;  /* as bytes_of_text has it */
	bool is_matched; /* by any pattern */
	bool is_given_up;
};

static void try_list(struct matcher *matcher, uint32_t first, struct text *text)
{
	for (uint32_t i = first; i != NONE; i = matcher->candidates[i].next) {
		const struct candidate *candidate = &matcher->candidates[i];

		if (matcher->work > MOST_WORK) {
			text->is_given_up = true;
			return;
		}
		matcher->work++;
		if (candidate->bytes & ~text->bytes)
			continue;
		matcher->work += text->n + candidate->cost;
		if (!suppression_matches(matcher->of->items[i].pattern, text->at))
			continue;
		matcher->to->n_used += !matcher->to->is_used[i];
		matcher->to->is_used[i] = text->is_matched = true;
	}
}

static bool match_text(struct matcher *matcher, const char *at)
{
	struct text text = {.at = at, .n = strlen(at)};

	text.bytes = bytes_of_text(at, text.n);
	matcher->n_texts++;
	try_list(matcher, matcher->without, &text);
	for (size_t i = 0; i + GRAM <= text.n; i++) {
		uint32_t bucket = bucket_of(at + i);

		if (matcher->buckets[bucket] == NONE || matcher->walked[bucket] == matcher->n_texts)
			continue;
		matcher->walked[bucket] = matcher->n_texts;
		try_list(matcher, matcher->buckets[bucket], &text);
	}
	matcher->to->n_given_up += text.is_given_up && !text.is_matched;
	return text.is_matched;
}

static bool match_str(struct matcher *matcher, str_id id)
{
	if (!id.row)
		return false;
	if (matcher->of_str[id.row] == UNKNOWN)
		matcher->of_str[id.row] = match_text(matcher, profile_text(matcher->p, id)) ? YES : NO;
	return matcher->of_str[id.row] == YES;
}

static bool match_function(struct matcher *matcher, const struct function *func)
{
	bool by_name = match_str(matcher, func->name), by_full_name = match_str(matcher, func->full_name);

	return match_str(matcher, func->file) || by_name || by_full_name;
}

/* All names are looked at, whichever matches first: a pattern that matches any of them is of use. */
static bool match_loc(struct matcher *matcher, const struct location *loc)
{
	const struct profile *p = matcher->p;
	bool found = match_str(matcher, p->objects[loc->object.row].file);

	for (uint32_t i = 0; i < loc->n_lines; i++)
		found |= match_function(matcher, &p->funcs[p->lines[loc->first_line + i].func.row]);
	return found;
}

static void match_stacks(struct matcher *matcher)
{
	const struct profile *p = matcher->p;
	bool *of_loc = mem_zalloc(p->n_locs, sizeof *of_loc);

	for (uint32_t i = 1; i < p->n_locs; i++)
		of_loc[i] = match_loc(matcher, &p->locs[i]);
	for (uint32_t i = 0; i < p->n_stacks; i++)
		for (uint32_t k = 0; k < p->stacks[i].n && !matcher->to->of_stack[i]; k++)
			matcher->to->of_stack[i] = of_loc[p->frames[p->stacks[i].first + k].row];
	free(of_loc);
}

struct suppressed suppressions_find(const struct suppressions *suppressions, const struct profile *profile)
{
	struct suppressed ret = {0};
	struct matcher matcher = {.of = suppressions, .p = profile, .to = &ret};

	if (!suppressions)
		return ret;
	ret.of_stack = mem_zalloc(profile->n_stacks, sizeof *ret.of_stack);
	ret.is_used = mem_zalloc(suppressions->n, sizeof *ret.is_used);
	matcher.of_str = mem_zalloc(profile->n_strs, sizeof *matcher.of_str);
	matcher.buckets = mem_alloc(N_BUCKETS, sizeof *matcher.buckets);
	matcher.walked = mem_zalloc(N_BUCKETS, sizeof *matcher.walked);
	matcher.candidates = mem_zalloc(suppressions->n, sizeof *matcher.candidates);
	fill_buckets(&matcher);
	match_stacks(&matcher);
	free(matcher.of_str);
	free(matcher.buckets);
	free(matcher.walked);
	free(matcher.candidates);
	return ret;
}

void suppressed_free(struct suppressed *suppressed)
{
	free(suppressed->of_stack);
	free(suppressed->is_used);
}

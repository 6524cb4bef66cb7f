#include "analyze/frames.h"

#include "analyze/allocators.h"
#include "analyze/base/regex.h"
#include "analyze/profilers.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, NO, YES };

/* ---- at the leaf: the allocator, or the lock ---- */

/* Each name is looked at once. */
struct leaves {
	const struct profile *p;
	enum profile_family family;
	uint8_t *of_name, *of_object;
};

static bool is_leaf_func(struct leaves *leaves, func_id func, bool inlined)
{
	str_id id = profile_rule_name(leaves->p, func);
	const char *name = profile_text(leaves->p, id);
	bool is_heap = leaves->family == FAMILY_HEAP;

	if (leaves->of_name[id.row] == UNKNOWN)
		leaves->of_name[id.row] =
			(is_heap ? allocator_has_function(name) : profiler_has_lock_function(name)) ? YES : NO;
	return leaves->of_name[id.row] == YES || (is_heap && inlined && allocator_has_inlined_function(name));
}

static bool is_leaf_object(struct leaves *leaves, object_id object)
{
	if (leaves->family != FAMILY_HEAP)
		return false;
	if (leaves->of_object[object.row] == UNKNOWN)
		leaves->of_object[object.row] =
			allocator_has_object(profile_text(leaves->p, leaves->p->objects[object.row].file)) ? YES : NO;
	return leaves->of_object[object.row] == YES;
}

/* How many of the location's lines, from the inner end, are dropped. */
static uint32_t count_leaf_lines(struct leaves *leaves, const struct location *loc)
{
	uint32_t n = 0;

	if (is_leaf_object(leaves, loc->object))
		return loc->n_lines;
	while (n < loc->n_lines && is_leaf_func(leaves, leaves->p->lines[loc->first_line + n].func, n + 1 < loc->n_lines))
		n++;
	return n;
}

/* What the Go runtime allocates for itself has nothing behind it that could hold the memory. */
static bool is_all_runtime(const struct profile *p, const struct stack *stack)
{
	for (uint32_t i = 0; i < stack->n; i++) {
		const struct location *loc = &p->locs[p->frames[stack->first + i].row];

		for (uint32_t k = loc->first_line; k < loc->first_line + loc->n_lines; k++)
			if (!allocator_is_go_runtime(profile_text(p, profile_rule_name(p, p->lines[k].func))))
				return false;
		if (!loc->n_lines)
			return false;
	}
	return stack->n > 0;
}

/* Walks from the leaf while the frames are of the kind; the last frame of a stack always stays. */
static struct frames_start cut_leaf(struct leaves *leaves, const struct stack *stack)
{
	struct frames_start last = {0};

	for (uint32_t i = 0; i < stack->n; i++) {
		const struct location *loc = &leaves->p->locs[leaves->p->frames[stack->first + i].row];
		uint32_t n = count_leaf_lines(leaves, loc);

		if (n < loc->n_lines || !(n || is_leaf_object(leaves, loc->object)))
			return (struct frames_start){.frame = i, .line = n};
		last = (struct frames_start){.frame = i, .line = n ? n - 1 : 0};
	}
	if (is_all_runtime(leaves->p, stack))
		return (struct frames_start){0};
	return last;
}

static void cut_leaves(const struct profile *p, struct frames_start *starts)
{
	struct leaves leaves = {.p = p, .family = profile_family(p)};

	if (leaves.family != FAMILY_HEAP && leaves.family != FAMILY_CONTENTION)
		return;
	leaves.of_name = mem_zalloc(p->n_strs, 1);
	leaves.of_object = mem_zalloc(p->n_objects, 1);
	for (uint32_t i = 0; i < p->n_stacks; i++)
		starts[i] = cut_leaf(&leaves, &p->stacks[i]);
	free(leaves.of_name);
	free(leaves.of_object);
}

/* ---- what the profile says to drop ---- */

/* drop_frames and keep_frames of a profile.proto, as google/pprof obeys them (profile/prune.go). */
struct patterns {
	const struct profile *p;
	struct regex *drop, *keep;
	uint8_t *of_name;
};

/* The length of the name without its parameters: up to the first '(' that is no part of a name. */
static size_t length_without_parameters(const char *name)
{
	static const char *const parts[] = {"(anonymous namespace)", "operator()"};
	const char *at = name;

	while (*at) {
		size_t skip = *at != '(';

		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (strncmp(at, parts[i], strlen(parts[i])) == 0)
				skip = strlen(parts[i]);
		if (!skip)
			break;
		at += skip;
	}
	return (size_t)(at - name);
}

bool frames_plain_name(const char *name, char plain[FRAMES_PLAIN_NAME])
{
	name += *name == '.'; /* code entries of the first PowerPC ABI */
	size_t length = length_without_parameters(name);

	if (!length || length >= FRAMES_PLAIN_NAME)
		return false;
	memcpy(plain, name, length);
	plain[length] = '\0';
	return true;
}

static bool match_name(const struct patterns *patterns, const char *name)
{
	char plain[FRAMES_PLAIN_NAME];

	return frames_plain_name(name, plain) && regex_match(patterns->drop, plain) &&
	       !(patterns->keep && regex_match(patterns->keep, plain));
}

static bool is_dropped(struct patterns *patterns, func_id func)
{
	str_id name = profile_rule_name(patterns->p, func);
	uint8_t *known = &patterns->of_name[name.row];

	if (*known == UNKNOWN)
		*known = match_name(patterns, profile_text(patterns->p, name)) ? YES : NO;
	return *known == YES;
}

/* From the root to the leaf: behind a frame that stays, the first that is dropped takes all before it along. */
static struct frames_start cut_by_patterns(struct patterns *patterns, const struct stack *stack)
{
	bool has_kept = false;

	for (uint32_t i = stack->n; i-- > 0;) {
		const struct location *loc = &patterns->p->locs[patterns->p->frames[stack->first + i].row];

		has_kept |= !loc->n_lines;
		for (uint32_t k = loc->n_lines; k-- > 0;) {
			bool dropped = is_dropped(patterns, patterns->p->lines[loc->first_line + k].func);

			if (dropped && has_kept)
				return k + 1 < loc->n_lines ? (struct frames_start){.frame = i, .line = k + 1}
				                            : (struct frames_start){.frame = i + 1};
			has_kept |= !dropped;
		}
	}
	return (struct frames_start){0};
}

static struct frames_start later(struct frames_start a, struct frames_start b)
{
	return a.frame > b.frame || (a.frame == b.frame && a.line > b.line) ? a : b;
}

/* NULL: the profile has no such pattern, or a bad one. */
static struct regex *compile(const struct profile *p, const char *name, str_id pattern, struct diag *notes)
{
	struct regex *regex = NULL;
	struct err *err = NULL;

	if (pattern.row)
		err = regex_new_whole(name, profile_text(p, pattern), p->n_funcs, &regex);
	if (err)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN, "the profile's %s; it is not used", err_text(err));
	err_free(err);
	return regex;
}

static void note_given_up(const struct patterns *patterns, struct diag *notes)
{
	unsigned n = regex_n_given_up(patterns->drop) + (patterns->keep ? regex_n_given_up(patterns->keep) : 0);

	if (n)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN,
		         "the profile's drop_frames: %u names took too long to match and count as no match", n);
}

static void cut_dropped(const struct profile *p, struct frames_start *starts, struct diag *notes)
{
	struct patterns patterns = {.p = p, .drop = compile(p, "drop_frames", p->drop_frames, notes)};

	if (!patterns.drop)
		return;
	patterns.keep = compile(p, "keep_frames", p->keep_frames, notes);
	patterns.of_name = mem_zalloc(p->n_strs, 1);
	for (uint32_t i = 0; i < p->n_stacks; i++)
		starts[i] = later(starts[i], cut_by_patterns(&patterns, &p->stacks[i]));
	note_given_up(&patterns, notes);
	regex_free(patterns.drop);
	regex_free(patterns.keep);
	free(patterns.of_name);
}

/* ---- the signal's frame ---- */

/* Frame 0 is where the signal came; frame 1 may be the handler's, or what the kernel returns through. */
static bool second_is_signal(const struct profile *p, const struct stack *stack)
{
	if (stack->n < 2)
		return false;
	const struct location *loc = &p->locs[p->frames[stack->first + 1].row];
	if (profiler_has_object(profile_text(p, p->objects[loc->object.row].file)))
		return true;
	if (!loc->n_lines)
		return false;
	func_id outermost = p->lines[loc->first_line + loc->n_lines - 1].func;
	return profiler_has_signal_function(profile_text(p, profile_rule_name(p, outermost)));
}

static void drop_signals(const struct profile *p, struct frames_start *starts)
{
	enum profile_family family = profile_family(p);

	if (family == FAMILY_HEAP || family == FAMILY_CONTENTION)
		return;
	for (uint32_t i = 0; i < p->n_stacks; i++)
		starts[i].drops_second = starts[i].frame == 0 && second_is_signal(p, &p->stacks[i]);
}

struct frames_start *frames_find_starts(const struct profile *profile, struct diag *notes)
{
	struct frames_start *starts = mem_zalloc(profile->n_stacks, sizeof *starts);

	cut_leaves(profile, starts);
	cut_dropped(profile, starts, notes);
	drop_signals(profile, starts);
	return starts;
}

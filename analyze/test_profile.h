/* Small profiles written as text, for *_test.c alone. */
#pragma once

#include "analyze/build.h"

#include <string.h>

/* frames: functions leaf first, separated by blanks; "a>b" is a inlined into b. '_' in a name stands for a blank when
 * it follows "operator". An entry without frames ends the list. */
struct test_stack {
	const char *frames;
	double value, base;
};

static inline uint64_t test_hash(const char *text, size_t length)
{
	uint64_t hash = 5381;

	for (size_t i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)text[i];
	return hash;
}

static inline loc_id test_loc(struct build *build, const char *text, size_t length)
{
	loc_id loc = build_loc(build, test_hash(text, length));
	struct line lines[8] = {0};
	uint32_t n = 0;

	if (build_profile(build)->locs[loc.row].n_lines)
		return loc;
	for (const char *at = text; at < text + length; n++) {
		size_t size = strcspn(at, "> ");
		char name[64] = {0};

		memcpy(name, at, size);
		if (strncmp(name, "operator_", 9) == 0)
			name[8] = ' ';
		lines[n].func = build_func(build, &(struct function){.name = build_cstr(build, name)});
		at += size + (at + size < text + length);
	}
	build_lines(build, loc, lines, n);
	return loc;
}

static inline stack_id test_stack_of(struct build *build, const char *frames)
{
	loc_id locs[16];
	uint32_t n = 0;

	for (const char *at = frames; *at; n++) {
		size_t length = strcspn(at, " ");

		locs[n] = test_loc(build, at, length);
		at += length + (at[length] == ' ');
	}
	return build_stack(build, locs, n);
}

static inline struct build *test_build(const struct test_stack *stacks, bool base)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "inuse_space", "bytes");
	for (; stacks->frames; stacks++)
		build_sample(build, test_stack_of(build, stacks->frames), (labels_id){0},
		             base ? &stacks->base : &stacks->value);
	return build;
}

static inline struct profile *test_profile(const struct test_stack *stacks)
{
	struct build *build = test_build(stacks, false), *base = test_build(stacks, true);

	assert_null(build_append(build, build_profile(base), SET_BASE));
	build_free(base);
	return build_finish(build);
}

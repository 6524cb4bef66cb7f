#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/namesakes.h"

#include <stdlib.h>

struct fixture {
	struct build *build;
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
};

static void add(struct build *build, uint64_t addr, const char *file, const char *system_name, uint32_t start)
{
	loc_id loc = build_loc(build, addr);
	struct function function = {.name = build_cstr(build, "f"),
	                            .system_name = build_cstr(build, system_name),
	                            .file = build_cstr(build, file),
	                            .start_line = start};
	struct line line = {.func = build_func(build, &function), .line = start + 1};
	double one = 1;

	build_lines(build, loc, &line, 1);
	build_sample(build, build_stack(build, &loc, 1), (labels_id){0}, &one);
}

struct second {
	const char *file, *system_name;
	uint32_t start;
	bool are_two;
};

/* Beside f of a.c, which begins at line 10, and of a location that lacks a name. */
static void expect(const struct second *second)
{
	struct fixture f = {.build = build_new(), .arena = arena_new()};

	build_source(f.build, "test", "test");
	build_type(f.build, "samples", "count");
	build_loc(f.build, 0x50);
	add(f.build, 0x100, "a.c", "f", 10);
	add(f.build, 0x200, second->file, second->system_name, second->start);
	f.profile = build_finish(f.build);
	assert_null(view_new(f.profile, &(struct view_opts){0}, &f.view));
	tally(f.view, &(struct row_opts){.granularity = BY_FUNCTION}, f.arena, &f.table);
	assert_int_equal(f.table.n, 2);
	bool *found = namesakes_find(&f.table);
	assert_false(found[0]);
	assert_int_equal(found[1], second->are_two);
	free(found);
	table_free(&f.table);
	arena_free(f.arena);
	view_free(f.view);
	profile_free(f.profile);
}

static void only_static_functions_of_two_files_are_two(void **state)
{
	(void)state;
	static const struct second cases[] = {
		{"b.c", "f", 20, true},  {"b.c", "f", 10, false}, {"b.c", "f", 0, false},
		{"a.c", "f", 20, false}, {"", "f", 20, false},    {"b.c", "_Z1fi", 20, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_static_functions_of_two_files_are_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

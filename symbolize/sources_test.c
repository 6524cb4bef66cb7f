#include "symbolize/sources.h"
#include "analyze/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file {
	const char *name;
	uint64_t folder;
	const char *path; /* expected; NULL: none */
};

static void check(unsigned version, const char *folder, const char *const *folders, const struct file *files)
{
	struct arena *arena = arena_new();
	struct sources sources = {0};
	uint64_t first = version >= 5 ? 0 : 1;

	sources_init(&sources, arena);
	sources_clear(&sources, folder);
	sources.version = version;
	for (; *folders; folders++)
		sources_add_folder(&sources, *folders);
	for (uint64_t i = 0; files[i].name; i++)
		sources_add_file(&sources, files[i].name, files[i].folder);
	for (uint64_t i = 0; files[i].name; i++) {
		const char *path = sources_path(&sources, first + i);

		if (!path || !files[i].path)
			assert_ptr_equal(path, files[i].path);
		else
			assert_string_equal(path, files[i].path);
		assert_ptr_equal(sources_path(&sources, first + i), path);
	}
	sources_free(&sources);
	arena_free(arena);
}

static void old_tables_count_from_1_and_leave_out_the_units_folder(void **state)
{
	static const char *const FOLDERS[] = {"include", "/usr/include", NULL};
	static const struct file FILES[] = {
		{"a.c", 0, "/build/a.c"},
		{"a.h", 1, "/build/include/a.h"},
		{"stdio.h", 2, "/usr/include/stdio.h"},
		{"/abs/./b.h", 2, "/abs/b.h"},
		{"far.h", 3, "/build/far.h"},
		{"../c.c", 0, "/c.c"},
		{"../../../d.c", 0, "/d.c"},
		{"", 0, NULL},
		{NULL, 0, NULL},
	};

	(void)state;
	check(4, "/build", FOLDERS, FILES);
}

static void new_tables_count_from_0_and_hold_the_units_folder(void **state)
{
	static const char *const FOLDERS[] = {"/build", "include", NULL};
	static const char *const OTHER[] = {"sub", "include", NULL};
	static const struct file FILES[] = {
		{"a.c", 0, "/build/a.c"},
		{"a.h", 1, "/build/include/a.h"},
		{NULL, 0, NULL},
	};
	static const struct file OTHERS[] = {
		{"a.c", 0, "/build/sub/a.c"},
		{"a.h", 1, "/build/sub/include/a.h"},
		{NULL, 0, NULL},
	};

	(void)state;
	check(5, "/build", FOLDERS, FILES);
	check(5, "/build", OTHER, OTHERS);
}

static void a_relative_path_keeps_what_it_cannot_resolve(void **state)
{
	static const char *const FOLDERS[] = {NULL};
	static const struct file FILES[] = {
		{"../x/../a.c", 0, "../a.c"},
		{"x/../../b.c", 0, "../b.c"},
		{"../../c.c", 0, "../../c.c"},
		{"./.", 0, NULL},
		{NULL, 0, NULL},
	};

	(void)state;
	check(4, "", FOLDERS, FILES);
}

static void a_number_outside_the_table_is_no_file(void **state)
{
	struct arena *arena = arena_new();
	struct sources sources = {.version = 4};

	(void)state;
	sources_init(&sources, arena);
	sources_clear(&sources, "/build");
	sources_add_file(&sources, "a.c", 0);
	assert_null(sources_path(&sources, 0));
	assert_null(sources_path(&sources, 2));
	assert_null(sources_path(&sources, UINT64_MAX));
	sources.version = 5;
	assert_null(sources_path(&sources, 1));
	sources_clear(&sources, "/build");
	assert_null(sources_path(&sources, 0));
	sources_free(&sources);
	arena_free(arena);
}

static void a_path_that_is_too_long_is_none(void **state)
{
	static const char *const FOLDERS[] = {NULL};
	char *name = mem_zalloc(5001, 1);
	struct file files[] = {{name, 0, NULL}, {NULL, 0, NULL}};

	(void)state;
	memset(name, 'a', 5000);
	check(4, "/build", FOLDERS, files);
	free(name);
}

int main(void)
{
	const struct CMUnitTest TESTS[] = {
		cmocka_unit_test(old_tables_count_from_1_and_leave_out_the_units_folder),
		cmocka_unit_test(new_tables_count_from_0_and_hold_the_units_folder),
		cmocka_unit_test(a_relative_path_keeps_what_it_cannot_resolve),
		cmocka_unit_test(a_number_outside_the_table_is_no_file),
		cmocka_unit_test(a_path_that_is_too_long_is_none),
	};

	return cmocka_run_group_tests(TESTS, NULL, NULL);
}

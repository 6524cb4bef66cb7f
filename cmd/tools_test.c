#include "analyze/test.h"

#include "cmd/tools.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/pprof-tools-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return -1;
	int a = open("objdump", O_CREAT | O_WRONLY, 0700), b = open("cross-objdump", O_CREAT | O_WRONLY, 0700);
	return close(a) + close(b);
}

static int remove_folder(void **state)
{
	(void)state;
	return unlink("objdump") + unlink("cross-objdump") + rmdir(folder);
}

static void expect(const char *tools, const char *path)
{
	struct arena *arena = arena_new();
	const char *found = NULL;

	assert_null(tools_objdump(tools, arena, &found));
	assert_string_equal(found, path);
	arena_free(arena);
}

static void one_of_the_list_tells(void **state)
{
	(void)state;
	expect("objdump:./cross-objdump", "./cross-objdump");
	expect("objdump:.", "./objdump");
	expect(".", "./objdump");
	expect("./cross-", "./cross-objdump");
	expect("nm:./nm,nowhere/,./cross-", "./cross-objdump");
}

static void others_leave_it_to_the_path(void **state)
{
	(void)state;
	expect("", "objdump");
	expect("nm:/opt/nm,addr2line:/opt/addr2line,c++filt:/opt/c++filt", "objdump");
}

static void the_environment_tells(void **state)
{
	(void)state;
	setenv("JEPROF_TOOLS", "./cross-", 1);
	expect(NULL, "./cross-objdump");
	setenv("PPROF_TOOLS", "objdump:./objdump", 1);
	expect(NULL, "./objdump");
	expect("./cross-", "./cross-objdump");
}

static void none_is_an_error(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *found;
	struct err *err = tools_objdump("objdump:/nowhere/objdump", arena, &found);

	assert_non_null(err);
	assert_string_equal(err_text(err), "--tools: /nowhere/objdump: expected a program that can be started");
	err_free(err);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_the_list_tells),
		cmocka_unit_test(others_leave_it_to_the_path),
		cmocka_unit_test(the_environment_tells),
		cmocka_unit_test(none_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

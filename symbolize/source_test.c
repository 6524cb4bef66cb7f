#include "symbolize/test_folder.h"

#include "symbolize/source.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Files whose one line is their path. */
static void make_files(void)
{
	test_folder_make();
	assert_true(run("mkdir -p proj/src/lib other/app/src root/src app/src && echo app/src/y.c >app/src/y.c && echo "
	                "proj/main.c >proj/main.c &&"
	                "echo proj/src/lib/x.c >proj/src/lib/x.c && echo other/app/src/y.c >other/app/src/y.c &&"
	                "echo other/z.c >other/z.c && echo root/src/x.c >root/src/x.c && mkfifo proj/fifo.c &&"
	                "truncate -s 40M proj/large.c && printf 'a\\nb' >proj/two.c"));
}

/* path and trim are below the folder; NULL: not given. */
static const char *in_all(struct arena *arena, const char *list)
{
	const char *all = NULL;

	for (size_t n; list && *list; list += n + (list[n] == ':')) {
		n = strcspn(list, ":");
		const char *one =
			*list == '/' ? arena_strndup(arena, list, n) : arena_printf(arena, "%s/%.*s", test_folder, (int)n, list);
		all = all ? arena_printf(arena, "%s:%s", all, one) : one;
	}
	return all;
}

struct answer {
	char line[200], problem[400];
};

static struct answer look(const struct find_opts *find, const char *path, const char *trim, const char *file)
{
	struct arena *arena = arena_new();
	struct source_opts opts = {.find = find, .path = in_all(arena, path), .trim = trim};
	struct text_lines lines = {0};
	struct answer answer = {0};
	struct diag diag = {0};
	const char *problem;
	size_t length;

	source_read(&opts, file, arena, &diag, &lines, &problem);
	if (problem) {
		snprintf(answer.problem, sizeof answer.problem, "%s", problem);
	} else {
		const char *line = text_line(&lines, 1, &length);

		snprintf(answer.line, sizeof answer.line, "%.*s", (int)length, line);
	}
	diag_clear(&diag);
	arena_free(arena);
	return answer;
}

static void expect(const char *path, const char *trim, const char *file, const char *line)
{
	struct answer answer = look(&(struct find_opts){0}, path, trim, file);

	assert_string_equal(answer.problem, "");
	assert_string_equal(answer.line, line);
}

static void a_path_is_opened_as_it_stands(void **state)
{
	(void)state;
	expect(NULL, NULL, in_folder("proj/main.c"), "proj/main.c");
	expect(NULL, NULL, in_folder("proj/src/../main.c"), "proj/main.c");
	expect("other", NULL, in_folder("proj/main.c"), "proj/main.c");
}

static void relative_paths_are_looked_for_upwards(void **state)
{
	(void)state;
	expect("proj", NULL, "src/lib/x.c", "proj/src/lib/x.c");
	expect("proj/src/lib", NULL, "src/lib/x.c", "proj/src/lib/x.c");
	expect("other:proj", NULL, "main.c", "proj/main.c");
	expect("proj/src", NULL, "../../../../main.c", "proj/main.c");
	expect("proj/src", NULL, in_folder("proj/main.c") + 1, "proj/main.c");
}

/* google/pprof's guess: what follows the last part of a folder's name. */
static void a_folder_of_the_same_name_is_the_same(void **state)
{
	(void)state;
	expect("other/app", NULL, "/build/app/src/y.c", "other/app/src/y.c");
	expect("proj", NULL, "/build/proj/src/lib/x.c", "proj/src/lib/x.c");
}

static void the_current_folder_comes_behind_the_path(void **state)
{
	(void)state;
	assert_int_equal(chdir(in_folder("other/app")), 0);
	expect(NULL, NULL, in_folder("app/src/y.c"), "app/src/y.c");
	expect("other/app", NULL, in_folder("app/src/y.c"), "other/app/src/y.c");
	expect(NULL, NULL, "/build/app/src/y.c", "other/app/src/y.c");
	expect(NULL, NULL, "src/y.c", "other/app/src/y.c");
	assert_int_equal(chdir("/"), 0);
}

static void prefixes_are_trimmed(void **state)
{
	(void)state;
	expect("proj", "/nothing:/build/a/", "/build/a/src/lib/x.c", "proj/src/lib/x.c");
	expect("proj", NULL, "/proc/self/cwd/src/lib/x.c", "proj/src/lib/x.c");
	expect("proj", NULL, "/proc/self/cwd/./src/lib/x.c", "proj/src/lib/x.c");
	expect("proj", "/buil", "/build/lib/main.c", "proj/main.c");
}

static void what_a_path_ends_with_is_looked_for_last(void **state)
{
	(void)state;
	expect("proj/src", NULL, "/build/tree/lib/x.c", "proj/src/lib/x.c");
	expect("proj:other", NULL, "/build/tree/z.c", "other/z.c");
}

static void paths_of_the_profile_lie_below_the_sysroot(void **state)
{
	(void)state;
	const char *root = in_folder("root");
	struct find_path_map map = {"/build", in_folder("other/app")};
	struct find_opts find = {.sysroot = root, .path_maps = &map, .n_path_maps = 1};

	assert_string_equal(look(&find, NULL, NULL, "/src/x.c").line, "root/src/x.c");
	assert_string_equal(look(&find, NULL, NULL, "/../../src/x.c").line, "root/src/x.c");
	assert_string_equal(look(&find, NULL, NULL, "/build/src/y.c").line, "other/app/src/y.c");
	assert_string_not_equal(look(&find, NULL, NULL, in_folder("proj/main.c")).problem, "");
}

static void what_is_not_there_is_said_as_google_pprof_does(void **state)
{
	(void)state;
	struct find_opts find = {0};
	char expected[300];

	assert_string_equal(look(&find, NULL, NULL, "/no/x.c").problem, "open /no/x.c: no such file or directory");
	snprintf(expected, sizeof expected, "could not find file /no/w.c on path %s/proj", test_folder);
	assert_string_equal(look(&find, "proj", NULL, "/no/w.c").problem, expected);
	snprintf(expected, sizeof expected, "could not find file no/w.c on path %s/proj", test_folder);
	assert_string_equal(look(&find, "proj", NULL, "no/w.c").problem, expected);
}

/* A profile may name ten thousand files that are not there. */
static void a_long_path_is_shown_in_part(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct find_opts find = {0};
	char *path = arena_alloc(arena, 100001, 1);
	struct source_opts opts = {.find = &find, .path = path};
	struct text_lines lines = {0};
	struct diag diag = {0};
	const char *problem;

	memset(path, ':', 100000);
	path[100000] = '\0';
	source_read(&opts, "gone.c", arena, &diag, &lines, &problem);
	assert_int_equal(strncmp(problem, "could not find file gone.c on path :::", 38), 0);
	assert_true(strlen(problem) < 5000);
	diag_clear(&diag);
	arena_free(arena);
}

static void long_files_are_tried_by_what_they_end_with(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct find_opts find = {0};
	const char *file = arena_printf(arena, "far/%070000d/src/lib/x.c", 0);
	struct answer answer = look(&find, "proj", NULL, file);

	assert_string_equal(answer.line, "proj/src/lib/x.c");
	answer = look(&find, "other", NULL, file);
	assert_non_null(strstr(answer.problem, "/other/far/0000"));
	assert_non_null(strstr(answer.problem, "...: File name too long"));
	arena_free(arena);
}

static void only_files_of_source_are_read(void **state)
{
	(void)state;
	struct find_opts find = {0};

	assert_non_null(strstr(look(&find, NULL, NULL, in_folder("proj/fifo.c")).problem,
	                       "/proj/fifo.c: expected a regular file, found a FIFO"));
	assert_non_null(strstr(look(&find, NULL, NULL, in_folder("proj")).problem, "found a directory"));
	assert_non_null(strstr(look(&find, NULL, NULL, in_folder("proj/large.c")).problem,
	                       "/proj/large.c: expected at most 33554432 bytes, found 41943040"));
	assert_non_null(strstr(look(&find, NULL, NULL, "/proc/self/maps").problem, "files below /proc"));
	expect(NULL, NULL, in_folder("proj/two.c"), "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_opened_as_it_stands),
		cmocka_unit_test(relative_paths_are_looked_for_upwards),
		cmocka_unit_test(a_folder_of_the_same_name_is_the_same),
		cmocka_unit_test(the_current_folder_comes_behind_the_path),
		cmocka_unit_test(prefixes_are_trimmed),
		cmocka_unit_test(what_a_path_ends_with_is_looked_for_last),
		cmocka_unit_test(paths_of_the_profile_lie_below_the_sysroot),
		cmocka_unit_test(what_is_not_there_is_said_as_google_pprof_does),
		cmocka_unit_test(a_long_path_is_shown_in_part),
		cmocka_unit_test(long_files_are_tried_by_what_they_end_with),
		cmocka_unit_test(only_files_of_source_are_read),
	};

	make_files();
	return cmocka_run_group_tests(tests, NULL, test_folder_remove);
}

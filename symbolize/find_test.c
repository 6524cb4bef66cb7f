#include "symbolize/find.h"
#include "analyze/base/gzip.h"
#include "symbolize/test_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with a sysroot in it ("root") and a file beside that ("secret"). */
struct fixture {
	struct arena *arena;
	struct diag diag;
	char folder[32];
	const char *root;
	struct find_opts opts;
};

static const char *below(struct fixture *f, const char *path)
{
	return arena_printf(f->arena, "%s/%s", f->root, path);
}

static void make_folders(struct fixture *f, const char *path)
{
	char *all = arena_printf(f->arena, "%s/%s", f->root, path);

	for (char *at = all + strlen(f->root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(all, 0755);
		*at = '/';
	}
}

static void make_file(struct fixture *f, const char *path, const char *text)
{
	make_folders(f, path);
	FILE *out = fopen(below(f, path), "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void make_link(struct fixture *f, const char *path, const char *target)
{
	make_folders(f, path);
	assert_int_equal(symlink(target, below(f, path)), 0);
}

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof *f);

	f->arena = arena_new();
	strcpy(f->folder, "/tmp/find_test.XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	f->root = f->folder;
	make_file(f, "secret", "secret");
	f->root = arena_printf(f->arena, "%s/root", f->folder);
	mkdir(f->root, 0755);
	f->opts.sysroot = arena_printf(f->arena, "%s//", f->root);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	nftw(f->folder, test_folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
	diag_clear(&f->diag);
	arena_free(f->arena);
	free(f);
	return 0;
}

static void check_text(int fd, const char *text)
{
	char buffer[64] = "";

	assert_true(read(fd, buffer, sizeof buffer - 1) >= 0);
	assert_string_equal(buffer, text);
	close(fd);
}

static void check_found(struct fixture *f, const char *path, const char *real, const char *text)
{
	const char *found;
	int fd;
	struct err *err = find_file(&f->opts, path, f->arena, &found, &fd);

	assert_null(err);
	assert_string_equal(found, below(f, real));
	check_text(fd, text);
}

static void check_refused(const struct find_opts *opts, struct fixture *f, const char *path, const char *reason)
{
	const char *found = "untouched";
	int fd = -7;
	struct err *err = find_file(opts, path, f->arena, &found, &fd);

	assert_non_null(err);
	assert_non_null(strstr(err_text(err), reason));
	assert_string_equal(found, "untouched");
	assert_int_equal(fd, -7);
	err_free(err);
}

static void test_sysroot_paths(void **state)
{
	struct fixture *f = *state;

	make_file(f, "usr/lib/libx.so", "x");
	make_link(f, "lib", "usr/lib");
	make_link(f, "usr/lib/liby.so", "/lib/libx.so");
	make_link(f, "usr/lib/up", "../../../../../usr");
	make_link(f, "usr/lib/\n\033[1m", "libx.so");
	check_found(f, "/usr/lib/libx.so", "usr/lib/libx.so", "x");
	check_found(f, "//usr/./lib//libx.so", "usr/lib/libx.so", "x");
	check_found(f, "/lib/libx.so", "usr/lib/libx.so", "x");
	check_found(f, "/lib/liby.so", "usr/lib/libx.so", "x");
	check_found(f, "/lib/../lib/libx.so", "usr/lib/libx.so", "x");
	check_found(f, "/../../lib/up/lib/libx.so", "usr/lib/libx.so", "x");
	check_found(f, "/lib/\n\033[1m", "usr/lib/libx.so", "x");
}

static void test_sysroot_holds(void **state)
{
	struct fixture *f = *state;
	const char *secret = arena_printf(f->arena, "%s/secret", f->folder);

	make_link(f, "absolute", secret);
	make_link(f, "relative", "../secret");
	make_link(f, "folder", "..");
	make_link(f, "loop", "loop");
	make_link(f, "a", "b/x");
	make_link(f, "b", "a/x");
	check_refused(&f->opts, f, "/absolute", "no such file");
	check_refused(&f->opts, f, "/relative", "no such file");
	check_refused(&f->opts, f, "/folder/secret", "no such file");
	check_refused(&f->opts, f, "/../secret", "no such file");
	check_refused(&f->opts, f, "/loop", "40 symbolic links");
	check_refused(&f->opts, f, "/a", "40 symbolic links");
	check_refused(&f->opts, f, "relative", "absolute path");
}

static void test_kinds(void **state)
{
	struct fixture *f = *state;
	struct find_opts host = {0};

	assert_int_equal(mkfifo(below(f, "fifo"), 0644), 0);
	make_link(f, "proc", "/proc/self/maps");
	check_refused(&f->opts, f, "/fifo", "FIFO");
	check_refused(&host, f, below(f, "fifo"), "FIFO");
	check_refused(&f->opts, f, "/", "directory");
	check_refused(&host, f, below(f, "proc"), "/proc");
	check_refused(&host, f, "/dev/zero", "device");
	check_refused(&host, f, "/nowhere/at/all", "no such file");
	check_refused(&host, f, "secret", "absolute path");
	make_file(f, "file", "f");
	check_refused(&f->opts, f, "/file/below", "Not a directory");
}

static bool find_debug(struct fixture *f, const struct find_debug *debug, const char **path)
{
	int fd;

	diag_clear(&f->diag);
	if (!find_debug_file(&f->opts, debug, f->arena, &f->diag, path, &fd))
		return false;
	close(fd);
	return true;
}

static bool has_note(const struct fixture *f, const char *text)
{
	for (uint32_t i = 0; i < f->diag.n; i++)
		if (f->diag.notes[i].level == NOTE_DETAIL && strstr(f->diag.notes[i].text, text))
			return true;
	return false;
}

static void test_build_id(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/bin/p", .build_id = "abcdef0123"};
	const char *path;

	make_file(f, "usr/bin/p", "object");
	debug.real_path = below(f, "usr/bin/p");
	assert_false(find_debug(f, &debug, &path));
	assert_true(has_note(f, "/usr/lib/debug/.build-id/ab/cdef0123.debug: no such file"));
	make_file(f, "usr/lib/debug/.build-id/ab/cdef0123.debug", "debug");
	assert_true(find_debug(f, &debug, &path));
	assert_string_equal(path, below(f, "usr/lib/debug/.build-id/ab/cdef0123.debug"));
}

static void test_build_id_refused(void **state)
{
	static const char *const BAD[] = {"ab", "", "../../../x", "abcdeg", "ABCDEF", "ab/../c"};
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "", .real_path = "/nowhere"};
	const char *path;

	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		debug.build_id = BAD[i];
		assert_false(find_debug(f, &debug, &path));
		assert_int_equal(f->diag.n, 1);
		assert_true(has_note(f, "expected 3 to 128 hex digits"));
	}
}

static bool find_by_id(struct fixture *f, const char *build_id, const char **path)
{
	int fd;

	diag_clear(&f->diag);
	if (!find_file_by_build_id(&f->opts, build_id, f->arena, &f->diag, path, &fd))
		return false;
	close(fd);
	return true;
}

static void test_object_by_build_id(void **state)
{
	struct fixture *f = *state;
	const char *path;

	assert_false(find_by_id(f, "abcdef", &path));
	assert_true(has_note(f, "no object in "));
	make_file(f, "usr/bin/p", "object");
	make_file(f, "usr/lib/debug/.build-id/ab/cdef.debug", "debug");
	assert_false(find_by_id(f, "abcdef", &path));
	make_link(f, "usr/lib/.build-id/ab/cdef", "../../../../usr/bin/p");
	assert_true(find_by_id(f, "abcdef", &path));
	assert_string_equal(path, below(f, "usr/bin/p"));
	make_file(f, "usr/lib/debug/.build-id/ab/cdef", "object");
	assert_true(find_by_id(f, "abcdef", &path));
	assert_string_equal(path, below(f, "usr/lib/debug/.build-id/ab/cdef"));
	assert_false(find_by_id(f, "../../../secret", &path));
}

static void test_build_id_of_object(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/bin/p", .build_id = "abcdef"};
	const char *path;

	make_file(f, "usr/bin/p", "object");
	make_link(f, "usr/lib/debug/.build-id/ab/cdef.debug", "/usr/bin/p");
	debug.real_path = below(f, "usr/bin/p");
	assert_false(find_debug(f, &debug, &path));
	assert_true(has_note(f, "the object itself"));
}

static void test_debuglink(void **state)
{
	static const char *const PLACES[] = {"usr/lib/debug/a/b/x.debug", "a/b/.debug/x.debug", "a/b/x.debug"};
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/a/b/libx.so", .debuglink = "x.debug"};
	const char *path;

	make_file(f, "a/b/libx.so", "object");
	debug.real_path = below(f, "a/b/libx.so");
	debug.debuglink_crc = gzip_crc32(0, (const uint8_t *)"debug", 5);
	assert_false(find_debug(f, &debug, &path));
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		make_file(f, PLACES[i], "debug");
		assert_true(find_debug(f, &debug, &path));
		assert_string_equal(path, below(f, PLACES[i]));
	}
	make_file(f, PLACES[2], "another");
	assert_true(find_debug(f, &debug, &path));
	assert_string_equal(path, below(f, PLACES[1]));
	assert_true(has_note(f, "expected the checksum"));
	debug.debuglink = "../x.debug";
	assert_false(find_debug(f, &debug, &path));
}

/* The map names a link; the debug file lies beside the object that it leads to. */
static void test_debuglink_of_linked_object(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/bin/p", .debuglink = "p.debug"};
	const char *path;

	make_file(f, "opt/p/p", "object");
	make_file(f, "opt/p/p.debug", "debug");
	make_link(f, "bin/p", "/opt/p/p");
	debug.real_path = below(f, "opt/p/p");
	debug.debuglink_crc = gzip_crc32(0, (const uint8_t *)"debug", 5);
	assert_true(find_debug(f, &debug, &path));
	assert_string_equal(path, below(f, "opt/p/p.debug"));
	debug.object_path = "";
	assert_true(find_debug(f, &debug, &path));
	f->opts.sysroot = NULL;
	assert_true(find_debug(f, &debug, &path));
	f->opts.sysroot = arena_printf(f->arena, "%s/elsewhere", f->folder);
	assert_true(find_debug(f, &debug, &path));
}

static void check_alternate(struct fixture *f, const char *name, const char *build_id, const char *expected)
{
	const char *path;
	int fd;
	bool is_found = find_alternate_file(&f->opts, below(f, "usr/lib/debug/p.debug"), name, build_id, f->arena, &f->diag,
	                                    &path, &fd);

	assert_int_equal(is_found, expected != NULL);
	if (!expected)
		return;
	assert_string_equal(path, below(f, expected));
	close(fd);
}

static void test_alternate(void **state)
{
	struct fixture *f = *state;

	make_file(f, "usr/lib/debug/p.debug", "debug");
	make_file(f, "usr/lib/.dwz/p", "dwz");
	make_file(f, "usr/lib/debug/.build-id/12/34.debug", "dwz");
	check_alternate(f, "../.dwz/p", "1234", "usr/lib/debug/.build-id/12/34.debug");
	check_alternate(f, "../.dwz/p", "4321", "usr/lib/.dwz/p");
	check_alternate(f, "/usr/lib/.dwz/p", "4321", "usr/lib/.dwz/p");
	check_alternate(f, "../../../../secret", "4321", NULL);
	check_alternate(f, "", "4321", NULL);
}

static void check_path_map(struct fixture *f, const char *from, const char *to, const char *path, const char *expected)
{
	struct find_path_map maps[] = {{"/nowhere", "/else"}, {from, to}, {"/app", "/second"}};
	struct find_opts opts = {.sysroot = "/sys/root", .path_maps = maps, .n_path_maps = 3};
	const char *found;
	int fd;

	if (!expected) {
		check_refused(&opts, f, path, "");
		return;
	}
	assert_null(find_file(&opts, path, f->arena, &found, &fd));
	assert_string_equal(found, below(f, expected));
	close(fd);
}

static void test_path_maps(void **state)
{
	struct fixture *f = *state;
	const char *with_slash = arena_printf(f->arena, "%s//", f->root);

	make_file(f, "bin/p", "object");
	make_file(f, "app", "object");
	make_link(f, "link", "bin/p");
	check_path_map(f, "/app", f->root, "/app/bin/p", "bin/p");
	check_path_map(f, "/app", f->root, "/app/link", "link");
	check_path_map(f, "/app/", with_slash, "//app/./x/../bin//p", "bin/p");
	check_path_map(f, "/", f->root, "/bin/p", "bin/p");
	check_path_map(f, "./build", f->root, "./build/bin/p", NULL);
	check_path_map(f, "build", f->root, "build/bin/p", "bin/p");
	check_path_map(f, "/app/bin/p", below(f, "bin/p"), "/app/bin/p", "bin/p");
	check_path_map(f, "/ap", f->root, "/app", NULL);
	check_path_map(f, "/app/b", f->root, "/app/bin/p", NULL);
	check_path_map(f, "/app", below(f, "bin"), "/app/../../../../../../secret", NULL);
	check_path_map(f, "/app", below(f, "bin"), "/app/../app/p", "bin/p");
}

static void check_split(struct fixture *f, const char *comp_dir, const char *name, const char *expected)
{
	const char *path;
	int fd;
	bool is_found = find_split_file(&f->opts, below(f, "opt/p/p"), comp_dir, name, f->arena, &f->diag, &path, &fd);

	assert_int_equal(is_found, expected != NULL);
	if (!expected)
		return;
	assert_string_equal(path, below(f, expected));
	close(fd);
}

static void test_split_file(void **state)
{
	struct fixture *f = *state;
	const char *symbol_paths[] = {below(f, "../none"), below(f, "symbols/")};

	f->opts.symbol_paths = symbol_paths;
	f->opts.n_symbol_paths = 2;
	make_file(f, "opt/p/p", "object");
	check_split(f, "/src", "obj/a.dwo", NULL);
	check_split(f, "/src", "", NULL);
	check_split(f, "/src", "obj/", NULL);
	assert_true(has_note(f, "no split DWARF in "));
	make_file(f, "symbols/a.dwo", "dwo");
	check_split(f, "/src", "obj/a.dwo", "symbols/a.dwo");
	make_file(f, "symbols/src/obj/a.dwo", "dwo");
	check_split(f, "/src", "obj/a.dwo", "symbols/src/obj/a.dwo");
	make_file(f, "opt/p/a.dwo", "dwo");
	check_split(f, "/src", "obj/a.dwo", "opt/p/a.dwo");
	check_split(f, NULL, "a.dwo", "opt/p/a.dwo");
	make_file(f, "opt/p/obj/a.dwo", "dwo");
	check_split(f, "/src", "obj/a.dwo", "opt/p/obj/a.dwo");
	make_file(f, "src/obj/a.dwo", "dwo");
	check_split(f, "/src", "obj/a.dwo", "src/obj/a.dwo");
	check_split(f, "/elsewhere", "/src/obj/a.dwo", "src/obj/a.dwo");
	check_split(f, "/src", "../../../secret", NULL);
	assert_int_equal(mkfifo(below(f, "src/b.dwo"), 0644), 0);
	check_split(f, "/src", "b.dwo", NULL);
	assert_true(has_note(f, "found a FIFO"));
}

static void check_package(struct fixture *f, const char *object_path, const char *expected)
{
	const char *path;
	int fd;
	bool is_found = find_split_package(&f->opts, object_path, below(f, "opt/p/p.1"), f->arena, &f->diag, &path, &fd);

	assert_int_equal(is_found, expected != NULL);
	if (!expected)
		return;
	assert_string_equal(path, below(f, expected));
	close(fd);
}

static void test_split_package(void **state)
{
	struct fixture *f = *state;
	const char *symbol_paths[] = {below(f, "symbols")};

	f->opts.symbol_paths = symbol_paths;
	f->opts.n_symbol_paths = 1;
	make_file(f, "opt/p/p.1", "object");
	check_package(f, "/bin/p", NULL);
	make_file(f, "symbols/p.dwp", "dwp");
	check_package(f, "/bin/p", "symbols/p.dwp");
	make_file(f, "opt/p/p.1.dwp", "dwp");
	check_package(f, "/bin/p", "opt/p/p.1.dwp");
	check_package(f, "", "opt/p/p.1.dwp");
	make_file(f, "bin/p.dwp", "dwp");
	check_package(f, "/bin/p", "bin/p.dwp");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_sysroot_paths),      TEST(test_sysroot_holds),    TEST(test_kinds),
		TEST(test_build_id),           TEST(test_build_id_refused), TEST(test_object_by_build_id),
		TEST(test_build_id_of_object), TEST(test_debuglink),        TEST(test_debuglink_of_linked_object),
		TEST(test_alternate),          TEST(test_path_maps),        TEST(test_split_file),
		TEST(test_split_package),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "symbolize/find.h"
#include "analyze/base/gzip.h"
#include "symbolize/test_folder.h"

#include <elf.h>
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
	assert_int_equal(fclose(out), 0);
}

/* An ELF file with three sections: its build id, its code, and DWARF. */
struct small_elf {
	Elf64_Ehdr head;
	Elf64_Shdr sections[5];
	Elf64_Nhdr note;
	char owner[4];
	uint8_t build_id[8];
	char names[64];
	char dwarf[4];
};

enum elf_kind { ELF_OBJECT, ELF_DEBUG, ELF_NOTHING }; /* ELF_NOTHING: neither code nor DWARF */

static uint8_t hex_byte(const char *text)
{
	char digits[3] = {text[0], text[1], '\0'};

	return (uint8_t)strtoul(digits, NULL, 16);
}

static Elf64_Shdr section(const char *names, const char *name, uint32_t type, size_t offset, size_t size)
{
	return (Elf64_Shdr){
		.sh_name = (uint32_t)(strstr(names, name) - names), .sh_type = type, .sh_offset = offset, .sh_size = size};
}

/* build_id: at most 8 bytes; NULL: none. The kind decides what is in the file of code and DWARF. */
static void make_elf(struct fixture *f, const char *path, const char *build_id, enum elf_kind kind)
{
	static const char NAMES[] = ".note.gnu.build-id .text .debug_info .shstrtab";
	size_t n = build_id ? strlen(build_id) / 2 : 0;
	struct small_elf elf = {
		.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	             .e_type = ET_DYN,
	             .e_machine = EM_X86_64,
	             .e_version = EV_CURRENT,
	             .e_shoff = offsetof(struct small_elf, sections),
	             .e_ehsize = sizeof(Elf64_Ehdr),
	             .e_shentsize = sizeof(Elf64_Shdr),
	             .e_shnum = 5,
	             .e_shstrndx = 4},
		.note = {4, (uint32_t)n, NT_GNU_BUILD_ID},
		.owner = "GNU",
	};

	for (size_t i = 0; i < n; i++)
		// cppcheck-suppress nullPointerArithmetic ; without a build id n is 0
		elf.build_id[i] = hex_byte(build_id + 2 * i);
	elf.sections[1] = section(NAMES, ".note", n ? SHT_NOTE : SHT_PROGBITS, offsetof(struct small_elf, note),
	                          sizeof elf.note + 4 + (n + 3) / 4 * 4);
	elf.sections[2] = section(NAMES, ".text", kind == ELF_OBJECT ? SHT_PROGBITS : SHT_NOBITS, 0, 16);
	elf.sections[2].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	elf.sections[3] = section(NAMES, ".debug_info", kind == ELF_DEBUG ? SHT_PROGBITS : SHT_NOBITS,
	                          offsetof(struct small_elf, dwarf), 4);
	elf.sections[4] = section(NAMES, ".shstrtab", SHT_STRTAB, offsetof(struct small_elf, names), sizeof NAMES);
	for (size_t i = 0; i < sizeof NAMES; i++)
		elf.names[i] = (char)(NAMES[i] == ' ' ? '\0' : NAMES[i]);
	make_folders(f, path);
	FILE *out = fopen(below(f, path), "w");
	assert_non_null(out);
	assert_int_equal(fwrite(&elf, sizeof elf, 1, out), 1);
	assert_int_equal(fclose(out), 0);
}

static uint32_t crc_of_file(struct fixture *f, const char *path)
{
	uint8_t bytes[2 * sizeof(struct small_elf)];
	FILE *in = fopen(below(f, path), "r");

	assert_non_null(in);
	size_t n = fread(bytes, 1, sizeof bytes, in);
	assert_int_equal(fclose(in), 0);
	return gzip_crc32(0, bytes, n);
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

static void check_debug(struct fixture *f, const struct find_debug *debug, const char *expected)
{
	const char *path;

	if (!expected) {
		assert_false(find_debug(f, debug, &path));
		return;
	}
	assert_true(find_debug(f, debug, &path));
	assert_string_equal(path, below(f, expected));
}

static void test_build_id(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/bin/p", .build_id = "abcdef0123"};

	make_elf(f, "usr/bin/p", "abcdef0123", ELF_OBJECT);
	debug.real_path = below(f, "usr/bin/p");
	check_debug(f, &debug, NULL);
	assert_true(has_note(f, "/usr/lib/debug/.build-id/ab/cdef0123.debug: no such file"));
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef0123.debug", "abcdef0123", ELF_DEBUG);
	check_debug(f, &debug, "usr/lib/debug/.build-id/ab/cdef0123.debug");
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef0123.debug", NULL, ELF_DEBUG);
	check_debug(f, &debug, "usr/lib/debug/.build-id/ab/cdef0123.debug");
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef0123.debug", "abcdef0123", ELF_NOTHING);
	check_debug(f, &debug, NULL);
	assert_true(has_note(f, "it holds neither DWARF nor symbols"));
	make_file(f, "usr/lib/debug/.build-id/ab/cdef0123.debug", "text");
	check_debug(f, &debug, NULL);
	assert_true(has_note(f, "expected an ELF file"));
}

static void test_build_id_refused(void **state)
{
	static const char *const BAD[] = {"ab", "", "../../../x", "abcdeg", "ABCDEF", "ab/../c"};
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "", .real_path = "/nowhere"};

	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		debug.build_id = BAD[i];
		check_debug(f, &debug, NULL);
		assert_int_equal(f->diag.n, 1);
		assert_true(has_note(f, "expected 3 to 128 hex digits"));
	}
}

/* A debug file of another build is passed over for the next one, and told of when there is none. */
static void test_debug_of_other_build(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/bin/p", .build_id = "abcdef"};

	make_elf(f, "usr/bin/p", "abcdef", ELF_OBJECT);
	debug.real_path = below(f, "usr/bin/p");
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef.debug", "123456", ELF_DEBUG);
	check_debug(f, &debug, NULL);
	assert_true(has_note(f, "it is build 123456, but "));
	assert_int_equal(f->diag.notes[f->diag.n - 1].level, NOTE_WARNING);
	f->opts.use_other_builds = true;
	check_debug(f, &debug, "usr/lib/debug/.build-id/ab/cdef.debug");
	assert_int_equal(f->diag.notes[f->diag.n - 2].kind, NOTE_LOSS);
	make_elf(f, "usr/lib/debug/usr/bin/p", "abcdef", ELF_DEBUG);
	check_debug(f, &debug, "usr/lib/debug/usr/bin/p");
	f->opts.use_other_builds = false;
	check_debug(f, &debug, "usr/lib/debug/usr/bin/p");
	for (uint32_t i = 0; i < f->diag.n; i++)
		assert_int_equal(f->diag.notes[i].level, NOTE_DETAIL);
}

static bool find_it(struct fixture *f, const char *path, const char *build_id, struct find_object *ret)
{
	*ret = (struct find_object){.path = path, .build_id = build_id};
	diag_clear(&f->diag);
	find_object(&f->opts, ret, f->arena, &f->diag);
	if (ret->problem)
		return false;
	close(ret->fd);
	return true;
}

static void check_object(struct fixture *f, const char *path, const char *build_id, const char *expected)
{
	struct find_object object;

	assert_true(find_it(f, path, build_id, &object));
	assert_string_equal(object.path_used, below(f, expected));
}

static void check_no_object(struct fixture *f, const char *path, const char *build_id, const char *problem)
{
	struct find_object object;

	assert_false(find_it(f, path, build_id, &object));
	assert_non_null(strstr(object.problem, problem));
	assert_int_equal(object.is_missing, strstr(problem, "no such") || strstr(problem, "not found"));
	assert_int_equal(object.is_wrong, strstr(problem, "not used") != NULL);
}

static void test_object_by_build_id(void **state)
{
	struct fixture *f = *state;

	check_no_object(f, "/gone", "abcdef", "/gone: no such file");
	assert_true(has_note(f, "no object in "));
	make_elf(f, "usr/bin/p", "abcdef", ELF_OBJECT);
	make_link(f, "usr/lib/.build-id/ab/cdef", "../../../../usr/bin/p");
	check_object(f, "/gone", "abcdef", "usr/bin/p");
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef", "abcdef", ELF_OBJECT);
	check_object(f, "/gone", "abcdef", "usr/lib/debug/.build-id/ab/cdef");
	make_elf(f, "gone", "abcdef", ELF_OBJECT);
	check_object(f, "/gone", "abcdef", "gone");
	check_no_object(f, "/none", "../../../secret", "/none: no such file");
}

static void test_object_refused(void **state)
{
	struct fixture *f = *state;

	make_elf(f, "bin/p", "abcdef", ELF_OBJECT);
	make_elf(f, "bin/q", NULL, ELF_OBJECT);
	make_file(f, "bin/text", "text");
	assert_int_equal(mkfifo(below(f, "bin/fifo"), 0644), 0);
	check_object(f, "/bin/p", NULL, "bin/p");
	check_object(f, "/bin/q", "abcdef", "bin/q");
	assert_true(has_note(f, "has no build id"));
	check_no_object(f, "/bin/text", "abcdef", "expected an ELF file");
	check_no_object(f, "/bin/fifo", NULL, "expected a regular file");
	check_no_object(f, "bin/p", NULL, "bin/p: not found: expected an absolute path");
	check_no_object(f, "/bin/p", "123456", "p: not used: it is build abcdef, but the profile is of build 123456");
	f->opts.use_other_builds = true;
	check_object(f, "/bin/p", "123456", "bin/p");
	assert_int_equal(f->diag.notes[f->diag.n - 1].kind, NOTE_LOSS);
	/* One that fits is better. */
	make_elf(f, "usr/lib/.build-id/12/3456", "123456", ELF_OBJECT);
	check_object(f, "/bin/p", "123456", "usr/lib/.build-id/12/3456");
}

static void test_debug_file_stands_in(void **state)
{
	struct fixture *f = *state;

	make_elf(f, "usr/lib/debug/.build-id/ab/cdef.debug", "abcdef", ELF_DEBUG);
	check_object(f, "/bin/p", "abcdef", "usr/lib/debug/.build-id/ab/cdef.debug");
	assert_true(has_note(f, "stands in for the object"));
	make_elf(f, "usr/lib/debug/.build-id/ab/cdef.debug", NULL, ELF_DEBUG);
	check_no_object(f, "/bin/p", "abcdef", "no such file");
	assert_true(has_note(f, "it has no build id"));
}

/* From the last place that is looked at to the first. */
static void test_symbol_paths(void **state)
{
	static const char *const PLACES[] = {
		"two/p",
		"two/opt/p",
		"two/.build-id/ab/cdef",
		"two/ab/cdef.debug",
		"two/opt/p/abcdef",
		"two/abcdef/z",
		"two/abcdef/a",
		"two/abcdef/p",
		"one/p",
	};
	struct fixture *f = *state;
	const char *symbol_paths[] = {below(f, "none"), below(f, "one"), below(f, "two")};

	f->opts.symbol_paths = symbol_paths;
	f->opts.n_symbol_paths = 3;
	make_elf(f, "opt/p", "abcdef", ELF_OBJECT);
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		if (i == 4)
			unlink(below(f, "two/opt/p"));
		make_elf(f, PLACES[i], "abcdef", ELF_OBJECT);
		check_object(f, "/opt/p", "abcdef", PLACES[i]);
	}
	make_elf(f, "one/p", "123456", ELF_OBJECT);
	check_object(f, "/opt/p", "abcdef", "two/abcdef/p");
	assert_true(has_note(f, "/one/p: it is build 123456"));
	make_elf(f, "two/abcdef/p", NULL, ELF_OBJECT);
	check_object(f, "/opt/p", "abcdef", "two/abcdef/a");
	assert_true(has_note(f, "/two/abcdef/p: it has no build id"));
	make_elf(f, "one/p", NULL, ELF_OBJECT);
	check_object(f, "/opt/p", "abcdef", "one/p");
	check_object(f, "/../../opt//p", "abcdef", "one/p");
	check_no_object(f, "/", "123456", "expected a regular file");
}

/* Each of these holds the names of an object that lies elsewhere. */
static void test_debug_in_symbol_paths(void **state)
{
	static const char *const PLACES[] = {
		"dir/p.link",
		"dir/usr/lib/debug/opt/p.debug",
		"dir/opt/.debug/p.debug",
		"dir/opt/p.debug",
		"dir/p",
		"dir/opt/p",
		"dir/usr/lib/debug/.build-id/ab/cdef.debug",
		"dir/.build-id/ab/cdef.debug",
		"dir/ab/cdef.debug",
		"dir/abcdef/other",
	};
	struct fixture *f = *state;
	const char *symbol_paths[] = {below(f, "dir/")};
	struct find_debug debug = {.object_path = "/opt/p", .build_id = "abcdef", .debuglink = "p.link"};

	f->opts.symbol_paths = symbol_paths;
	f->opts.n_symbol_paths = 1;
	make_elf(f, "opt/p", "abcdef", ELF_OBJECT);
	debug.real_path = below(f, "opt/p");
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		make_elf(f, PLACES[i], "123456", ELF_DEBUG);
		check_debug(f, &debug, i ? PLACES[i - 1] : NULL);
		make_elf(f, PLACES[i], "abcdef", ELF_DEBUG);
		check_debug(f, &debug, PLACES[i]);
	}
	/* For want of ids the checksum decides, and for want of that the user, who put it there. */
	assert_int_equal(nftw(below(f, "dir"), test_folder_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	make_elf(f, "dir/opt/p.debug", NULL, ELF_DEBUG);
	check_debug(f, &debug, NULL);
	debug.debuglink_crc = crc_of_file(f, "dir/opt/p.debug");
	check_debug(f, &debug, "dir/opt/p.debug");
	debug.debuglink = NULL;
	check_debug(f, &debug, NULL);
	debug.build_id = NULL;
	check_debug(f, &debug, "dir/opt/p.debug");
}

static void test_lib_prefixes(void **state)
{
	static const char *const PLACES[] = {"two/p", "one/p", "two/b/p", "one/b/p", "two/a/b/p", "one/a/b/p"};
	struct fixture *f = *state;
	const char *prefixes[] = {below(f, "one"), below(f, "two/")};

	f->opts.lib_prefixes = prefixes;
	f->opts.n_lib_prefixes = 2;
	make_elf(f, "a/b/p", "abcdef", ELF_OBJECT);
	check_object(f, "/a/b/p", "abcdef", "a/b/p");
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		make_elf(f, PLACES[i], "abcdef", ELF_OBJECT);
		check_object(f, "/a/b/p", "abcdef", PLACES[i]);
	}
	make_elf(f, "one/a/b/p", "123456", ELF_OBJECT);
	check_object(f, "/a/b/p", "abcdef", "two/a/b/p");
}

static void test_build_id_of_object(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/bin/p", .build_id = "abcdef"};

	make_elf(f, "usr/bin/p", "abcdef", ELF_DEBUG);
	make_link(f, "usr/lib/debug/.build-id/ab/cdef.debug", "/usr/bin/p");
	debug.real_path = below(f, "usr/bin/p");
	check_debug(f, &debug, NULL);
	assert_true(has_note(f, "the object itself"));
}

static void test_debuglink(void **state)
{
	static const char *const PLACES[] = {"usr/lib/debug/a/b/x.debug", "a/b/.debug/x.debug", "a/b/x.debug"};
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/a/b/libx.so", .debuglink = "x.debug"};

	make_elf(f, "a/b/libx.so", NULL, ELF_OBJECT);
	debug.real_path = below(f, "a/b/libx.so");
	make_elf(f, "debug", NULL, ELF_DEBUG);
	debug.debuglink_crc = crc_of_file(f, "debug");
	check_debug(f, &debug, NULL);
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		make_elf(f, PLACES[i], NULL, ELF_DEBUG);
		check_debug(f, &debug, PLACES[i]);
	}
	make_elf(f, PLACES[2], "abcdef", ELF_DEBUG);
	check_debug(f, &debug, PLACES[1]);
	assert_true(has_note(f, "expected the checksum"));
	unlink(below(f, PLACES[0]));
	unlink(below(f, PLACES[1]));
	check_debug(f, &debug, NULL);
	f->opts.use_other_builds = true;
	check_debug(f, &debug, PLACES[2]);
	debug.debuglink = "../x.debug";
	check_debug(f, &debug, NULL);
}

/* Packages from before /lib became a link to /usr/lib, and the other way round. */
static void test_debug_root(void **state)
{
	static const char *const PLACES[] = {"usr/lib/debug/lib/x.so", "usr/lib/debug/lib/x.so.debug",
	                                     "usr/lib/debug/usr/lib/x.so", "usr/lib/debug/usr/lib/x.so.debug"};
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/usr/lib/x.so", .build_id = "abcdef"};

	make_elf(f, "usr/lib/x.so", "abcdef", ELF_OBJECT);
	make_link(f, "lib", "usr/lib");
	debug.real_path = below(f, "usr/lib/x.so");
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		make_elf(f, PLACES[i], NULL, ELF_DEBUG);
		check_debug(f, &debug, i ? PLACES[i - 1] : NULL);
		make_elf(f, PLACES[i], "abcdef", ELF_DEBUG);
		check_debug(f, &debug, PLACES[i]);
	}
	debug.object_path = "/lib/x.so";
	check_debug(f, &debug, "usr/lib/debug/lib/x.so.debug");
	unlink(below(f, "usr/lib/debug/lib/x.so"));
	unlink(below(f, "usr/lib/debug/lib/x.so.debug"));
	check_debug(f, &debug, PLACES[3]);
}

/* The map names a link; the debug file lies beside the object that it leads to. */
static void test_debuglink_of_linked_object(void **state)
{
	struct fixture *f = *state;
	struct find_debug debug = {.object_path = "/bin/p", .debuglink = "p.debug"};

	make_elf(f, "opt/p/p", NULL, ELF_OBJECT);
	make_elf(f, "opt/p/p.debug", NULL, ELF_DEBUG);
	make_link(f, "bin/p", "/opt/p/p");
	debug.real_path = below(f, "opt/p/p");
	debug.debuglink_crc = crc_of_file(f, "opt/p/p.debug");
	check_debug(f, &debug, "opt/p/p.debug");
	debug.object_path = "";
	check_debug(f, &debug, "opt/p/p.debug");
	f->opts.sysroot = NULL;
	check_debug(f, &debug, "opt/p/p.debug");
	f->opts.sysroot = arena_printf(f->arena, "%s/elsewhere", f->folder);
	check_debug(f, &debug, "opt/p/p.debug");
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
	const char *symbol_paths[] = {below(f, "dir")};
	struct find_path_map maps[] = {{"/usr/lib/.dwz", below(f, "mapped")}};

	make_elf(f, "usr/lib/debug/p.debug", "abcdef", ELF_DEBUG);
	make_elf(f, "usr/lib/.dwz/p", "4321", ELF_DEBUG);
	make_elf(f, "usr/lib/debug/.build-id/12/34.debug", "1234", ELF_DEBUG);
	check_alternate(f, "../.dwz/p", "1234", "usr/lib/debug/.build-id/12/34.debug");
	check_alternate(f, "../.dwz/p", "4321", "usr/lib/.dwz/p");
	check_alternate(f, "/usr/lib/.dwz/p", "4321", "usr/lib/.dwz/p");
	check_alternate(f, "/usr/lib/.dwz/p", "4322", NULL);
	check_alternate(f, "../../../../secret", "4321", NULL);
	check_alternate(f, "", "4321", NULL);
	make_elf(f, "dir/p", "4322", ELF_DEBUG);
	f->opts.symbol_paths = symbol_paths;
	f->opts.n_symbol_paths = 1;
	check_alternate(f, "../.dwz/p", "4322", "dir/p");
	make_elf(f, "mapped/p", "4321", ELF_DEBUG);
	f->opts.path_maps = maps;
	f->opts.n_path_maps = 1;
	check_alternate(f, "../.dwz/p", "4321", "mapped/p");
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
	check_path_map(f, "./build", f->root, "./build/bin/p", "bin/p");
	check_path_map(f, "build", f->root, "build/bin/p", "bin/p");
	check_path_map(f, "/app/bin/p", below(f, "bin/p"), "/app/bin/p", "bin/p");
	make_file(f, "xp", "what FROM without a border would open");
	check_path_map(f, "/ap", below(f, "x"), "/app", NULL);
	check_path_map(f, "/app/bi", below(f, "bi"), "/app/bin/p", NULL);
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
		TEST(test_sysroot_paths),
		TEST(test_sysroot_holds),
		TEST(test_kinds),
		TEST(test_build_id),
		TEST(test_build_id_refused),
		TEST(test_debug_of_other_build),
		TEST(test_object_by_build_id),
		TEST(test_object_refused),
		TEST(test_debug_file_stands_in),
		TEST(test_symbol_paths),
		TEST(test_debug_in_symbol_paths),
		TEST(test_lib_prefixes),
		TEST(test_build_id_of_object),
		TEST(test_debuglink),
		TEST(test_debug_root),
		TEST(test_debuglink_of_linked_object),
		TEST(test_alternate),
		TEST(test_path_maps),
		TEST(test_split_file),
		TEST(test_split_package),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

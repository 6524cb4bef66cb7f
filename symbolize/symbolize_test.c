#include "symbolize/symbolize.h"

#include "symbolize/test_folder.h"

#include <inttypes.h>
#include <sys/resource.h>

/* A library of build 1234abcd with one function, and profiles of one sample made by hand. */
static const char SOURCE[] = "extern int sink(int);\n"
							 "int work(int x)\n" /* line 2 */
							 "{\n"
							 "	return sink(x) + 1;\n" /* 4 */
							 "}\n";

enum { START = 0x7f0000000000, PAGES = 0x100000 };

static uint64_t work_vaddr;

static int setup(void **state)
{
	(void)state;
	test_folder_make();
	write_file("work.c", SOURCE, strlen(SOURCE));
	assert_true(run("%s -g -O2 -fPIC -shared -Wl,--build-id=0x1234abcd work.c -o work.so", test_tool("CC", "cc")));
	assert_true(run("nm work.so | grep ' T work$' >symbol"));
	assert_int_equal(read_hex("symbol", &work_vaddr, 1), 1);
	return 0;
}

/* ---- a profile of one object ---- */

struct subject {
	struct build *build;
	const struct profile *p;
	object_id object;
	map_id map;
};

static object_id add_object(struct subject *s, const char *file, const char *build_id, uint64_t start)
{
	object_id object = build_object(s->build, build_cstr(s->build, file), build_cstr(s->build, build_id));

	s->map = build_map(s->build, &(struct mapping){.start = start, .limit = start + PAGES, .object = object});
	return object;
}

static struct subject begin_with(const char *file, const char *build_id, const char *type)
{
	struct subject s = {.build = build_new()};

	s.p = build_profile(s.build);
	build_source(s.build, "p.pb", "proto");
	build_type(s.build, type, "count");
	build_count_row(s.build);
	build_maps_begin(s.build);
	s.object = add_object(&s, file, build_id, START);
	return s;
}

static struct subject begin(const char *file, const char *build_id)
{
	return begin_with(file, build_id, "samples");
}

/* The text is mapped as it lies in the file, which it does for every linker's default here. */
static loc_id add_loc(struct subject *s, uint64_t vaddr)
{
	loc_id loc = build_placed_loc(s->build, s->p->maps[s->map.row].start + vaddr, s->map);
	double value = 1;

	build_sample(s->build, build_stack(s->build, &loc, 1), (labels_id){0}, &value);
	return loc;
}

static void add_hint(struct subject *s, loc_id loc)
{
	struct function func = {.name = build_cstr(s->build, "hint"), .system_name = build_cstr(s->build, "hint")};
	struct line line = {.func = build_func(s->build, &func)};

	build_hint(s->build, loc, &line, 1);
}

static void solve(struct subject *s, const char *program, const char *sysroot)
{
	struct symbolize_opts opts = {.program = program, .find = {.sysroot = sysroot}, .n_threads = 1};
	struct err *err = symbolize(s->build, &opts);

	if (err)
		print_error("%s\n", err_text(err));
	assert_null(err);
}

static void end(struct subject *s)
{
	build_free(s->build);
}

static const char *name_of(const struct subject *s, loc_id loc)
{
	const struct location *row = &s->p->locs[loc.row];

	return row->n_lines ? profile_text(s->p, s->p->funcs[s->p->lines[row->first_line].func.row].name) : "";
}

static const struct object *object_of(const struct subject *s)
{
	return &s->p->objects[s->object.row];
}

static const struct note *find_note(const struct subject *s, const char *text)
{
	for (uint32_t i = 0; i < s->p->notes.n; i++)
		if (strstr(s->p->notes.notes[i].text, text))
			return &s->p->notes.notes[i];
	return NULL;
}

static uint32_t n_warnings(const struct subject *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->p->notes.n; i++)
		n += s->p->notes.notes[i].level == NOTE_WARNING;
	return n;
}

/* ---- build ids ---- */

static void test_same_build(void **state)
{
	static const char *const IDS[] = {"1234abcd", "1234ABCD", "", "xyz", "123", "../../1234abcd"};

	(void)state;
	for (size_t i = 0; i < sizeof IDS / sizeof *IDS; i++) {
		struct subject s = begin(in_folder("work.so"), IDS[i]);
		loc_id loc = add_loc(&s, work_vaddr);

		solve(&s, NULL, NULL);
		assert_string_equal(name_of(&s, loc), "work");
		assert_true(s.p->lines[s.p->locs[loc.row].first_line].column > 0);
		assert_int_equal(object_of(&s)->fate, OBJECT_FOUND);
		assert_string_equal(profile_text(s.p, object_of(&s)->path_used), in_folder("work.so"));
		assert_string_equal(profile_text(s.p, object_of(&s)->used_build_id), "1234abcd");
		assert_int_equal(n_warnings(&s), 0);
		end(&s);
	}
}

static void check_wrong(const char *file, const char *program)
{
	struct subject s = begin(file, "FFFF0000");
	loc_id loc = add_loc(&s, work_vaddr);

	solve(&s, program, NULL);
	assert_string_equal(name_of(&s, loc), "");
	assert_int_equal(object_of(&s)->fate, OBJECT_WRONG);
	assert_string_equal(profile_text(s.p, object_of(&s)->path_used), in_folder("work.so"));
	assert_string_equal(profile_text(s.p, object_of(&s)->used_build_id), "1234abcd");
	assert_int_equal(n_warnings(&s), 1);
	const struct note *note =
		find_note(&s, "work.so: not used: it is build 1234abcd, but the profile is of build ffff0000; 100.0%");
	assert_non_null(note);
	assert_int_equal(note->kind, NOTE_LOSS);
	assert_int_equal(strncmp(note->text, "p.pb: /", 7), 0);
	end(&s);
}

static void test_wrong_build(void **state)
{
	(void)state;
	check_wrong(in_folder("work.so"), NULL);
	check_wrong("/nowhere/work.so", in_folder("work.so"));
}

static void test_found_by_build_id(void **state)
{
	static const char *const PLACES[] = {"usr/lib/debug/.build-id/12/34abcd", "usr/lib/.build-id/12/34abcd"};

	(void)state;
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
		struct subject s = begin("/nowhere/work.so", "1234ABCD");
		loc_id loc = add_loc(&s, work_vaddr);

		assert_true(run("rm -rf root && mkdir -p $(dirname root/%s) && cp work.so root/%s", PLACES[i], PLACES[i]));
		solve(&s, NULL, in_folder("root"));
		assert_string_equal(name_of(&s, loc), "work");
		assert_int_equal(object_of(&s)->fate, OBJECT_FOUND);
		assert_int_equal(n_warnings(&s), 0);
		end(&s);
	}
}

/* The link leads to another build. */
static void test_build_id_link_is_checked(void **state)
{
	(void)state;
	assert_true(run("rm -rf root && mkdir -p root/usr/lib/.build-id/12 root/usr/lib/.build-id/56"));
	assert_true(run("cp work.so root/usr/lib/.build-id/56/78"));
	struct subject s = begin("/nowhere/work.so", "5678");
	loc_id loc = add_loc(&s, work_vaddr);

	solve(&s, NULL, in_folder("root"));
	assert_string_equal(name_of(&s, loc), "");
	assert_int_equal(object_of(&s)->fate, OBJECT_MISSING);
	assert_non_null(find_note(&s, "no such file"));
	end(&s);
}

/* A build id is surer than a name. */
static void test_program_by_build_id(void **state)
{
	(void)state;
	struct subject s = begin("/a/work.so", "9999");
	object_id other = add_object(&s, "/b/server", "1234abcd", (uint64_t)START + PAGES);
	loc_id loc = add_loc(&s, work_vaddr);

	solve(&s, in_folder("work.so"), NULL);
	assert_int_equal(s.p->program.row, other.row);
	assert_string_equal(name_of(&s, loc), "work");
	end(&s);
}

/* ---- what is asked ---- */

static void test_hints(void **state)
{
	(void)state;
	for (int has_program = 0; has_program < 2; has_program++) {
		struct subject s = begin(in_folder("work.so"), "");
		loc_id known = add_loc(&s, work_vaddr), unknown = add_loc(&s, PAGES - 1);

		add_hint(&s, known);
		add_hint(&s, unknown);
		solve(&s, has_program ? in_folder("work.so") : NULL, NULL);
		assert_string_equal(name_of(&s, known), has_program ? "work" : "hint");
		assert_int_equal(s.p->locs[known.row].is_hint, !has_program);
		assert_string_equal(name_of(&s, unknown), "hint");
		assert_int_equal(object_of(&s)->fate, has_program ? OBJECT_FOUND : OBJECT_UNTRIED);
		assert_int_equal(n_warnings(&s), 0);
		end(&s);
	}
}

static void test_named_locations_are_not_asked(void **state)
{
	(void)state;
	struct subject s = begin(in_folder("work.so"), "ffff");
	loc_id loc = add_loc(&s, work_vaddr);
	struct line line = {.func = build_func(s.build, &(struct function){.name = build_cstr(s.build, "own")})};

	build_lines(s.build, loc, &line, 1);
	solve(&s, in_folder("work.so"), NULL);
	assert_string_equal(name_of(&s, loc), "own");
	assert_int_equal(object_of(&s)->fate, OBJECT_UNTRIED);
	assert_int_equal(n_warnings(&s), 0);
	end(&s);
}

static void place_in_hole(struct subject *s, loc_id loc)
{
	((struct location *)&s->p->locs[loc.row])->in_hole = true;
}

static void test_holes(void **state)
{
	(void)state;
	struct subject s = begin(in_folder("work.so"), "");
	loc_id code = add_loc(&s, work_vaddr), none = add_loc(&s, PAGES - 1);

	place_in_hole(&s, code);
	place_in_hole(&s, none);
	solve(&s, NULL, NULL);
	assert_string_equal(name_of(&s, code), "work");
	assert_int_equal(s.p->locs[none.row].object.row, 0);
	assert_int_equal(n_warnings(&s), 1);
	assert_non_null(find_note(&s, "50.0% of the total lies at addresses in no object of the map"));
	end(&s);
}

static void test_hole_of_missing_object(void **state)
{
	(void)state;
	struct subject s = begin("/nowhere/work.so", "");
	loc_id loc = add_loc(&s, PAGES - 1);

	place_in_hole(&s, loc);
	solve(&s, NULL, NULL);
	assert_int_equal(s.p->locs[loc.row].object.row, s.object.row);
	assert_int_equal(object_of(&s)->fate, OBJECT_MISSING);
	end(&s);
}

static void test_misfit(void **state)
{
	(void)state;
	struct subject s = begin(in_folder("work.so"), "");

	add_loc(&s, PAGES - 1);
	solve(&s, NULL, NULL);
	assert_non_null(find_note(&s, "p.pb: the map does not fit"));
	end(&s);
}

/* ---- many objects, and long names ---- */

/* More objects than files may be open by default. */
static void test_many_objects(void **state)
{
	enum { N = 40 };
	struct subject s = begin("", "");
	struct rlimit limit, low;
	loc_id locs[N];

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		char name[32];

		snprintf(name, sizeof name, "copy%" PRIu32 ".so", i);
		assert_true(run("cp work.so %s", name));
		add_object(&s, in_folder(name), "", START + (uint64_t)(i + 1) * PAGES);
		locs[i] = add_loc(&s, work_vaddr);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = (struct rlimit){N / 2, limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	solve(&s, NULL, NULL);
	setrlimit(RLIMIT_NOFILE, &limit);
	for (uint32_t i = 0; i < N; i++)
		assert_string_equal(name_of(&s, locs[i]), "work");
	end(&s);
}

/* A name is kept for each frame, and a damaged file may have very long ones. */
static void test_long_name(void **state)
{
	uint64_t vaddr;

	(void)state;
	assert_true(
		run("name=$(head -c 100000 /dev/zero | tr '\\0' a) && echo \"int $name(void) { return 1; }\" >long.c && "
	        "%s -g -shared -fPIC long.c -o long.so && nm long.so | grep ' T aaa' | cut -c 1-16 >symbol",
	        test_tool("CC", "cc")));
	assert_int_equal(read_hex("symbol", &vaddr, 1), 1);
	struct subject s = begin(in_folder("long.so"), "");
	loc_id loc = add_loc(&s, vaddr);
	solve(&s, NULL, NULL);
	const struct line *line = &s.p->lines[s.p->locs[loc.row].first_line];
	assert_int_equal(strlen(profile_text(s.p, s.p->funcs[line->func.row].system_name)), 32768);
	end(&s);
}

/* ---- names that are no paths ---- */

static void test_specials(void **state)
{
	static const char *const FILES[] = {"[vdso]",    "[kernel.kallsyms]_stext", "//anon", "/dev/dri/card0",
	                                    "/memfd:x",  "linux-vdso.so.1",         "",       "anon_inode:x",
	                                    "/dev/zero", "/anon_hugepage"};

	(void)state;
	for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
		struct subject s = begin(FILES[i], "");

		add_loc(&s, work_vaddr);
		solve(&s, NULL, NULL);
		assert_int_equal(object_of(&s)->fate, OBJECT_SPECIAL);
		assert_null(find_note(&s, "no such file"));
		end(&s);
	}
}

/* The working folder is not the profile's to read; but the user's program may stand for such a name. */
static void test_relative_path(void **state)
{
	(void)state;
	assert_int_equal(chdir(test_folder), 0);
	for (int has_program = 0; has_program < 2; has_program++) {
		struct subject s = begin("work.so", "");
		loc_id loc = add_loc(&s, work_vaddr);

		solve(&s, has_program ? in_folder("work.so") : NULL, NULL);
		assert_string_equal(name_of(&s, loc), has_program ? "work" : "");
		assert_int_equal(object_of(&s)->fate, has_program ? OBJECT_FOUND : OBJECT_MISSING);
		assert_int_equal(find_note(&s, "work.so: not found") != NULL, !has_program);
		end(&s);
	}
	assert_int_equal(chdir("/"), 0);
}

/* From 0 to the end: the mapping of a converter that knew none. */
static void test_mapping_of_everything(void **state)
{
	static const char *const FILES[] = {"", "server"};

	(void)state;
	for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
		struct subject s = begin("[vdso]", "");

		s.object = add_object(&s, FILES[i], "", 0);
		loc_id loc = add_loc(&s, work_vaddr);
		solve(&s, in_folder("work.so"), NULL);
		assert_string_equal(name_of(&s, loc), "work");
		assert_int_equal(object_of(&s)->fate, OBJECT_FOUND);
		end(&s);
	}
}

static void test_stripped(void **state)
{
	(void)state;
	assert_true(run("strip work.so -o stripped.so"));
	struct subject s = begin(in_folder("stripped.so"), "");

	add_loc(&s, work_vaddr);
	solve(&s, NULL, NULL);
	assert_int_equal(object_of(&s)->fate, OBJECT_STRIPPED);
	end(&s);
}

/* ---- what it costs ---- */

/* Memory is allocated at the allocator's caller, but time passes in it. */
static void test_allocator_at_leaf(void **state)
{
	static const struct {
		const char *type, *note;
		enum note_level level;
	} ROWS[] = {
		{"samples", "100.0% of the total lies there", NOTE_WARNING},
		{"inuse_space", "0.0% of the total is allocated there", NOTE_DETAIL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
		struct subject s = begin_with("/nowhere/libtcmalloc.so.4", "", ROWS[i].type);

		add_loc(&s, work_vaddr);
		solve(&s, NULL, NULL);
		const struct note *note = find_note(&s, ROWS[i].note);
		assert_non_null(note);
		assert_int_equal(note->level, ROWS[i].level);
		end(&s);
	}
}

/* ---- sources without a map ---- */

static void check_mapless(bool is_mapless, bool is_named, uint32_t n_sources, uint32_t expected)
{
	struct subject s = {.build = build_new()};
	double value = 1;

	s.p = build_profile(s.build);
	build_type(s.build, "samples", "count");
	for (uint32_t i = 0; i < n_sources; i++) {
		build_source(s.build, "p.txt", "heap");
		if (is_mapless)
			build_mapless(s.build);
		build_count_row(s.build);
		loc_id loc = build_loc(s.build, work_vaddr + (is_named ? 0 : PAGES));
		build_sample(s.build, build_stack(s.build, &loc, 1), (labels_id){0}, &value);
		build_end_source(s.build, 7);
	}
	solve(&s, in_folder("work.so"), NULL);
	assert_int_equal(n_warnings(&s), expected);
	if (expected)
		assert_non_null(find_note(&s, n_sources > 2   ? "(MAPPED_LIBRARIES:) here and in 2 other profiles; "
		                              : n_sources > 1 ? "(MAPPED_LIBRARIES:) here and in 1 other profile; "
		                                              : "p.txt:7: expected a map section (MAPPED_LIBRARIES:); "));
	end(&s);
}

static void test_sources_without_maps(void **state)
{
	(void)state;
	check_mapless(false, true, 1, 1);
	check_mapless(false, false, 1, 1);
	check_mapless(false, true, 3, 1);
	check_mapless(false, true, 2, 1);
	check_mapless(true, true, 1, 0);
	check_mapless(true, false, 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_build),
		cmocka_unit_test(test_wrong_build),
		cmocka_unit_test(test_found_by_build_id),
		cmocka_unit_test(test_build_id_link_is_checked),
		cmocka_unit_test(test_program_by_build_id),
		cmocka_unit_test(test_hints),
		cmocka_unit_test(test_named_locations_are_not_asked),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_hole_of_missing_object),
		cmocka_unit_test(test_misfit),
		cmocka_unit_test(test_many_objects),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_specials),
		cmocka_unit_test(test_relative_path),
		cmocka_unit_test(test_mapping_of_everything),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_allocator_at_leaf),
		cmocka_unit_test(test_sources_without_maps),
	};

	return cmocka_run_group_tests(tests, setup, test_folder_remove);
}

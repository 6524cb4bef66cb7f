#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/info.h"

#include <string.h>

/* A profile of one type; each of its objects has 0x1000 bytes, from 0x1000 times its number on. */
struct fixture {
	struct build *build;
	struct map_row rows[4];
	uint32_t n_rows;
	struct arena *arena;
	struct view *view;
	struct info info;
};

static void setup(struct fixture *f)
{
	*f = (struct fixture){.build = build_new(), .arena = arena_new()};
	build_source(f->build, "test", "test");
	build_type(f->build, "inuse_space", "bytes");
	build_maps_begin(f->build);
}

static object_id add_object(struct fixture *f, const char *file, const char *build_id)
{
	object_id object = build_object(f->build, build_cstr(f->build, file), build_cstr(f->build, build_id));
	uint64_t start = 0x1000 * (uint64_t)object.row;

	f->rows[f->n_rows++] = (struct map_row){{start, start + 0x1000, 0, object, 1}, .executable = true};
	return object;
}

static void add_sample(struct fixture *f, double value, uint64_t leaf, uint64_t caller)
{
	loc_id frames[] = {build_loc(f->build, leaf), build_loc(f->build, caller)};

	build_sample(f->build, build_stack(f->build, frames, 2), (labels_id){0}, &value);
}

static void name_leaf(struct fixture *f, uint64_t addr)
{
	struct line line = {build_func(f->build, &(struct function){.name = build_cstr(f->build, "f")}), 0, 0};

	for (uint32_t i = 1; i < build_profile(f->build)->n_locs; i++)
		if (build_profile(f->build)->locs[i].addr == addr)
			build_lines(f->build, (loc_id){i}, &line, 1);
}

static void finish(struct fixture *f)
{
	assert_null(view_new(build_profile(f->build), &(struct view_opts){0}, &f->view));
	info_build(f->view, f->arena, &f->info);
}

static void teardown(struct fixture *f)
{
	info_free(&f->info);
	view_free(f->view);
	arena_free(f->arena);
	build_free(f->build);
}

static void objects_have_shares(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	object_id program = add_object(&f, "/bin/program", ""), library = add_object(&f, "/lib/b.so", "");
	add_object(&f, "/lib/unused.so", "");
	add_sample(&f, 3, 0x2010, 0x1010);
	add_sample(&f, 1, 0x2020, 0x1010);
	add_sample(&f, 4, 0x1020, 0x1010);
	add_sample(&f, 2, 0x9000, 0x1010);
	build_assign_maps(f.build, f.rows, f.n_rows);
	name_leaf(&f, 0x2010);
	finish(&f);

	const struct info_object *objects = f.info.objects;
	assert_int_equal(f.info.n_objects, 3);
	assert_int_equal(f.info.n_unused, 1);
	assert_true(f.info.types[0].total == 10);
	/* Equal shares: by name. */
	assert_int_equal(objects[0].object.row, program.row);
	assert_true(objects[0].leaf == 40 && objects[0].named == 0 && objects[0].cum == 100);
	assert_int_equal(objects[1].object.row, library.row);
	assert_true(objects[1].leaf == 40 && objects[1].named == 75 && objects[1].cum == 40);
	assert_int_equal(objects[2].object.row, 0);
	assert_true(objects[2].leaf == 20 && objects[2].cum == 20);
	assert_non_null(strstr(objects[2].advice, "unloaded"));
	teardown(&f);
}

static void each_fate_has_advice(void **state)
{
	(void)state;
	static const struct {
		enum object_fate fate;
		const char *advice; /* part of it; NULL: none */
	} cases[] = {
		{OBJECT_FOUND, "install its debug symbols"},
		{OBJECT_STRIPPED, "the debug file\nof build id 0123abcd"},
		{OBJECT_MISSING, "--sysroot=DIR"},
		{OBJECT_WRONG, "use the one with build id\n0123abcd"},
		{OBJECT_SPECIAL, NULL},
		{OBJECT_UNTRIED, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f;

		setup(&f);
		object_id object = add_object(&f, "/lib/a.so", "0123abcd");
		add_sample(&f, 1, 0x1010, 0x1020);
		build_assign_maps(f.build, f.rows, f.n_rows);
		build_object_fate(f.build, object, cases[i].fate, (str_id){0});
		finish(&f);
		if (cases[i].advice)
			assert_non_null(strstr(f.info.objects[0].advice, cases[i].advice));
		else
			assert_null(f.info.objects[0].advice);
		teardown(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_have_shares),
		cmocka_unit_test(each_fate_has_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "analyze/test.h"

#include "analyze/test_profile.h"
#include "analyze/tally.h"

#include <string.h>

static const struct row *row_named(const struct table *table, const char *name)
{
	for (uint32_t i = 0; i < table->n; i++)
		if (strcmp(table->rows[i].label, name) == 0)
			return &table->rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
};

static void setup_with(struct fixture *f, const struct test_stack *stacks, struct view_opts opts)
{
	f->profile = test_profile(stacks);
	assert_null(view_new(f->profile, &opts, &f->view));
	f->arena = arena_new();
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
}

static void teardown(struct fixture *f)
{
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

static void expect(const struct table *table, const char *name, double flat, double cum)
{
	assert_true(row_named(table, name)->flat == flat);
	assert_true(row_named(table, name)->cum == cum);
}

static void recursion_counts_once(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(
		&f,
		(struct test_stack[]){{"burn recurse burn recurse main", 3, 0}, {"recurse recurse main", 5, 0}, {NULL, 0, 0}},
		(struct view_opts){0});
	expect(&f.table, "burn", 3, 3);
	expect(&f.table, "recurse", 5, 8);
	expect(&f.table, "main", 0, 8);
	teardown(&f);
}

/* "a>b" is a inlined into b: one location with two lines. */
static void inlined_functions_have_rows(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, (struct test_stack[]){{"inner>middle>outer main", 4, 0}, {NULL, 0, 0}}, (struct view_opts){0});
	expect(&f.table, "inner", 4, 4);
	expect(&f.table, "middle", 0, 4);
	expect(&f.table, "outer", 0, 4);
	teardown(&f);
}

static void allocators_go_from_the_leaf_only(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"malloc helper main", 1, 0}, {"tc_new operator_new>vector main", 2, 0}, {"helper malloc main", 4, 0},
		{"malloc calloc", 8, 0},      {"malloc>wrapped>helper main", 16, 0},     {NULL, 0, 0},
	};
	struct fixture f;

	setup_with(&f, stacks, (struct view_opts){0});
	expect(&f.table, "helper", 5, 21);
	expect(&f.table, "wrapped", 16, 16);
	expect(&f.table, "calloc", 8, 8);
	expect(&f.table, "malloc", 0, 4);
	teardown(&f);
	setup_with(&f, stacks, (struct view_opts){.all_frames = true});
	expect(&f.table, "malloc", 25, 29);
	teardown(&f);
}

static void differences_and_drop_negative(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"a main", 5, 2}, {"b main", 0, 2}, {"c main", 1, 2}, {"d main", 1, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct view_opts){0});
	expect(&f.table, "a", 3, 3);
	expect(&f.table, "b", -2, -2);
	expect(&f.table, "main", 0, 1);
	assert_true(view_divisor(&f.view->all) == 7);
	teardown(&f);
	setup_with(&f, stacks, (struct view_opts){.drop_negative = true});
	expect(&f.table, "main", 0, 4);
	assert_true(view_divisor(&f.view->all) == 4);
	teardown(&f);
}

static void filters_keep_whole_stacks(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"a b main", 1, 0}, {"a c main", 2, 0}, {"d main", 4, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct view_opts){.focus = "^a$", .ignore = "c"});
	expect(&f.table, "a", 1, 1);
	expect(&f.table, "main", 0, 1);
	assert_true(f.view->all.sum == 7 && f.view->kept.sum == 1);
	assert_int_equal(f.view->n_kept, 1);
	teardown(&f);
	/* Hexadecimal digits of addresses are no names. */
	setup_with(&f, stacks, (struct view_opts){.focus = "1"});
	assert_int_equal(f.view->n_kept, 0);
	teardown(&f);
}

static void order_is_total(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"b main", 3, 0}, {"a main", 3, 0}, {"c main", 0, 5}, {"e main", 1, 0}, {NULL, 0, 0}};
	struct fixture f;
	uint32_t order[8];

	setup_with(&f, stacks, (struct view_opts){0});
	for (uint32_t i = 0; i < f.table.n; i++)
		order[i] = f.table.n - 1 - i;
	table_sort(&f.table, ORDER_CLASSIC, false, order, f.table.n);
	static const char *const classic[] = {"a", "b", "e", "main", "c"};
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(f.table.rows[order[i]].label, classic[i]);
	table_sort(&f.table, ORDER_MODERN, false, order, f.table.n);
	static const char *const modern[] = {"c", "a", "b", "e", "main"};
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(f.table.rows[order[i]].label, modern[i]);
	teardown(&f);
}

static void special_objects_are_one_row(void **state)
{
	(void)state;
	static const struct {
		const char *file, *label, *at;
	} cases[] = {
		{"[vdso]", "[vdso]", "[vdso+0x10]"},
		{"[kernel.kallsyms]_stext", "[kernel.kallsyms]_stext", "[kernel.kallsyms]_stext+0x10"},
		{"/memfd:x (deleted)", "[memfd:x]", "[memfd:x+0x10]"},
		{"//anon", "[anon]", "[anon+0x10]"},
		{"", "[anon]", "[anon+0x10]"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build *build = build_new();
		struct fixture f = {.arena = arena_new()};
		loc_id frames[2];
		double value = 2;

		build_source(build, "test", "test");
		build_type(build, "samples", "count");
		object_id object = build_object(build, build_cstr(build, cases[i].file), (str_id){0});
		build_object_fate(build, object, OBJECT_SPECIAL, (str_id){0});
		map_id map = build_map(build, &(struct mapping){.start = 0x1000, .limit = 0x2000, .object = object});
		frames[0] = build_placed_loc(build, 0x1010, map);
		frames[1] = build_placed_loc(build, 0x1020, map);
		build_sample(build, build_stack(build, frames, 2), (labels_id){0}, &value);
		f.profile = build_finish(build);
		assert_null(view_new(f.profile, &(struct view_opts){0}, &f.view));
		tally(f.view, &(struct row_opts){.granularity = BY_FUNCTION}, f.arena, &f.table);
		assert_int_equal(f.table.n, 1);
		expect(&f.table, cases[i].label, 2, 2);
		table_free(&f.table);
		tally(f.view, &(struct row_opts){.granularity = BY_ADDRESS}, f.arena, &f.table);
		assert_int_equal(f.table.n, 2);
		expect(&f.table, cases[i].at, 2, 2);
		teardown(&f);
	}
}

/* Objects and bytes of a stack. */
static void add_objects(struct build *build, const char *name, double objects, double bytes)
{
	loc_id frames[] = {test_loc(build, name, strlen(name)), test_loc(build, "main", 4)};

	build_sample(build, build_stack(build, frames, 2), (labels_id){0}, (double[]){objects, bytes});
}

static void means_divide_sums_by_counts(void **state)
{
	(void)state;
	struct build *build = build_new();
	struct fixture f;

	build_source(build, "test", "test");
	build_type(build, "objects", "count");
	build_type(build, "space", "bytes");
	add_objects(build, "large", 1, 1000);
	add_objects(build, "small", 99, 99);
	add_objects(build, "gone", 0, 0);
	f.profile = build_finish(build);
	assert_null(view_new(f.profile, &(struct view_opts){.type = 1, .mean = true, .count_type = 0}, &f.view));
	f.arena = arena_new();
	tally(f.view, &(struct row_opts){.granularity = BY_FUNCTION}, f.arena, &f.table);
	expect(&f.table, "main", 0, 1099);
	table_take_means(&f.table);
	expect(&f.table, "large", 1000, 1000);
	expect(&f.table, "small", 1, 1);
	expect(&f.table, "gone", 0, 0);
	expect(&f.table, "main", 0, 10.99);
	assert_true(view_shown(f.view, f.view->all.sum, f.view->all.count) == 10.99);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(means_divide_sums_by_counts),
		cmocka_unit_test(inlined_functions_have_rows),
		cmocka_unit_test(allocators_go_from_the_leaf_only),
		cmocka_unit_test(differences_and_drop_negative),
		cmocka_unit_test(filters_keep_whole_stacks),
		cmocka_unit_test(order_is_total),
		cmocka_unit_test(special_objects_are_one_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

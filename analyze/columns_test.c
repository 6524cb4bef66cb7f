#include "analyze/test.h"

#include "analyze/columns.h"
#include "analyze/test_profile.h"

enum { OBJECTS, SPACE };

static struct profile *heap(void)
{
	static const struct {
		const char *frames;
		double values[2];
	} stacks[] = {{"a main", {4, 100}}, {"b a main", {1, 300}}, {"a a", {2, 20}}, {"c", {0, 7}}, {"d", {9, 0}}};
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "inuse_objects", "count");
	build_type(build, "inuse_space", "bytes");
	for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
		build_sample(build, test_stack_of(build, stacks[i].frames), (labels_id){0}, stacks[i].values);
	return build_finish(build);
}

static const struct columns_opts all = {
	.items = {{.type = OBJECTS}, {.type = SPACE}, {.type = SPACE, .is_mean = true, .count_type = OBJECTS}}, .n = 3};

static void tally_functions(const struct view *view, struct arena *arena, struct table *ret)
{
	tally(view, &(struct row_opts){.granularity = BY_FUNCTION}, arena, ret);
}

/* A column is what a table of that type alone has, row by row. */
static void expect_column(const struct profile *profile, const struct view_opts *opts, const struct table *shown,
                          const struct value_column *column)
{
	struct arena *arena = arena_new();
	struct view *view;
	struct table table;

	assert_null(view_new(profile, opts, &view));
	tally_functions(view, arena, &table);
	table_take_means(&table);
	assert_int_equal(table.n, shown->n);
	for (uint32_t i = 0; i < table.n; i++) {
		assert_string_equal(table.rows[i].label, shown->rows[i].label);
		assert_true(column->flat[i] == table.rows[i].flat);
		assert_true(column->cum[i] == table.rows[i].cum);
	}
	table_free(&table);
	view_free(view);
	arena_free(arena);
}

static void expect_columns(struct view_opts opts)
{
	struct profile *profile = heap();
	struct arena *arena = arena_new();
	struct view *view;
	struct table table;
	struct value_columns columns = {0};
	struct diag notes = {0};

	assert_null(view_new(profile, &opts, &view));
	tally_functions(view, arena, &table);
	columns_build(&table, &all, &notes, &columns);
	assert_int_equal(notes.n, 0);
	assert_int_equal(columns.n, 3);
	assert_int_equal(columns.shown, opts.type);
	opts.type = OBJECTS;
	expect_column(profile, &opts, &table, &columns.items[0]);
	opts.type = SPACE;
	expect_column(profile, &opts, &table, &columns.items[1]);
	opts.mean = true;
	opts.count_type = OBJECTS;
	expect_column(profile, &opts, &table, &columns.items[2]);
	columns_free(&columns);
	table_free(&table);
	view_free(view);
	arena_free(arena);
	profile_free(profile);
}

static void columns_are_those_of_their_types(void **state)
{
	(void)state;
	expect_columns((struct view_opts){.type = OBJECTS});
	expect_columns((struct view_opts){.type = SPACE});
}

static void with_filters_and_divisions(void **state)
{
	(void)state;
	expect_columns((struct view_opts){.type = SPACE, .focus = "b|c"});
	expect_columns((struct view_opts){.type = OBJECTS, .hide = "^a$"});
	expect_columns((struct view_opts){.type = SPACE, .divide_by = 3});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_those_of_their_types),
		cmocka_unit_test(with_filters_and_divisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

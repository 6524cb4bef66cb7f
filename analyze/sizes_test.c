#include "analyze/test.h"

#include "analyze/sizes.h"
#include "analyze/test_profile.h"

#include <string.h>

enum { OBJECTS, SPACE };

/* Frames, and what the stack has; an entry without frames ends the list. */
struct heap_stack {
	const char *frames;
	double values[2];
};

static struct build *build_heap(const struct heap_stack *stacks)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "inuse_objects", "count");
	build_type(build, "inuse_space", "bytes");
	for (; stacks->frames; stacks++)
		build_sample(build, test_stack_of(build, stacks->frames), (labels_id){0}, stacks->values);
	return build;
}

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct sizes sizes;
};

static void setup(struct fixture *f, struct build *build, struct view_opts opts, bool by_cum)
{
	*f = (struct fixture){.profile = build_finish(build), .arena = arena_new()};
	assert_null(view_new(f->profile, &opts, &f->view));
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	assert_null(sizes_build(&f->table, by_cum, &f->sizes));
}

static void teardown(struct fixture *f)
{
	sizes_free(&f->sizes);
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

static uint32_t row_of(const struct fixture *f, const char *name)
{
	uint32_t row = 0;

	while (row < f->table.n && strcmp(f->table.rows[row].label, name) != 0)
		row++;
	assert_true(row < f->table.n);
	return row;
}

static void expect_bucket(const struct fixture *f, const char *name, uint32_t number, double objects, double space)
{
	const struct size_bucket *at = sizes_first(&f->sizes, row_of(f, name));

	while (at && at->number != number)
		at = sizes_next(&f->sizes, at);
	assert_non_null(at);
	assert_true(at->objects == objects);
	assert_true(at->space == space);
}

/* Buckets go up, and what they hold adds up to what the row has. */
static void expect_sums(const struct fixture *f, bool by_cum)
{
	for (uint32_t i = 0; i < f->table.n; i++) {
		double objects = 0, space = 0;
		int64_t before = -1;

		for (const struct size_bucket *at = sizes_first(&f->sizes, i); at; at = sizes_next(&f->sizes, at)) {
			assert_true(at->number > before);
			before = at->number;
			objects += at->objects;
			space += at->space;
		}
		const struct row *row = &f->table.rows[i];
		double shown = f->view->opts.type == OBJECTS ? objects : space;
		assert_true(shown == (by_cum ? row->cum : row->flat));
	}
}

static const struct heap_stack some[] = {
	{"leaf main", {3, 3 * 64}},
	{"leaf other main", {1, 63}},
	{"leaf leaf main", {2, 128}},
	{"leaf third", {5, 0}},
	{"main", {1, 0x1p52}},
	{"third main", {7, 7 * 32}},
	{NULL, {0, 0}},
};

static void flat_adds_up(void **state)
{
	(void)state;
	for (uint32_t type = OBJECTS; type <= SPACE; type++) {
		struct fixture f;

		setup(&f, build_heap(some), (struct view_opts){.type = type}, false);
		expect_sums(&f, false);
		expect_bucket(&f, "leaf", 0, 5, 0);
		expect_bucket(&f, "leaf", 6, 1, 63);
		expect_bucket(&f, "leaf", 7, 5, 320);
		expect_bucket(&f, "main", 53, 1, 0x1p52);
		teardown(&f);
	}
}

static void cum_counts_a_stack_once(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, build_heap(some), (struct view_opts){.type = SPACE}, true);
	expect_sums(&f, true);
	expect_bucket(&f, "leaf", 7, 5, 320);
	expect_bucket(&f, "main", 7, 5, 320);
	expect_bucket(&f, "third", 0, 5, 0);
	expect_bucket(&f, "third", 6, 7, 224);
	teardown(&f);
}

/* Blocks that have grown went from one bucket to another, though the stack is the same and the row has no more objects. */
static void changes_have_the_size_of_their_side(void **state)
{
	(void)state;
	struct build *build =
		build_heap((struct heap_stack[]){{"grown main", {10, 320}}, {"gone", {0, 0}}, {NULL, {0, 0}}});
	struct build *base = build_heap((struct heap_stack[]){{"grown main", {10, 160}}, {"gone", {2, 8}}, {NULL, {0, 0}}});
	struct fixture f;

	assert_null(build_append(build, build_profile(base), SET_BASE));
	build_free(base);
	setup(&f, build, (struct view_opts){.type = OBJECTS}, false);
	expect_sums(&f, false);
	expect_bucket(&f, "grown", 5, -10, -160);
	expect_bucket(&f, "grown", 6, 10, 320);
	expect_bucket(&f, "gone", 3, -2, -8);
	teardown(&f);
}

/* What a filter drops is in no bucket. */
static void filters_count(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, build_heap(some), (struct view_opts){.type = SPACE, .focus = "other"}, false);
	expect_sums(&f, false);
	expect_bucket(&f, "leaf", 6, 1, 63);
	assert_int_equal(f.sizes.n, 1);
	teardown(&f);
}

static void space_of_no_blocks_is_kept(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f,
	      build_heap((struct heap_stack[]){{"f", {0, 100}}, {"f g", {-1, 5}}, {"f h", {1, 0x1p63}}, {NULL, {0, 0}}}),
	      (struct view_opts){.type = SPACE}, false);
	expect_bucket(&f, "f", SIZES_UNKNOWN, -1, 105);
	expect_bucket(&f, "f", 63, 1, 0x1p63);
	assert_true(sizes_least(63) == 0x1p62);
	teardown(&f);
}

static void others_have_no_blocks(void **state)
{
	(void)state;
	struct profile *profile = test_profile((struct test_stack[]){{"f", 1, 0}, {NULL, 0, 0}});
	struct arena *arena = arena_new();
	struct view *view;
	struct table table;
	struct sizes sizes = {0};

	assert_null(view_new(profile, &(struct view_opts){0}, &view));
	tally(view, &(struct row_opts){.granularity = BY_FUNCTION}, arena, &table);
	struct err *err = sizes_build(&table, false, &sizes);
	assert_non_null(err);
	err_free(err);
	table_free(&table);
	arena_free(arena);
	view_free(view);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_adds_up),
		cmocka_unit_test(cum_counts_a_stack_once),
		cmocka_unit_test(changes_have_the_size_of_their_side),
		cmocka_unit_test(filters_count),
		cmocka_unit_test(space_of_no_blocks_is_kept),
		cmocka_unit_test(others_have_no_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

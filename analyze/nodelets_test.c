#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/nodelets.h"

#include <string.h>

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct nodelets nodelets;
};

/* One function, in blocks of so many bytes each; a value of 0 ends the list. */
struct block {
	double size, value;
};

static void add_block(struct build *build, const struct block *block)
{
	loc_id loc = build_loc(build, 1);
	struct line line = {.func = build_func(build, &(struct function){.name = build_cstr(build, "f")})};
	struct label label = {.key = build_cstr(build, "bytes"), .number = (int64_t)block->size};

	if (!build_profile(build)->locs[loc.row].n_lines)
		build_lines(build, loc, &line, 1);
	build_sample(build, build_stack(build, &loc, 1), build_labels(build, &label, 1), &block->value);
}

static void setup_view(struct fixture *f, const struct block *blocks, const struct view_opts *opts, double least)
{
	static const uint8_t wanted[] = {NODELETS_FLAT};
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "cpu", "nanoseconds");
	for (; blocks->value > 0; blocks++)
		add_block(build, blocks);
	f->profile = build_finish(build);
	assert_null(view_new(f->profile, opts, &f->view));
	f->arena = arena_new();
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	assert_int_equal(f->table.n, 1);
	nodelets_build(&f->table, wanted, least, &f->nodelets);
}

static void setup_with(struct fixture *f, const struct block *blocks, double least)
{
	setup_view(f, blocks, &(struct view_opts){0}, least);
}

static void teardown(struct fixture *f)
{
	nodelets_free(&f->nodelets);
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

static void expect(const struct fixture *f, uint32_t at, const char *text, double weight)
{
	assert_true(at < f->nodelets.n);
	assert_string_equal(f->nodelets.items[at].text, text);
	assert_true(f->nodelets.items[at].weight == weight);
}

/* The four heaviest begin the groups; 6 is nearer to 8 than to 1. */
static void sizes_are_grouped(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(
		&f, (struct block[]){{1, 50}, {8, 40}, {64, 30}, {512, 20}, {6, 9}, {2, 3}, {4096, 15}, {65536, 1}, {0, 0}}, 0);
	assert_int_equal(f.nodelets.n, 4);
	expect(&f, 0, "1B..2B", 53);
	expect(&f, 1, "6B..8B", 49);
	expect(&f, 2, "512B..64kB", 36);
	expect(&f, 3, "64B", 30);
	teardown(&f);
}

static void light_sizes_go(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, (struct block[]){{1, 50}, {8, 4}, {0, 0}}, 5);
	assert_int_equal(f.nodelets.n, 1);
	expect(&f, 0, "1B", 50);
	teardown(&f);
}

static void hidden_labels_have_no_boxes(void **state)
{
	(void)state;
	static const struct block blocks[] = {{1, 50}, {0, 0}};
	struct fixture f;

	setup_view(&f, blocks, &(struct view_opts){.tags.hide = "bytes"}, 0);
	assert_int_equal(f.nodelets.n, 0);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_grouped),
		cmocka_unit_test(light_sizes_go),
		cmocka_unit_test(hidden_labels_have_no_boxes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

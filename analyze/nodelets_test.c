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

/* f below main, which calls itself, in blocks of so many bytes each; a value of 0 ends the list. */
struct block {
	double size, value;
};

static loc_id place(struct build *build, uint64_t addr, const char *name)
{
	loc_id loc = build_loc(build, addr);
	struct line line = {.func = build_func(build, &(struct function){.name = build_cstr(build, name)})};

	if (!build_profile(build)->locs[loc.row].n_lines)
		build_lines(build, loc, &line, 1);
	return loc;
}

static void add_block(struct build *build, const struct block *block)
{
	loc_id f = place(build, 1, "f"), root = place(build, 2, "main");
	struct label label = {.key = build_cstr(build, "bytes"), .number = (int64_t)block->size};

	build_sample(build, build_stack(build, (loc_id[]){f, root, root}, 3), build_labels(build, &label, 1),
	             &block->value);
}

static void setup_view(struct fixture *f, const struct block *blocks, const struct view_opts *opts, double least)
{
	static const uint8_t wanted[] = {NODELETS_FLAT, NODELETS_CUM};
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "cpu", "nanoseconds");
	for (; blocks->value > 0; blocks++)
		add_block(build, blocks);
	f->profile = build_finish(build);
	assert_null(view_new(f->profile, opts, &f->view));
	f->arena = arena_new();
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	assert_int_equal(f->table.n, 2);
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

/* Of f, and likewise of main, to which they are passed on. */
static void expect(const struct fixture *f, const struct nodelet *expected, uint32_t n)
{
	assert_int_equal(f->nodelets.n, 2 * n);
	for (uint32_t i = 0; i < 2 * n; i++) {
		const struct nodelet *nodelet = &f->nodelets.items[i];

		assert_int_equal(nodelet->row, i / n);
		assert_int_equal(nodelet->passed_on, i / n);
		assert_string_equal(nodelet->text, expected[i % n].text);
		assert_true(nodelet->weight == expected[i % n].weight);
	}
}

/* The four heaviest begin the groups; 6 is nearer to 8 than to 1. */
static void sizes_are_grouped(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(
		&f, (struct block[]){{1, 50}, {8, 40}, {64, 30}, {512, 20}, {6, 9}, {2, 3}, {4096, 15}, {65536, 1}, {0, 0}}, 0);
	expect(&f,
	       (struct nodelet[]){
			   {.text = "1B..2B", .weight = 53},
			   {.text = "6B..8B", .weight = 49},
			   {.text = "512B..64kB", .weight = 36},
			   {.text = "64B", .weight = 30},
		   },
	       4);
	teardown(&f);
}

static void light_sizes_go(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, (struct block[]){{1, 50}, {8, 4}, {0, 0}}, 5);
	expect(&f, &(struct nodelet){.text = "1B", .weight = 50}, 1);
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

#include "analyze/test.h"

#include "analyze/graph.h"
#include "analyze/test_profile.h"
#include "analyze/tree.h"

#include <stdio.h>
#include <string.h>

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct diag notes;
};

static void setup_with(struct fixture *f, const struct test_stack *stacks, uint32_t most)
{
	*f = (struct fixture){.profile = test_profile(stacks), .arena = arena_new()};
	assert_null(view_new(f->profile, &(struct view_opts){0}, &f->view));
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	tree_split(&f->table, most, &f->notes);
}

static void teardown(struct fixture *f)
{
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
	diag_clear(&f->notes);
}

/* The row of a way such as "main recurse burn", or TABLE_NONE. */
static uint32_t find_row(const struct fixture *f, const char *way)
{
	for (uint32_t i = 0; i < f->table.n; i++) {
		char text[200] = "";

		for (uint32_t row = i; row != TABLE_NONE; row = f->table.callers[row]) {
			char below[200];

			strcpy(below, text);
			snprintf(text, sizeof text, "%s%s%.90s", f->table.rows[row].label, *below ? " " : "", below);
		}
		if (strcmp(text, way) == 0)
			return i;
	}
	return TABLE_NONE;
}

static void expect(const struct fixture *f, const char *way, double flat, double cum)
{
	uint32_t row = find_row(f, way);

	if (row == TABLE_NONE)
		fail_msg("no row for %s", way);
	assert_true(f->table.rows[row].flat == flat);
	assert_true(f->table.rows[row].cum == cum);
}

static const struct test_stack two_ways[] = {
	{"burn a main", 1, 0}, {"burn b main", 2, 0}, {"b main", 4, 0}, {"burn a main", 8, 0}, {NULL, 0, 0}};

static void each_way_is_a_row(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, two_ways, 100);
	assert_int_equal(f.table.n, 5);
	expect(&f, "main", 0, 15);
	expect(&f, "main a", 0, 9);
	expect(&f, "main a burn", 9, 9);
	expect(&f, "main b", 4, 6);
	expect(&f, "main b burn", 2, 2);
	assert_int_equal(f.notes.n, 0);
	teardown(&f);
}

/* So that sums over what is below are one loop from the last row to the first. */
static void callers_come_first(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, two_ways, 100);
	for (uint32_t i = 0; i < f.table.n; i++)
		assert_true(f.table.callers[i] == TABLE_NONE || f.table.callers[i] < i);
	teardown(&f);
}

static void recursion_has_a_row_a_level(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, (struct test_stack[]){{"recurse recurse main", 5, 0}, {"recurse main", 3, 0}, {NULL, 0, 0}}, 100);
	expect(&f, "main recurse", 3, 8);
	expect(&f, "main recurse recurse", 5, 5);
	teardown(&f);
}

/* The first two stacks make 18 rows; three levels of them are half of the twelve that there may be. */
static void a_large_tree_is_cut(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"a b c a b c a b c", 1, 0}, {"c a b c a b c a b", 2, 0}, {"a b", 8, 0}, {"b main", 4, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, 12);
	expect(&f, "c b a", 1, 1);
	expect(&f, "b a", 8, 10);
	expect(&f, "b a c", 2, 2);
	expect(&f, "main b", 4, 4);
	assert_int_equal(f.table.n, 8);
	assert_int_equal(f.notes.n, 1);
	teardown(&f);
}

static void a_graph_of_ways_bridges_what_was_dropped(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"leaf small main", 60, 0}, {"leaf other main", 60, 0}, {"big main", 1000, 0}, {NULL, 0, 0}};
	struct fixture f;
	struct graph graph;
	uint32_t n_bridges = 0;

	setup_with(&f, stacks, 100);
	/* Of "main small leaf" the ends tell more than the middle. */
	graph_build(&f.table, &(struct graph_opts){.node_count = 4, .for_picture = true}, &graph);
	assert_int_equal(graph.n_nodes, 4);
	for (uint32_t i = 0; i < graph.n_edges; i++)
		n_bridges += graph.edges[i].residual;
	assert_int_equal(n_bridges, 2);
	assert_int_equal(graph.n_edges, 3);
	graph_free(&graph);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_is_a_row),
		cmocka_unit_test(callers_come_first),
		cmocka_unit_test(recursion_has_a_row_a_level),
		cmocka_unit_test(a_large_tree_is_cut),
		cmocka_unit_test(a_graph_of_ways_bridges_what_was_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

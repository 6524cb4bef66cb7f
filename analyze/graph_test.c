#include "analyze/test.h"

#include "analyze/graph.h"
#include "analyze/test_profile.h"

#include <string.h>

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct graph graph;
};

static void setup_with(struct fixture *f, const struct test_stack *stacks, struct graph_opts opts)
{
	f->profile = test_profile(stacks);
	assert_null(view_new(f->profile, &(struct view_opts){0}, &f->view));
	f->arena = arena_new();
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	graph_build(&f->table, &opts, &f->graph);
}

static void teardown(struct fixture *f)
{
	graph_free(&f->graph);
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

static const struct edge *find_edge(const struct fixture *f, const char *from, const char *to)
{
	for (uint32_t i = 0; i < f->graph.n_edges; i++) {
		const struct edge *edge = &f->graph.edges[i];

		if (strcmp(f->table.rows[edge->from].label, from) == 0 && strcmp(f->table.rows[edge->to].label, to) == 0)
			return edge;
	}
	return NULL;
}

/* However often a stack goes the same way, it counts once; a function does not call itself in the picture. */
static void edges_count_a_sample_once(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, (struct test_stack[]){{"burn recurse burn recurse recurse main", 3, 0}, {NULL, 0, 0}},
	           (struct graph_opts){0});
	assert_int_equal(f.graph.n_edges, 3);
	assert_true(find_edge(&f, "recurse", "burn")->weight == 3);
	assert_true(find_edge(&f, "burn", "recurse")->weight == 3);
	assert_null(find_edge(&f, "recurse", "recurse"));
	teardown(&f);
}

static void dropped_nodes_are_bridged(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"leaf small main", 60, 0}, {"leaf other main", 60, 0}, {"big main", 1000, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){.node_fraction = 0.1, .for_picture = true});
	assert_int_equal(f.graph.n_nodes, 3);
	assert_int_equal(f.graph.n_dropped_nodes, 2);
	assert_true(find_edge(&f, "main", "leaf")->residual);
	assert_true(find_edge(&f, "main", "leaf")->weight == 120);
	assert_false(find_edge(&f, "main", "big")->residual);
	teardown(&f);
}

/* main -> leaf over a dropped node says nothing that main -> kept -> leaf does not. */
static void redundant_bridges_go(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"leaf kept main", 100, 0}, {"leaf small main", 1, 0}, {"big main", 1000, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){.node_fraction = 0.05, .for_picture = true});
	assert_null(find_edge(&f, "main", "leaf"));
	assert_non_null(find_edge(&f, "kept", "leaf"));
	teardown(&f);
	setup_with(&f, stacks, (struct graph_opts){.node_fraction = 0.05});
	assert_non_null(find_edge(&f, "main", "leaf"));
	teardown(&f);
}

static void counts_and_degrees_are_limited(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"a main", 8, 0}, {"b main", 4, 0}, {"c main", 2, 0}, {"c a main", 1, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){.node_count = 3});
	assert_int_equal(f.graph.n_nodes, 3);
	assert_int_equal(f.graph.n_before_limit, 4);
	teardown(&f);
	/* Each node keeps the first edge that leads to it. */
	setup_with(&f, stacks, (struct graph_opts){.max_degree = 1});
	assert_non_null(find_edge(&f, "main", "a"));
	assert_non_null(find_edge(&f, "main", "b"));
	assert_non_null(find_edge(&f, "main", "c"));
	assert_null(find_edge(&f, "a", "c"));
	assert_int_equal(f.graph.n_dropped_edges, 1);
	teardown(&f);
}

static void light_edges_go(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"a main", 1000, 0}, {"a b main", 5, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){.edge_fraction = 0.01});
	assert_int_equal(f.graph.n_edges, 1);
	assert_int_equal(f.graph.n_dropped_edges, 2);
	teardown(&f);
}

static void inlined_calls_are_marked(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"in>out main", 1, 0}, {"half>out main", 1, 0}, {"half out main", 1, 0}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){0});
	assert_true(find_edge(&f, "out", "in")->inlined);
	assert_false(find_edge(&f, "out", "half")->inlined);
	assert_false(find_edge(&f, "main", "out")->inlined);
	teardown(&f);
}

/* Growth and shrinkage below a node cancel out in it; it is still there. */
static void changes_that_cancel_out_keep_their_node(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"a mid main", 5, 0}, {"b mid main", 0, 5}, {NULL, 0, 0}};
	struct fixture f;

	setup_with(&f, stacks, (struct graph_opts){.node_fraction = 0.005, .edge_fraction = 0.001, .for_picture = true});
	assert_int_equal(f.graph.n_nodes, 4);
	assert_true(find_edge(&f, "mid", "a")->weight == 5);
	assert_true(find_edge(&f, "mid", "b")->weight == -5);
	teardown(&f);
}

/* Waits and their delay, of a stack from the root on. */
static void add_waits(struct build *build, const char *leaf, double waits, double delay)
{
	loc_id frames[] = {test_loc(build, leaf, strlen(leaf)), test_loc(build, "main", 4)};

	build_sample(build, build_stack(build, frames, 2), (labels_id){0}, (double[]){waits, delay});
}

static struct profile *profile_of_waits(void)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "contentions", "count");
	build_type(build, "delay", "nanoseconds");
	add_waits(build, "often", 100, 1000);
	add_waits(build, "rare", 1, 400);
	add_waits(build, "fast", 2, 50);
	add_waits(build, "fast", 8, 0);
	return build_finish(build);
}

static void setup_means(struct fixture *f, struct graph_opts opts)
{
	f->profile = profile_of_waits();
	assert_null(view_new(f->profile, &(struct view_opts){.type = 1, .mean = true, .count_type = 0}, &f->view));
	f->arena = arena_new();
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	graph_build(&f->table, &opts, &f->graph);
}

static void expect_callee(const struct fixture *f, uint32_t edge, const char *name)
{
	assert_string_equal(f->table.rows[f->graph.edges[edge].to].label, name);
}

/* A wait that took no time counts too. */
static void edges_have_means(void **state)
{
	(void)state;
	struct fixture f;

	setup_means(&f, (struct graph_opts){0});
	graph_take_means(f.view, &f.graph);
	assert_true(find_edge(&f, "main", "often")->weight == 10);
	assert_true(find_edge(&f, "main", "rare")->weight == 400);
	assert_true(find_edge(&f, "main", "fast")->weight == 5);
	expect_callee(&f, 0, "rare");
	teardown(&f);
}

/* What a picture shows, and where, is the same as without means. */
static void pictures_go_by_sums(void **state)
{
	(void)state;
	struct fixture f;

	setup_means(&f, (struct graph_opts){.for_picture = true, .edge_fraction = 0.1});
	assert_int_equal(f.graph.n_edges, 2);
	expect_callee(&f, 0, "often");
	expect_callee(&f, 1, "rare");
	teardown(&f);
}

/* A table of one node is that of the largest mean. */
static void tables_go_by_means(void **state)
{
	(void)state;
	struct fixture f;

	setup_means(&f, (struct graph_opts){.node_count = 1});
	assert_int_equal(f.graph.n_nodes, 1);
	assert_string_equal(f.table.rows[f.graph.nodes[0]].label, "rare");
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_count_a_sample_once),
		cmocka_unit_test(dropped_nodes_are_bridged),
		cmocka_unit_test(redundant_bridges_go),
		cmocka_unit_test(counts_and_degrees_are_limited),
		cmocka_unit_test(light_edges_go),
		cmocka_unit_test(inlined_calls_are_marked),
		cmocka_unit_test(changes_that_cancel_out_keep_their_node),
		cmocka_unit_test(edges_have_means),
		cmocka_unit_test(pictures_go_by_sums),
		cmocka_unit_test(tables_go_by_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

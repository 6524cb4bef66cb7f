#include "analyze/test.h"

#include "analyze/flame.h"
#include "analyze/test_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct diag notes;
	struct flame flame;
};

static const struct flame_opts everything = {0};

static void setup_of(struct fixture *f, struct profile *profile, const struct view_opts *opts,
                     const struct flame_opts *limits)
{
	*f = (struct fixture){.profile = profile, .arena = arena_new()};
	assert_null(view_new(f->profile, opts, &f->view));
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
	flame_build(&f->table, limits, &f->notes, &f->flame);
}

static void setup(struct fixture *f, const struct test_stack *stacks, const struct flame_opts *limits)
{
	setup_of(f, test_profile(stacks), &(struct view_opts){.both_sides = true}, limits);
}

/* Without a base. */
static void setup_alone(struct fixture *f, const struct test_stack *stacks, const struct flame_opts *limits)
{
	setup_of(f, build_finish(test_build(stacks, false)), &(struct view_opts){0}, limits);
}

static void teardown(struct fixture *f)
{
	flame_free(&f->flame);
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
	diag_clear(&f->notes);
}

static void append_label(const struct fixture *f, uint32_t node, char *text, size_t size)
{
	uint32_t row = f->flame.nodes[node].row;

	assert_true((row == FLAME_FOLDED) == (f->flame.n_folded[node] > 0));
	if (row == FLAME_FOLDED)
		snprintf(text, size, "small*%u", f->flame.n_folded[node]);
	else
		snprintf(text, size, "%s", row == FLAME_NO_STACK ? "none" : f->table.rows[row].label);
}

/* "main(a:1 b:2(c:3))" for what main has below it, with the values of a column. */
static const char *shown(const struct fixture *f, uint32_t type, uint32_t set, char text[1000])
{
	const struct flame *flame = &f->flame;
	const double *self = flame->self + flame_column(flame, type, set, flame->n);
	uint32_t depths[20], depth = 1;

	*text = '\0';
	for (uint32_t i = 0; i < flame->n; i++) {
		uint32_t caller = flame->nodes[i].caller;

		assert_true(caller == TABLE_NONE || caller < i);
		depths[i] = caller == TABLE_NONE ? 1 : depths[caller] + 1;
		strcat(text, depths[i] > depth ? "(" : "");
		for (; depth > depths[i]; depth--)
			strcat(text, ")");
		strcat(text, i && text[strlen(text) - 1] != '(' ? " " : "");
		depth = depths[i];
		append_label(f, i, text + strlen(text), 50);
		if (self[i] != 0)
			snprintf(text + strlen(text), 50, ":%g", self[i]);
	}
	for (; depth > 1; depth--)
		strcat(text, ")");
	return text;
}

static void expect_side(const struct fixture *f, uint32_t type, uint32_t set, const char *expected)
{
	char text[1000];

	assert_string_equal(shown(f, type, set, text), expected);
}

static void expect(const struct fixture *f, const char *expected)
{
	expect_side(f, 0, SET_MAIN, expected);
}

static void expect_row(const struct fixture *f, const char *label, uint32_t set, double flat, double cum)
{
	const struct flame *flame = &f->flame;

	for (uint32_t i = 0; i < f->table.n; i++) {
		if (strcmp(f->table.rows[i].label, label) != 0)
			continue;
		assert_true(flame->flat[flame_column(flame, 0, set, f->table.n) + i] == flat);
		assert_true(flame->cum[flame_column(flame, 0, set, f->table.n) + i] == cum);
		return;
	}
	fail_msg("no row %s", label);
}

/* ---- order ---- */

static void larger_siblings_come_first(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f,
	            (struct test_stack[]){{"x small main", 1, 0},
	                                  {"a large main", 2, 0},
	                                  {"b large main", 4, 0},
	                                  {"main", 8, 0},
	                                  {"thread", 100, 0},
	                                  {NULL, 0, 0}},
	            &everything);
	expect(&f, "thread:100 main:8(large(b:4 a:2) small(x:1))");
	teardown(&f);
}

static void ties_go_by_the_order_of_samples(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"b main", 3, 0}, {"a main", 3, 0}, {"c main", 3, 0}, {NULL, 0, 0}},
	            &everything);
	expect(&f, "main(b:3 a:3 c:3)");
	teardown(&f);
}

static void sizes_are_those_of_the_larger_side(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, (struct test_stack[]){{"a main", 2, 3}, {"gone main", 0, 9}, {"b main", 7, 1}, {NULL, 0, 0}},
	      &everything);
	expect_side(&f, 0, SET_MAIN, "main(gone b:7 a:2)");
	expect_side(&f, 0, SET_BASE, "main(gone:9 b:1 a:3)");
	teardown(&f);
}

/* ---- folding ---- */

static void small_nodes_are_folded_with_exact_sums(void **state)
{
	(void)state;
	struct fixture f;
	static const struct test_stack stacks[] = {{"a1 a main", 100, 0}, {"a2 a main", 1, 0}, {"a3 a main", 2, 0},
	                                           {"b2 b main", 4, 0},   {"b main", 8, 0},    {"thread", 16, 0},
	                                           {NULL, 0, 0}};

	setup_alone(&f, stacks, &(struct flame_opts){.most = 3, .fraction = 1});
	assert_int_equal(f.flame.n_before, 8);
	expect(&f, "main(a(a1:100 small*2:3) small*2:12) small*1:16");
	teardown(&f);
	setup_alone(&f, stacks, &(struct flame_opts){.most = 8, .fraction = 1});
	expect(&f, "main(a(a1:100 a3:2 a2:1) b:8(b2:4)) thread:16");
	teardown(&f);
}

/* 0.5 of 8 is just large enough. */
static void large_parts_are_never_folded(void **state)
{
	(void)state;
	struct fixture f;
	static const struct test_stack stacks[] = {{"a main", 4, 0}, {"b main", 3, 0}, {"c main", 1, 0}, {NULL, 0, 0}};

	setup_alone(&f, stacks, &(struct flame_opts){.most = 1, .fraction = 0.5});
	expect(&f, "main(a:4 small*2:4)");
	teardown(&f);
	setup_alone(&f, stacks, &(struct flame_opts){.most = 1, .fraction = 0.51});
	expect(&f, "main(small*3:8)");
	teardown(&f);
}

static void of_equal_nodes_the_first_are_kept(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"a main", 1, 0}, {"b main", 1, 0}, {"c main", 1, 0}, {NULL, 0, 0}},
	            &(struct flame_opts){.most = 3, .fraction = 1});
	expect(&f, "main(a:1 b:1 small*1:1)");
	teardown(&f);
}

/* What is gone is large on the other side. */
static void both_sides_say_what_is_small(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, (struct test_stack[]){{"gone main", 0, 9}, {"a main", 10, 1}, {"b main", 5, 0}, {NULL, 0, 0}},
	      &(struct flame_opts){.most = 3, .fraction = 1});
	expect_side(&f, 0, SET_MAIN, "main(a:10 gone small*1:5)");
	expect_side(&f, 0, SET_BASE, "main(a:1 gone:9 small*1)");
	teardown(&f);
}

static void a_single_root_may_be_left(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"a main", 1, 0}, {"b main", 1, 0}, {"thread", 1, 0}, {NULL, 0, 0}},
	            &(struct flame_opts){.most = 1, .fraction = 1});
	expect(&f, "main(small*2:2) small*1:1");
	teardown(&f);
}

/* ---- rows ---- */

static void rows_count_a_sample_once(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"f f main", 5, 0}, {"g f main", 2, 0}, {"f g f main", 1, 0}, {NULL, 0, 0}},
	            &everything);
	expect_row(&f, "f", SET_MAIN, 6, 8);
	expect_row(&f, "g", SET_MAIN, 2, 3);
	expect_row(&f, "main", SET_MAIN, 0, 8);
	teardown(&f);
}

static void rows_have_what_is_folded(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, (struct test_stack[]){{"a main", 9, 1}, {"b c main", 2, 1}, {"b main", 1, 0}, {NULL, 0, 0}},
	      &(struct flame_opts){.most = 1, .fraction = 1});
	expect(&f, "main(small*4:12)");
	expect_row(&f, "b", SET_MAIN, 3, 3);
	expect_row(&f, "b", SET_BASE, 1, 1);
	expect_row(&f, "c", SET_MAIN, 0, 2);
	teardown(&f);
}

/* ---- samples ---- */

static void samples_without_a_stack_are_a_root(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"", 9, 0}, {"a", 1, 0}, {NULL, 0, 0}}, &everything);
	expect(&f, "a:1 none:9");
	teardown(&f);
	setup_alone(&f, (struct test_stack[]){{"", 9, 0}, {NULL, 0, 0}}, &everything);
	expect(&f, "none:9");
	teardown(&f);
	setup_alone(&f, (struct test_stack[]){{"", 0, 0}, {NULL, 0, 0}}, &everything);
	expect(&f, "");
	teardown(&f);
}

static void there_may_be_no_samples(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{NULL, 0, 0}}, &(struct flame_opts){.most = 1});
	expect(&f, "");
	assert_int_equal(f.flame.n_types, 1);
	teardown(&f);
}

static void values_may_all_be_0(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"a main", 0, 0}, {"b main", 0, 0}, {NULL, 0, 0}},
	            &(struct flame_opts){.most = 2});
	expect(&f, "main(a b)");
	teardown(&f);
}

static void filtered_samples_are_left_out(void **state)
{
	(void)state;
	struct fixture f;
	static const struct test_stack stacks[] = {{"a main", 1, 0}, {"b main", 2, 0}, {"", 4, 0}, {NULL, 0, 0}};

	setup_of(&f, build_finish(test_build(stacks, false)), &(struct view_opts){.focus = "^a$"}, &everything);
	expect(&f, "main(a:1)");
	expect_row(&f, "main", SET_MAIN, 0, 1);
	teardown(&f);
}

/* Losses do not hide gains: a node is as large as what it has, whatever the signs. */
static void values_may_be_negative(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(
		&f,
		(struct test_stack[]){{"main", -50, 0}, {"a main", 5, 0}, {"b main", -9, 0}, {"thread", 40, 0}, {NULL, 0, 0}},
		&(struct flame_opts){.most = 3, .fraction = 1});
	expect(&f, "main:-50(b:-9 small*1:5) thread:40");
	teardown(&f);
}

/* ---- types ---- */

static struct profile *many_types(uint32_t n)
{
	struct build *build = build_new();
	double *values = mem_zalloc(n, sizeof *values);
	char name[20];

	build_source(build, "test", "test");
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "type%u", i);
		build_type(build, name, "count");
		values[i] = i;
	}
	build_sample(build, test_stack_of(build, "a main"), (labels_id){0}, values);
	free(values);
	return build_finish(build);
}

static void all_types_are_there(void **state)
{
	(void)state;
	struct fixture f;

	setup_of(&f, many_types(3), &(struct view_opts){.type = 1}, &everything);
	assert_int_equal(f.flame.n_types, 3);
	assert_int_equal(f.flame.shown, 1);
	expect_side(&f, 0, SET_MAIN, "main(a)");
	expect_side(&f, 1, SET_MAIN, "main(a:1)");
	expect_side(&f, 2, SET_MAIN, "main(a:2)");
	teardown(&f);
}

static void the_type_of_the_view_is_there(void **state)
{
	(void)state;
	struct fixture f;

	setup_of(&f, many_types(FLAME_MOST_TYPES + 5), &(struct view_opts){.type = FLAME_MOST_TYPES + 2}, &everything);
	assert_int_equal(f.flame.n_types, FLAME_MOST_TYPES);
	assert_int_equal(f.flame.types[f.flame.shown], FLAME_MOST_TYPES + 2);
	expect_side(&f, f.flame.shown, SET_MAIN, "main(a:18)");
	expect_side(&f, 5, SET_MAIN, "main(a:5)");
	teardown(&f);
}

/* Two nodes and two rows have six values a type. */
static void types_without_room_are_left_out(void **state)
{
	(void)state;
	static const struct {
		size_t most_values;
		uint32_t n_types;
	} cases[] = {{0, 5}, {30, 5}, {29, 4}, {12, 2}, {11, 1}, {1, 1}};
	struct fixture f;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setup_of(&f, many_types(5), &(struct view_opts){.type = 3},
		         &(struct flame_opts){.most_values = cases[i].most_values});
		assert_int_equal(f.flame.n_types, cases[i].n_types);
		assert_int_equal(f.flame.types[f.flame.shown], 3);
		expect_side(&f, f.flame.shown, SET_MAIN, "main(a:3)");
		teardown(&f);
	}
}

/* A node that is large in another type than the one that is shown. */
static void all_types_say_what_is_small(void **state)
{
	(void)state;
	struct build *build = build_new();
	struct fixture f;

	build_source(build, "test", "test");
	build_type(build, "space", "bytes");
	build_type(build, "objects", "count");
	build_sample(build, test_stack_of(build, "a main"), (labels_id){0}, (double[]){90, 1});
	build_sample(build, test_stack_of(build, "b main"), (labels_id){0}, (double[]){6, 2});
	build_sample(build, test_stack_of(build, "c main"), (labels_id){0}, (double[]){4, 60});
	setup_of(&f, build_finish(build), &(struct view_opts){0}, &(struct flame_opts){.most = 3, .fraction = 1});
	expect_side(&f, 0, SET_MAIN, "main(a:90 c:4 small*1:6)");
	expect_side(&f, 1, SET_MAIN, "main(a:1 c:60 small*1:2)");
	teardown(&f);
}

/* ---- sums ---- */

static void sums_are_held(void **state)
{
	(void)state;
	struct fixture f;

	setup_alone(&f, (struct test_stack[]){{"a main", 0x1p63, 0}, {"b main", 0x1p63, 0}, {NULL, 0, 0}},
	            &(struct flame_opts){.most = 1, .fraction = 1.5});
	expect_row(&f, "main", SET_MAIN, 0, VIEW_MOST);
	assert_true(f.flame.self[1] == VIEW_MOST);
	teardown(&f);
}

/* Thirds of what is shown twice: what --top says of main is that nothing changed. */
static void scaling_leaves_no_changes(void **state)
{
	(void)state;
	struct fixture f;
	static const struct test_stack stacks[] = {
		{"a main", 0.1, 1}, {"b main", 0.7, 2}, {"c main", 0.2, 2}, {"d main", 0.3, 8}, {NULL, 0, 0}};

	setup_of(&f, test_profile(stacks), &(struct view_opts){.normalize = true, .both_sides = true}, &everything);
	expect_row(&f, "main", SET_MAIN, 0, 13);
	expect_row(&f, "main", SET_BASE, 0, 13);
	expect_row(&f, "a", SET_BASE, 1, 1);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(larger_siblings_come_first),
		cmocka_unit_test(ties_go_by_the_order_of_samples),
		cmocka_unit_test(sizes_are_those_of_the_larger_side),
		cmocka_unit_test(small_nodes_are_folded_with_exact_sums),
		cmocka_unit_test(large_parts_are_never_folded),
		cmocka_unit_test(of_equal_nodes_the_first_are_kept),
		cmocka_unit_test(both_sides_say_what_is_small),
		cmocka_unit_test(a_single_root_may_be_left),
		cmocka_unit_test(rows_count_a_sample_once),
		cmocka_unit_test(rows_have_what_is_folded),
		cmocka_unit_test(samples_without_a_stack_are_a_root),
		cmocka_unit_test(there_may_be_no_samples),
		cmocka_unit_test(values_may_all_be_0),
		cmocka_unit_test(filtered_samples_are_left_out),
		cmocka_unit_test(values_may_be_negative),
		cmocka_unit_test(all_types_are_there),
		cmocka_unit_test(the_type_of_the_view_is_there),
		cmocka_unit_test(types_without_room_are_left_out),
		cmocka_unit_test(all_types_say_what_is_small),
		cmocka_unit_test(sums_are_held),
		cmocka_unit_test(scaling_leaves_no_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

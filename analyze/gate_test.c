#include "analyze/test.h"

#include "analyze/gate.h"
#include "analyze/test_profile.h"
#include "analyze/tree.h"

/* Limits against the rows of a small difference: what a user would be told. */

static const struct test_stack stacks[] = {
	{"leak serve main", 3000, 1000},
	{"cache serve main", 5000, 5000},
	{"shrink main", 100, 900},
	{"std::vector::grow main", 700, 0},
	{NULL, 0, 0},
};

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct series series;
	struct gate gate;
};

static void set_up(struct fixture *f, const struct view_opts *opts, bool by_cum)
{
	struct row_opts rows = {.granularity = BY_FUNCTION};
	struct view_opts both = *opts;

	both.both_sides = true;
	f->profile = test_profile(stacks);
	f->arena = arena_new();
	assert_null(view_new(f->profile, &both, &f->view));
	tally(f->view, &rows, f->arena, &f->table);
	series_build(&f->table, by_cum, f->arena, &f->series);
}

static void tear_down(struct fixture *f)
{
	table_free(&f->table);
	view_free(f->view);
	profile_free(f->profile);
	arena_free(f->arena);
}

/* "total 1900, leak 2000 > 1000" */
static const char *offenders_of(struct fixture *f)
{
	const char *text = "";

	for (uint32_t i = 0; i < f->gate.n_offenders; i++) {
		const struct offender *offender = &f->gate.offenders[i];

		text = arena_printf(f->arena, "%s%s%s %.0f > %.0f", text, i ? ", " : "",
		                    gate_name(&f->gate, offender, f->arena), offender->value, offender->limit->value);
	}
	return text;
}

static void expect_growth(const struct view_opts *view, bool by_cum, const char *limit, const char *expected)
{
	struct fixture f;

	set_up(&f, view, by_cum);
	assert_null(gate_build(&f.table, &f.series, &(struct gate_opts){.growth = limit}, f.arena, &f.gate));
	assert_string_equal(offenders_of(&f), expected);
	tear_down(&f);
}

static void expect_above(const char *limit, const char *expected)
{
	struct fixture f;

	set_up(&f, &(struct view_opts){0}, false);
	assert_null(gate_build(&f.table, &f.series, &(struct gate_opts){.above = &limit, .n_above = 1}, f.arena, &f.gate));
	assert_string_equal(offenders_of(&f), expected);
	tear_down(&f);
}

static void growth_is_of_rows_and_of_the_total(void **state)
{
	(void)state;
	static const struct view_opts plain = {0};

	expect_growth(&plain, false, "1KB", "total 1900 > 1024, leak 2000 > 1024");
	expect_growth(&plain, false, "1900", "leak 2000 > 1900");
	expect_growth(&plain, false, "2000", "");
	expect_growth(&plain, false, "0", "total 1900 > 0, leak 2000 > 0, std::vector::grow 700 > 0");
}

static void growth_is_cum_where_rows_go_by_it(void **state)
{
	(void)state;
	expect_growth(&(struct view_opts){0}, true, "1500",
	              "total 1900 > 1500, serve 2000 > 1500, leak 2000 > 1500, main 1900 > 1500");
}

/* The base's total is 6900. */
static void percents_are_of_the_first_total(void **state)
{
	(void)state;
	expect_growth(&(struct view_opts){0}, false, "10%",
	              "total 1900 > 690, leak 2000 > 690, std::vector::grow 700 > 690");
	expect_growth(&(struct view_opts){.focus = "vector"}, false, "10%", "total 700 > 690, std::vector::grow 700 > 690");
	expect_growth(&(struct view_opts){.focus = "vector", .is_relative = true}, false, "10%",
	              "total 700 > 0, std::vector::grow 700 > 0");
}

static void what_does_not_change_holds_something(void **state)
{
	(void)state;
	expect_above("cache:4KB", "cache 5000 > 4096");
	expect_above("cache:5000", "");
	expect_above("leak|cache:1", "cache 5000 > 1, leak 3000 > 1");
	expect_above("^shrink$:99", "shrink 100 > 99");
	expect_above("main:1", "");
}

static void limits_stand_behind_the_last_colon(void **state)
{
	(void)state;
	expect_above("std::vector:10", "std::vector::grow 700 > 10");
	expect_above("std::vector::grow:700", "");
}

static void stacks_match_by_any_frame(void **state)
{
	(void)state;
	struct fixture f;
	struct diag notes = {0};
	const char *above = "serve:1";

	set_up(&f, &(struct view_opts){0}, false);
	tree_split(&f.table, TREE_MOST_ROWS, &notes);
	series_build(&f.table, false, f.arena, &f.series);
	assert_null(gate_build(&f.table, &f.series, &(struct gate_opts){.above = &above, .n_above = 1}, f.arena, &f.gate));
	assert_string_equal(offenders_of(&f), "cache <- serve <- main 5000 > 1, leak <- serve <- main 3000 > 1");
	diag_clear(&notes);
	tear_down(&f);
}

static void expect_error(const struct gate_opts *opts, const char *expected)
{
	struct fixture f;

	set_up(&f, &(struct view_opts){0}, false);
	struct err *err = gate_build(&f.table, &f.series, opts, f.arena, &f.gate);

	assert_non_null(err);
	assert_non_null(strstr(err_text(err), expected));
	err_free(err);
	tear_down(&f);
}

static void other_texts_are_errors(void **state)
{
	(void)state;
	static const char *const growths[] = {"", "x", "-5MB", "+5MB", "nan", "inf", "1e3", "0x10", "1.2.3", ".", "%"};
	static const char *const aboves[] = {"", "x", ":5MB", "x:", "x:-5MB", "x:5%", "5MB", "a:b", "x:1e3"};

	for (size_t i = 0; i < sizeof growths / sizeof *growths; i++)
		expect_error(&(struct gate_opts){.growth = growths[i]}, "expected a size such as 10MB");
	for (size_t i = 0; i < sizeof aboves / sizeof *aboves; i++)
		expect_error(&(struct gate_opts){.above = &aboves[i], .n_above = 1}, "expected a pattern, a colon and a size");
	expect_error(&(struct gate_opts){.growth = "5s"},
	             "--fail-growth=5s: expected no unit, or one that fits values in bytes, found s");
	expect_error(&(struct gate_opts){.growth = "10 MB"}, "found  MB");
	expect_error(&(struct gate_opts){.above = (const char *[]){"(:5MB"}, .n_above = 1}, "--fail-above");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_is_of_rows_and_of_the_total),
		cmocka_unit_test(growth_is_cum_where_rows_go_by_it),
		cmocka_unit_test(percents_are_of_the_first_total),
		cmocka_unit_test(what_does_not_change_holds_something),
		cmocka_unit_test(limits_stand_behind_the_last_colon),
		cmocka_unit_test(stacks_match_by_any_frame),
		cmocka_unit_test(other_texts_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

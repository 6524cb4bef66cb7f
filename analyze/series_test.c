#include "analyze/test.h"

#include "analyze/series.h"
#include "analyze/snapshots.h"
#include "analyze/test_profile.h"
#include "analyze/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 101 };

/* What a stack holds, and what was ever allocated in it, by snapshot. An entry without frames ends the list. */
struct history {
	const char *frames;
	double values[MOST], allocated[MOST];
};

struct fixture {
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct series series;
};

static struct build *snapshot_of(const struct history *histories, uint32_t at, int64_t time)
{
	struct build *build = build_new();
	char name[16];

	snprintf(name, sizeof name, "%u.heap", at + 1);
	build_source(build, name, "test");
	build_source_time(build, time);
	build_type(build, "inuse_space", "bytes");
	build_type(build, "alloc_space", "bytes");
	for (; histories->frames; histories++) {
		double values[] = {histories->values[at], histories->allocated[at]};

		build_sample(build, test_stack_of(build, histories->frames), (labels_id){0}, values);
	}
	return build;
}

static struct profile *join(const struct history *histories, uint32_t n, const int64_t *times)
{
	struct build *joined = snapshot_of(histories, 0, times ? times[0] : 0);

	if (n == 1)
		return build_finish(joined);
	snapshots_begin(joined, n);
	for (uint32_t i = 1; i < n; i++) {
		struct build *next = snapshot_of(histories, i, times ? times[i] : 0);

		assert_null(snapshots_add(joined, build_profile(next), i));
		build_free(next);
	}
	snapshots_end(joined, n);
	return build_finish(joined);
}

static void start(struct fixture *f, const struct history *histories, uint32_t n, const int64_t *times)
{
	*f = (struct fixture){.profile = join(histories, n, times), .arena = arena_new()};
	assert_null(view_new(f->profile, &(struct view_opts){.both_sides = true}, &f->view));
	tally(f->view, &(struct row_opts){.granularity = BY_FUNCTION}, f->arena, &f->table);
}

static void setup(struct fixture *f, const struct history *histories, uint32_t n)
{
	start(f, histories, n, NULL);
	series_build(&f->table, false, f->arena, &f->series);
}

static void setup_times(struct fixture *f, const struct history *histories, uint32_t n, const int64_t *times)
{
	start(f, histories, n, times);
	series_build(&f->table, false, f->arena, &f->series);
}

static void teardown(struct fixture *f)
{
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

static const char *label_at(const struct fixture *f, uint32_t place)
{
	return f->table.rows[f->series.rows[place].row].label;
}

static const struct series_row *row_named(const struct fixture *f, const char *name)
{
	for (uint32_t i = 0; i < f->series.n_rows; i++)
		if (strcmp(label_at(f, i), name) == 0)
			return &f->series.rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void expect_shape(const struct fixture *f, const char *name, enum shape shape)
{
	const struct series_row *row = row_named(f, name);

	if (row->shape != shape)
		fail_msg("%s: %s, not %s", name, shape_name(row->shape), shape_name(shape));
}

/* names: "a b c" */
static void expect_order(const struct fixture *f, const char *names)
{
	char found[400] = "";

	for (uint32_t i = 0; i < f->series.n_rows; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? " " : "", label_at(f, i));
	assert_string_equal(found, names);
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* ---- shapes and scores, of few snapshots, by hand ---- */

static void each_shape_has_its_name(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"leak", {1, 2, 3, 4, 5, 6, 7, 8, 9}, {0}},
		{"late", {0, 0, 0, 0, 0, 1, 2, 3, 4}, {0}},
		{"late_beside", {9, 9, 9, 9, 9, 99, 199, 299, 399}, {0}},
		{"double", {1, 2, 4, 8, 16, 32, 64, 128, 256}, {0}},
		{"stairs", {1, 1, 2, 2, 3, 3, 4, 4, 4}, {0}},
		{"plateau", {0, 1, 2, 3, 4, 4, 4, 4, 4}, {0}},
		{"once", {0, 9, 9, 9, 9, 9, 9, 9, 9}, {0}},
		{"cache", {0, 0, 0, 0, 0, 9, 9, 9, 9}, {0}},
		{"new", {0, 0, 0, 0, 0, 0, 0, 0, 9}, {0}},
		{"sawtooth", {1, 5, 9, 1, 5, 9, 1, 5, 9}, {0}},
		{"released", {0, 1, 2, 3, 4, 5, 6, 7, 0}, {0}},
		{"from_the_peak", {9, 5, 1, 9, 5, 1, 9, 5, 9}, {0}},
		{"shrank", {9, 8, 7, 6, 5, 4, 3, 2, 1}, {0}},
		{"shrank_noisy", {90, 80, 85, 60, 50, 55, 30, 20, 10}, {0}},
		{"level", {100, 101, 100, 102, 100, 101, 100, 103, 101}, {0}},
		{"below_zero", {-5, -5, -5, -5, -5, -5, -5, -5, -5}, {0}},
		{"churn", {7, 7, 7, 7, 7, 7, 7, 7, 7}, {7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{0},
	};
	struct fixture f;

	setup(&f, histories, 9);
	expect_shape(&f, "leak", SHAPE_GROWS);
	expect_shape(&f, "late", SHAPE_GROWS);
	expect_shape(&f, "late_beside", SHAPE_GROWS);
	expect_shape(&f, "double", SHAPE_GROWS);
	expect_shape(&f, "stairs", SHAPE_GROWS);
	expect_shape(&f, "plateau", SHAPE_GREW);
	expect_shape(&f, "once", SHAPE_GREW);
	expect_shape(&f, "cache", SHAPE_GREW);
	expect_shape(&f, "new", SHAPE_NEW);
	expect_shape(&f, "sawtooth", SHAPE_RETURNED);
	expect_shape(&f, "released", SHAPE_RETURNED);
	expect_shape(&f, "from_the_peak", SHAPE_RETURNED);
	expect_shape(&f, "shrank", SHAPE_SHRANK);
	expect_shape(&f, "shrank_noisy", SHAPE_SHRANK);
	expect_shape(&f, "level", SHAPE_LEVEL);
	expect_shape(&f, "below_zero", SHAPE_LEVEL);
	expect_shape(&f, "churn", SHAPE_CHURN);
	teardown(&f);
}

static void score_is_the_documented_product(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"steady", {10, 20, 30, 40, 50}, {0}}, {"back", {0, 20, 10, 30, 40}, {0}}, {"half", {0, 20, 40, 40, 40}, {0}},
		{"late", {0, 0, 0, 20, 40}, {0}},      {"level", {5, 5, 5, 5, 5}, {0}},    {0},
	};
	struct fixture f;

	setup(&f, histories, 5);
	assert_true(is_near(row_named(&f, "steady")->score, 40));
	/* kept 40/50, even 3/4 and ongoing (1 + 2/3 + 1 + 1) / 4 */
	assert_true(is_near(row_named(&f, "back")->score, 40 * 0.64 * 0.5625 * (1 + 2 / 3. + 2) / 4));
	/* even 1/2, ongoing (1 + 2/3) / 4; and all of it */
	assert_true(is_near(row_named(&f, "half")->score, 40 * 0.25 * (1 + 2 / 3.) / 4));
	assert_true(is_near(row_named(&f, "late")->score, 40 * 0.25));
	assert_true(row_named(&f, "level")->score == 0);
	expect_order(&f, "steady back late half level");
	teardown(&f);
}

static void shapes_have_borders(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"kept_more", {0, 10, 5, 12, 15}, {0}}, /* gave back 5 of 15 */
		{"kept_twice", {0, 10, 5, 7, 10}, {0}}, /* 5 of 10 */
		{"slow_fall", {0, 16, 12, 8, 16}, {0}}, /* 8 of 16, in two steps */
		{"tenth", {9, 10, 9, 9, 9}, {0}},
		{"more", {8, 10, 8, 8, 8}, {0}},
		{"less_left", {0, 0, 0, 0, 20}, {0}},
		{"was_there", {1, 1, 1, 1, 20}, {0}},
		{0},
	};
	struct fixture f;

	setup(&f, histories, 5);
	expect_shape(&f, "kept_more", SHAPE_GROWS);
	expect_shape(&f, "kept_twice", SHAPE_RETURNED);
	expect_shape(&f, "slow_fall", SHAPE_RETURNED);
	expect_shape(&f, "tenth", SHAPE_LEVEL);
	expect_shape(&f, "more", SHAPE_RETURNED);
	expect_shape(&f, "less_left", SHAPE_NEW);
	expect_shape(&f, "was_there", SHAPE_GREW);
	teardown(&f);
}

static void two_snapshots_score_their_growth(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"big", {100, 100}, {0}}, {"more", {10, 60}, {0}}, {"fresh", {0, 70}, {0}}, {"less", {80, 20}, {0}}, {0}};
	struct fixture f;

	setup(&f, histories, 2);
	expect_order(&f, "fresh more big less");
	expect_shape(&f, "fresh", SHAPE_GROWS);
	expect_shape(&f, "less", SHAPE_SHRANK);
	assert_true(row_named(&f, "fresh")->score == 70 && row_named(&f, "more")->score == 50);
	assert_true(row_named(&f, "more")->step == 50 && row_named(&f, "less")->monotone == 0);
	assert_int_equal(row_named(&f, "fresh")->first_seen, 1);
	assert_true(f.series.total.growth == 60);
	/* The changes have both signs, but for what is equal. */
	assert_true(f.series.divisor_is_sum && f.series.divisor == 180);
	teardown(&f);
}

static void one_snapshot_is_level(void **state)
{
	(void)state;
	static const struct history histories[] = {{"a main", {3}, {9}}, {"b main", {4}, {4}}, {0}};
	struct fixture f;

	setup(&f, histories, 1);
	expect_order(&f, "b a");
	for (uint32_t i = 0; i < 2; i++) {
		const struct series_row *row = &f.series.rows[i];

		assert_true(!row->growth && !row->score && !row->step && !row->churn && row->monotone == 1);
		assert_int_equal(row->shape, SHAPE_LEVEL);
	}
	teardown(&f);
}

static void rows_without_values_are_none(void **state)
{
	(void)state;
	static const struct history nothing[] = {{"a main", {0}, {0}}, {0}};
	static const struct history freed[] = {{"a main", {0}, {5, 7, 9}}, {0}};
	struct fixture f;

	setup(&f, nothing, 3);
	assert_int_equal(f.series.n_rows, 0);
	assert_int_equal(f.series.total.first_seen, 3);
	assert_false(f.series.has_churn);
	teardown(&f);
	/* Neither a nor main ever holds anything: both have what was freed again. */
	setup(&f, freed, 3);
	expect_order(&f, "a main");
	assert_true(row_named(&f, "a")->churn == 4 && row_named(&f, "main")->churn == 4);
	expect_shape(&f, "main", SHAPE_CHURN);
	assert_int_equal(row_named(&f, "a")->first_seen, 3);
	teardown(&f);
}

static void values_that_come_and_go_were_seen_first(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"gone", {0, 3, 0, 0}, {0}}, {"again", {0, 3, 0, 9}, {0}}, {"last", {0, 0, 0, 1}, {0}}, {0}};
	struct fixture f;

	setup(&f, histories, 4);
	assert_int_equal(row_named(&f, "gone")->first_seen, 1);
	assert_int_equal(row_named(&f, "again")->first_seen, 1);
	assert_int_equal(row_named(&f, "last")->first_seen, 3);
	expect_shape(&f, "gone", SHAPE_RETURNED);
	teardown(&f);
}

static void equal_steps_are_monotone(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"stairs", {1, 1, 2, 2, 3}, {0}}, {"level", {4, 4, 4, 4, 4}, {0}}, {"dent", {1, 2, 1, 3, 4}, {0}}, {0}};
	struct fixture f;

	setup(&f, histories, 5);
	assert_true(row_named(&f, "stairs")->monotone == 1);
	assert_true(row_named(&f, "level")->monotone == 1);
	assert_true(row_named(&f, "dent")->monotone == 0.75);
	teardown(&f);
}

/* 1 - 4 / 5. is less than 0.2, of which 19% would be shown. */
static void parts_of_steps_are_exact(void **state)
{
	(void)state;
	static const struct history histories[] = {{"slide", {60, 50, 40, 30, 20, 100}, {0}}, {0}};
	struct fixture f;

	setup(&f, histories, 6);
	assert_true(row_named(&f, "slide")->monotone == 0.2);
	teardown(&f);
}

static void expect_finite(const struct series_row *row, uint32_t n)
{
	assert_true(isfinite(row->growth) && isfinite(row->step) && isfinite(row->per_second));
	assert_true(isfinite(row->score) && isfinite(row->churn) && row->score >= 0 && row->churn >= 0);
	assert_true(row->monotone >= 0 && row->monotone <= 1);
	for (uint32_t i = 0; i < n; i++)
		assert_true(fabs(row->values[i]) <= VIEW_MOST);
}

static void numbers_stay_finite_at_the_ends(void **state)
{
	(void)state;
	static const double M = 0x1p63;
	static const struct history histories[] = {
		{"a main", {-M, M, -M, M, M}, {M, M, M, M, M}},  {"b main", {M, -M, M, -M, M}, {0, 0, 0, 0, M}},
		{"c main", {-M, -M / 2, 0, M / 2, M}, {-M, M}},  {"d main", {0, 1e-300, 2e-300, 3e-300, 4e-300}, {0}},
		{"e main", {0, 5e-324, 0, 5e-324, 5e-324}, {0}}, {0}};
	static const int64_t times[] = {1, INT64_MAX / 2, INT64_MAX - 2, INT64_MAX - 1, INT64_MAX};
	struct fixture f;

	setup_times(&f, histories, 5, times);
	for (uint32_t i = 0; i < f.series.n_rows; i++)
		expect_finite(&f.series.rows[i], 5);
	expect_finite(&f.series.total, 5);
	assert_true(row_named(&f, "c")->growth == M);
	teardown(&f);
}

static void order_is_total(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"d", {1, 1}, {0}}, {"c", {1, 1}, {0}},   {"b", {3, 5}, {0}},    {"a", {2, 4}, {0}},
		{"f", {9, 8}, {0}}, {"e", {-9, -9}, {0}}, {"g", {1, 1}, {1, 5}}, {0}};
	struct fixture f;

	setup(&f, histories, 2);
	/* Score, growth, peak, churn, label. */
	expect_order(&f, "b a e g c d f");
	teardown(&f);
}

/* ---- rows ---- */

static void cum_counts_recursion_once(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"leaf again leaf again main", {1, 2, 4}, {9, 10, 12}}, {"leaf main", {8, 8, 8}, {8, 8, 18}}, {0}};
	struct fixture f;

	start(&f, histories, 3, NULL);
	series_build(&f.table, true, f.arena, &f.series);
	assert_true(row_named(&f, "leaf")->values[0] == 9 && row_named(&f, "leaf")->values[2] == 12);
	assert_true(row_named(&f, "again")->values[0] == 1 && row_named(&f, "again")->values[2] == 4);
	assert_true(row_named(&f, "main")->growth == 3 && row_named(&f, "main")->churn == 10);
	assert_true(row_named(&f, "again")->churn == 0);
	series_build(&f.table, false, f.arena, &f.series);
	expect_order(&f, "leaf");
	teardown(&f);
}

static void rows_of_a_tree_are_ways(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"leaf left main", {1, 2, 4}, {0}}, {"leaf right main", {8, 8, 8}, {0}}, {0}};
	struct fixture f;
	struct diag notes = {0};

	start(&f, histories, 3, NULL);
	tree_split(&f.table, TREE_MOST_ROWS, &notes);
	series_build(&f.table, false, f.arena, &f.series);
	expect_order(&f, "leaf leaf");
	assert_true(f.series.rows[0].growth == 3 && f.series.rows[1].growth == 0 && f.series.rows[1].values[0] == 8);
	assert_string_equal(f.table.rows[f.table.callers[f.series.rows[0].row]].label, "left");
	diag_clear(&notes);
	teardown(&f);
}

static void churn_of_holders_is_their_own(void **state)
{
	(void)state;
	static const struct history histories[] = {{"create main", {1, 2, 3}, {1, 2, 3}},           /* a leak */
	                                           {"create destroy main", {0, 0, 0}, {5, 10, 15}}, /* freed at once */
	                                           {"hold wrap main", {4, 4, 4}, {4, 4, 4}},
	                                           {0}};
	struct fixture f;

	setup(&f, histories, 3);
	assert_true(f.series.has_churn);
	assert_true(row_named(&f, "create")->churn == 10);
	assert_true(row_named(&f, "destroy")->churn == 10);
	assert_true(row_named(&f, "hold")->churn == 0);
	/* main holds what is below it, and allocates nothing itself: it is in no row of flat values. */
	expect_order(&f, "create hold destroy");
	expect_shape(&f, "destroy", SHAPE_CHURN);
	assert_true(f.series.total.churn == 10);
	teardown(&f);
}

static void a_base_is_the_first_of_two(void **state)
{
	(void)state;
	struct fixture f = {.profile =
	                        test_profile((struct test_stack[]){{"a main", 5, 2}, {"b main", 1, 4}, {NULL, 0, 0}}),
	                    .arena = arena_new()};

	assert_null(view_new(f.profile, &(struct view_opts){0}, &f.view));
	tally(f.view, &(struct row_opts){.granularity = BY_FUNCTION}, f.arena, &f.table);
	series_build(&f.table, false, f.arena, &f.series);
	assert_int_equal(f.series.n_snapshots, 2);
	assert_true(row_named(&f, "a")->values[0] == 2 && row_named(&f, "a")->values[1] == 5);
	assert_true(row_named(&f, "b")->growth == -3);
	assert_true(f.series.total.values[0] == 6 && f.series.total.growth == 0);
	teardown(&f);
}

/* ---- time ---- */

static const struct history growing[] = {{"a", {0, 10, 20, 60}, {0}}, {0}};

static void slopes_go_by_time_where_it_is_known(void **state)
{
	(void)state;
	/* Seconds 0, 1, 2, 6: the values are on a line. */
	static const int64_t times[] = {5000000000, 6000000000, 7000000000, 11000000000};
	struct fixture f;

	setup_times(&f, growing, 4, times);
	assert_true(f.series.has_times);
	assert_true(is_near(row_named(&f, "a")->per_second, 10));
	assert_true(is_near(row_named(&f, "a")->step, 19));
	assert_int_equal(f.series.snapshots[3].time_nanos, 11000000000);
	assert_string_equal(f.series.snapshots[3].name, "4.heap");
	teardown(&f);
}

/* Of today's times, which as doubles would be one and the same. */
static void slopes_go_by_nanoseconds(void **state)
{
	(void)state;
	static const int64_t today = 1700000000000000000;
	static const int64_t times[] = {today, today + 1, today + 2, today + 6};
	struct fixture f;

	setup_times(&f, growing, 4, times);
	assert_true(f.series.has_times);
	assert_true(series_nanos(&f.series, 0) == 0 && series_nanos(&f.series, 3) == 6);
	assert_true(is_near(row_named(&f, "a")->per_second, 1e10));
	teardown(&f);
}

static void times_at_both_ends_are_apart(void **state)
{
	(void)state;
	static const int64_t times[] = {INT64_MIN, -1, 1, INT64_MAX};
	struct fixture f;

	setup_times(&f, growing, 4, times);
	assert_true(series_nanos(&f.series, 3) == 0x1p64);
	expect_finite(row_named(&f, "a"), 4);
	teardown(&f);
}

static void times_must_be_in_order(void **state)
{
	(void)state;
	static const struct {
		int64_t times[4];
		bool ok;
	} cases[] = {
		{{1, 2, 2, 3}, true},  {{2, 2, 2, 2}, false}, {{1, 3, 2, 4}, false},
		{{0, 1, 2, 3}, false}, {{1, 2, 3, 0}, false}, {{-3, -2, -1, 1}, true},
	};
	struct fixture f;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setup_times(&f, growing, 4, cases[i].times);
		assert_int_equal(f.series.has_times, cases[i].ok);
		assert_true(cases[i].ok == (row_named(&f, "a")->per_second > 0));
		teardown(&f);
	}
}

/* ---- what is to be above what, of many snapshots ---- */

static double noise_of(uint32_t i)
{
	return (i * 2654435761U >> 16) % 1000 / 500. - 1;
}

static double find_leak(double at)
{
	return 100 * at;
}

static double find_leak_beside_cache(double at)
{
	return 1000 + 100 * at + 20 * noise_of((uint32_t)(at * 100));
}

static double find_cache_fill(double at)
{
	return at < 0.6 ? 0 : 300;
}

static double find_start_up(double at)
{
	return at > 0 ? 2000 : 0;
}

static double find_noisy(double at)
{
	return 1000 + 40 * noise_of(7919 + (uint32_t)(at * 100));
}

static double find_stairs(double at)
{
	return 40 * floor(at * 5);
}

static double find_doubling(double at)
{
	return exp2(10 * at) / 10;
}

static double find_saw(double at)
{
	return 50 * (((uint32_t)(at * 100) + 9) % 10);
}

static double find_late(double at)
{
	return at < 0.5 ? 3 : 3 + 200 * (at - 0.5);
}

static double find_fill(double at)
{
	return 100 * fmin(1, 2 * at);
}

static const struct {
	const char *name;
	double (*find)(double at); /* 0 first, 1 last */
	enum shape shape;
} behaviours[] = {
	{"leak", find_leak, SHAPE_GROWS},
	{"beside_cache", find_leak_beside_cache, SHAPE_GROWS},
	{"stairs", find_stairs, SHAPE_GROWS},
	{"doubling", find_doubling, SHAPE_GROWS},
	{"late", find_late, SHAPE_GROWS},
	{"fill", find_fill, SHAPE_GREW},
	{"cache_fill", find_cache_fill, SHAPE_GREW},
	{"start_up", find_start_up, SHAPE_GREW},
	{"saw", find_saw, SHAPE_RETURNED},
	{"noisy", find_noisy, SHAPE_LEVEL},
};
enum { N_BEHAVIOURS = sizeof behaviours / sizeof *behaviours, N_LEAKS = 5 };

static void setup_behaviours(struct fixture *f, uint32_t n)
{
	static struct history histories[N_BEHAVIOURS + 1];

	for (size_t i = 0; i < N_BEHAVIOURS; i++) {
		histories[i].frames = behaviours[i].name;
		for (uint32_t k = 0; k < n; k++)
			histories[i].values[k] = behaviours[i].find(k / (n - 1.));
	}
	setup(f, histories, n);
}

/* A leak is above all else, though that be twenty times as large, whatever the number of snapshots. */
static void leaks_are_above_holders(void **state)
{
	(void)state;
	static const uint32_t counts[] = {10, 13, 25, 26, 50, 100};
	struct fixture f;

	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
		setup_behaviours(&f, counts[c]);
		for (size_t i = 0; i < N_BEHAVIOURS; i++)
			expect_shape(&f, behaviours[i].name, behaviours[i].shape);
		for (size_t i = 0; i < N_LEAKS; i++)
			for (size_t k = N_LEAKS; k < N_BEHAVIOURS; k++)
				assert_true(row_named(&f, behaviours[i].name)->score > row_named(&f, behaviours[k].name)->score);
		assert_true(row_named(&f, "leak")->score > row_named(&f, "late")->score);
		teardown(&f);
	}
}

static void a_restart_gives_all_back(void **state)
{
	(void)state;
	static const struct history histories[] = {
		{"restarted", {10, 20, 30, 40, 0, 10, 20, 30, 40}, {0}}, {"leak", {0, 2, 4, 6, 8, 10, 12, 14, 16}, {0}}, {0}};
	struct fixture f;

	setup(&f, histories, 9);
	expect_order(&f, "leak restarted");
	expect_shape(&f, "restarted", SHAPE_RETURNED);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_shape_has_its_name),
		cmocka_unit_test(score_is_the_documented_product),
		cmocka_unit_test(shapes_have_borders),
		cmocka_unit_test(two_snapshots_score_their_growth),
		cmocka_unit_test(one_snapshot_is_level),
		cmocka_unit_test(rows_without_values_are_none),
		cmocka_unit_test(values_that_come_and_go_were_seen_first),
		cmocka_unit_test(equal_steps_are_monotone),
		cmocka_unit_test(parts_of_steps_are_exact),
		cmocka_unit_test(numbers_stay_finite_at_the_ends),
		cmocka_unit_test(order_is_total),
		cmocka_unit_test(cum_counts_recursion_once),
		cmocka_unit_test(rows_of_a_tree_are_ways),
		cmocka_unit_test(churn_of_holders_is_their_own),
		cmocka_unit_test(a_base_is_the_first_of_two),
		cmocka_unit_test(slopes_go_by_time_where_it_is_known),
		cmocka_unit_test(slopes_go_by_nanoseconds),
		cmocka_unit_test(times_at_both_ends_are_apart),
		cmocka_unit_test(times_must_be_in_order),
		cmocka_unit_test(leaks_are_above_holders),
		cmocka_unit_test(a_restart_gives_all_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

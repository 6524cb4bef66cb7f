#include "analyze/test.h"

#include "analyze/test_profile.h"
#include "analyze/view.h"

#include <stdlib.h>

/* What a view leaves of one stack: "a b>c" is a, called by b, which is inlined into c. */
struct expectation {
	const char *stack, *kept;
};

static struct build *build_of(const char *type, const char *second_type)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, type, "count");
	if (second_type)
		build_type(build, second_type, "count");
	return build;
}

static void append(char *text, const char *gap, const char *name)
{
	if (*text)
		strcat(text, gap);
	strcat(text, name);
}

/* In the same notation. */
static const char *kept_frames(const struct view *view, stack_id id, char text[256])
{
	const struct profile *p = view->profile;

	*text = '\0';
	for (uint32_t i = 0; i < p->stacks[id.row].n; i++) {
		struct view_lines lines = {0};

		if (!view_has_frame(view, id, i))
			continue;
		lines = view_frame_lines(view, id, i);
		for (uint32_t k = lines.first; k < lines.end; k++)
			append(text, k == lines.first ? " " : ">", profile_text(p, p->funcs[p->lines[k].func.row].name));
	}
	return text;
}

static void expect_view(struct build *build, const struct view_opts *opts, const struct expectation *expected)
{
	struct view *view;
	char text[256];

	for (; expected->stack; expected++) {
		double values[2] = {1, 1};
		stack_id id = test_stack_of(build, expected->stack);

		build_sample(build, id, (labels_id){0}, values);
		assert_null(view_new(build_profile(build), opts, &view));
		assert_string_equal(kept_frames(view, id, text), expected->kept);
		view_free(view);
	}
}

static void expect_frames(struct build *build, bool all_frames, const struct expectation *expected)
{
	expect_view(build, &(struct view_opts){.all_frames = all_frames}, expected);
}

static void heaps_lose_the_allocator(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"malloc helper main", "helper main"},
		{"malloc operator_new>allocate main", "allocate main"},
		{"malloc __restore_rt main", "__restore_rt main"},
		{"malloc calloc", "calloc"},
		{NULL, NULL},
	};
	struct build *build = build_of("space", "objects");

	expect_frames(build, false, expected);
	build_free(build);
}

static void contentions_lose_the_lock(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"base::SubmitMutexProfileData Mutex::Unlock MutexLock::~MutexLock work main", "work main"},
		{"malloc work main", "malloc work main"},
		{"work Mutex::Unlock main", "work Mutex::Unlock main"},
		{"Mutex::Unlock", "Mutex::Unlock"},
		{"Mutex::Unlock>inner>outer main", "inner>outer main"},
		{NULL, NULL},
	};
	struct build *build = build_of("contentions", "delay");

	expect_frames(build, false, expected);
	build_free(build);
}

static void others_lose_the_signal(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"work __restore_rt busy main", "work busy main"},
		{"work ProfileData::Add>CpuProfiler::prof_handler main", "work main"},
		{"malloc busy main", "malloc busy main"},
		{"__restore_rt busy main", "__restore_rt busy main"},
		{"work busy __restore_rt main", "work busy __restore_rt main"},
		{"work __restore_rt", "work"},
		{"__restore_rt", "__restore_rt"},
		{NULL, NULL},
	};
	struct build *build = build_of("samples", "cpu");

	expect_frames(build, false, expected);
	build_free(build);
	build = build_of("goroutine", NULL);
	expect_frames(build, false, expected);
	expect_frames(build, true, (struct expectation[]){{"work __restore_rt main", "work __restore_rt main"}, {0}});
	build_free(build);
}

static void set_filters(struct build *build, const char *drop, const char *keep)
{
	build_set_frame_filters(build, build_cstr(build, drop), build_cstr(build, keep));
}

/* As google/pprof's Prune does. */
static void profiles_drop_frames(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"leaf drop_a user main", "user main"},
		{"leaf drop_keep user main", "leaf drop_keep user main"},
		{"leaf drop_a>user main", "user main"},
		{"drop_a drop_b", "drop_a drop_b"},
		{"leaf user drop_a", "leaf user drop_a"},
		{"leaf drop_a user drop_b main", "main"},
		{"leaf drop_(int) main", "main"},
		{"leaf .drop_dot main", "main"},
		{"leaf (anonymous.namespace)::drop_ main", "leaf (anonymous.namespace)::drop_ main"},
		{"leaf drop_::operator()(int) main", "main"},
		{"leaf undrop_ main", "leaf undrop_ main"},
		{NULL, NULL},
	};
	struct build *build = build_of("samples", "cpu");

	set_filters(build, "drop_.*|never", "drop_keep");
	expect_frames(build, false, expected);
	expect_frames(build, true, (struct expectation[]){{"leaf drop_a main", "leaf drop_a main"}, {0}});
	build_free(build);
}

static void both_rules_cut(void **state)
{
	(void)state;
	struct build *build = build_of("alloc_space", NULL);

	set_filters(build, "pool_get", "");
	expect_frames(build, false,
	              (struct expectation[]){
					  {"malloc pool_get user main", "user main"}, {"malloc operator_new user main", "user main"}, {0}});
	build_free(build);
}

static void bad_patterns_are_noted(void **state)
{
	(void)state;
	struct build *build = build_of("samples", "cpu");
	struct view *view;

	set_filters(build, "a(b", "");
	assert_null(view_new(build_profile(build), &(struct view_opts){0}, &view));
	assert_int_equal(view->filter_notes.n, 1);
	assert_non_null(strstr(view->filter_notes.notes[0].text, "the profile's drop_frames=a(b: column 4: "));
	view_free(view);
	build_free(build);
}

static void filters_see_kept_frames_only(void **state)
{
	(void)state;
	struct build *build = build_of("samples", "cpu");
	double values[2] = {1, 1};
	struct view *view;

	build_sample(build, test_stack_of(build, "work __restore_rt main"), (labels_id){0}, values);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "restore"}, &view));
	assert_int_equal(view->n_kept, 0);
	view_free(view);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "main"}, &view));
	assert_int_equal(view->n_kept, 1);
	view_free(view);
	build_free(build);
}

static void expect_heap(const struct view_opts *opts, const struct expectation *expected)
{
	struct build *build = build_of("space", "objects");

	expect_view(build, opts, expected);
	build_free(build);
}

static void frames_are_hidden(void **state)
{
	(void)state;

	expect_heap(&(struct view_opts){.hide = "^h"}, (struct expectation[]){
													   {"a h1 main", "a main"},
													   {"h1 a>h1>b h2", "a>b"},
													   {"h1>h2 main", "main"},
													   {"h1 h2>h3", ""},
													   {"malloc h1>a>b main", "a>b main"},
													   {"malloc>h1>a main", "a main"},
													   {0},
												   });
	expect_heap(&(struct view_opts){.show = "^s", .hide = "2$"}, (struct expectation[]){
																	 {"a s1 s2 main", "s1"},
																	 {"a>s1>s2>s3 main s4", "s1>s3 s4"},
																	 {"malloc main", ""},
																	 {0},
																 });
}

static void frames_are_retained(void **state)
{
	(void)state;

	expect_heap(&(struct view_opts){.retain = "^r", .exclude = "2$"}, (struct expectation[]){
																		  {"a r1 r2 r3 main", "r1 r3"},
																		  {"a>r1 r1>a b>r2", "a>r1"},
																		  {"a main", ""},
																		  {0},
																	  });
}

static void stacks_end_at_matches(void **state)
{
	(void)state;

	expect_heap(&(struct view_opts){.show_from = "^s"}, (struct expectation[]){
															{"a s1 b s2 main", "a s1 b s2"},
															{"a>s1>b>s2>c main", "a>s1>b>s2"},
															{"a>s1>b s2 main", "a>s1>b s2"},
															{"a main", ""},
															{0},
														});
	expect_heap(&(struct view_opts){.prune_from = "^p"}, (struct expectation[]){
															 {"a p1 b p2 main", "p1 b p2 main"},
															 {"a>p1>b>p2 main", "p1>b>p2 main"},
															 {"p1 a>p1 main", "p1 a>p1 main"},
															 {"malloc a main", "a main"},
															 {0},
														 });
	/* The name, not the parameters that it may have. */
	expect_heap(&(struct view_opts){.prune_from = "int"},
	            (struct expectation[]){{"a f(int) print main", "print main"}, {0}});
	expect_heap(&(struct view_opts){.show_from = "^b", .prune_from = "^b", .no_inlines = true},
	            (struct expectation[]){{"a>b1>c x>y d>b2>e main", "c y b2"}, {"b1>c main>x", "b1"}, {0}});
}

/* "a main" with a location of this address between, with a name or without. */
static void expect_at_0x7000(const char *name, const struct view_opts *opts, uint32_t n_frames)
{
	struct build *build = build_of("space", NULL);
	loc_id middle = build_loc(build, 0x7000);
	struct line line = {.func = build_func(build, &(struct function){.name = build_cstr(build, name)})};
	double one = 1;
	struct view *view;

	build_lines(build, middle, &line, *name != '\0');
	stack_id stack = build_stack(build, (loc_id[]){test_loc(build, "a", 1), middle, test_loc(build, "main", 4)}, 3);
	build_sample(build, stack, (labels_id){0}, &one);
	assert_null(view_new(build_profile(build), opts, &view));
	assert_int_equal(view->profile->stacks[stack.row].n, n_frames);
	assert_int_equal(view->n_kept, 1);
	view_free(view);
	build_free(build);
}

static void locations_match_as_a_whole(void **state)
{
	(void)state;
	static const struct {
		struct view_opts opts;
		uint32_t n_frames;
	} cases[] = {
		{{.hide = "0x7000"}, 2},      {{.show = "0x7000"}, 1},    {{.show_from = "0x7000"}, 2},
		{{.retain = "0x7000"}, 1},    {{.exclude = "0x7000"}, 2}, {{.focus = "0x7000"}, 3},
		{{.hide = "^a$|^main$"}, 1},  {{.show = "^a$"}, 1},       {{.prune_from = "7000"}, 3},
		{{.show_from = "^main$"}, 3},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		expect_at_0x7000("", &cases[i].opts, cases[i].n_frames);
		expect_at_0x7000("middle", &cases[i].opts, cases[i].n_frames);
	}
}

static void parts_of_locations_are_shared(void **state)
{
	(void)state;
	struct build *build = build_of("space", NULL);
	double one = 1;
	struct view *view;
	stack_id a = test_stack_of(build, "a>b>c x main"), b = test_stack_of(build, "a>b>c y main");

	build_sample(build, a, (labels_id){0}, &one);
	build_sample(build, b, (labels_id){0}, &one);
	assert_null(view_new(build_profile(build), &(struct view_opts){.prune_from = "b"}, &view));
	const struct profile *p = view->profile;
	assert_int_equal(p->frames[p->stacks[a.row].first].row, p->frames[p->stacks[b.row].first].row);
	assert_int_equal(p->n_locs, build_profile(build)->n_locs + 1);
	view_free(view);
	build_free(build);
}

static void signals_stay_dropped(void **state)
{
	(void)state;
	struct build *build = build_of("samples", "cpu");

	expect_view(build, &(struct view_opts){.hide = "h"},
	            (struct expectation[]){{"work __restore_rt h main", "work main"}, {0}});
	build_free(build);
}

/* What has no frame left is gone, but for what cannot be empty. */
static void empty_stacks_are_dropped(void **state)
{
	(void)state;
	static const struct {
		struct view_opts opts;
		uint32_t n_kept;
	} cases[] = {
		{{.hide = "nosuch"}, 2},       {{.hide = "^a$"}, 1},      {{.show = "^a$"}, 1},
		{{.show_from = "main"}, 1},    {{.exclude = "^a$"}, 1},   {{.retain = "nosuch"}, 0},
		{{.prune_from = "nosuch"}, 3}, {{.no_inlines = true}, 3}, {{.prune_from = "main"}, 3},
		{{.focus = "main"}, 1},        {{.ignore = "main"}, 2},
	};
	struct build *build = build_of("space", NULL);
	double one = 1;

	build_sample(build, test_stack_of(build, ""), (labels_id){0}, &one);
	build_sample(build, test_stack_of(build, "a"), (labels_id){0}, &one);
	build_sample(build, test_stack_of(build, "b main"), (labels_id){0}, &one);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view *view;

		assert_null(view_new(build_profile(build), &cases[i].opts, &view));
		assert_int_equal(view->n_kept, cases[i].n_kept);
		assert_true(view->all.sum == 3 && view->kept.sum == cases[i].n_kept);
		view_free(view);
	}
	build_free(build);
}

static void wholes_may_be_relative(void **state)
{
	(void)state;
	struct build *build = build_of("space", NULL);
	double one = 1;
	struct view *view;

	build_sample(build, test_stack_of(build, "a main"), (labels_id){0}, &one);
	build_sample(build, test_stack_of(build, "b main"), (labels_id){0}, &one);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "a$"}, &view));
	assert_true(view_whole(view)->sum == 2);
	view_free(view);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "a$", .is_relative = true}, &view));
	assert_true(view_whole(view)->sum == 1);
	view_free(view);
	build_free(build);
}

static void idle_patterns_are_noted(void **state)
{
	(void)state;
	struct build *build = build_of("space", NULL);
	double one = 1;
	struct view *view;

	build_sample(build, test_stack_of(build, "a main"), (labels_id){0}, &one);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "a", .hide = "nosuch"}, &view));
	assert_int_equal(view->filter_notes.n, 1);
	assert_string_equal(view->filter_notes.notes[0].text, "--hide=nosuch: no frame matches");
	view_free(view);
	assert_null(view_new(build_profile(build), &(struct view_opts){.focus = "nosuch"}, &view));
	assert_int_equal(view->filter_notes.n, 0);
	view_free(view);
	build_free(build);
}

static void sums_are_held(void **state)
{
	(void)state;
	struct build *build = build_of("samples", NULL);
	double most = 0x1p63;
	struct view *view;

	build_sample(build, test_stack_of(build, "a main"), (labels_id){0}, &most);
	assert_null(view_new(build_profile(build), &(struct view_opts){0}, &view));
	assert_true(view->all.sum == VIEW_MOST);
	assert_int_equal(view->notes.n, 1); /* it is rounded */
	view_free(view);
	build_sample(build, test_stack_of(build, "b main"), (labels_id){0}, &most);
	assert_null(view_new(build_profile(build), &(struct view_opts){0}, &view));
	assert_true(view->all.sum == VIEW_MOST && view_divisor(&view->all) == VIEW_MOST);
	assert_string_equal(view->notes.notes[0].text, "sums above 2^63-1 (9223372036854775807) are held there");
	view_free(view);
	build_free(build);
}

static void threads_are_views(void **state)
{
	(void)state;
	struct build *build = build_of("samples", NULL);
	struct label label = {.key = build_cstr(build, "thread"), .text = build_cstr(build, "t1")};
	stack_id stack = test_stack_of(build, "a main");
	double one = 1, two = 2;
	struct view *view;

	build_sample(build, stack, (labels_id){0}, &one);
	build_sample(build, stack, build_labels(build, &label, 1), &two);
	assert_null(view_new(build_profile(build), &(struct view_opts){.thread = "1"}, &view));
	assert_true(view->all.sum == 2);
	assert_int_equal(view->n_kept, 1);
	view_free(view);
	build_free(build);
}

/* By sample: what the sides of a difference show. */
struct sides {
	double now, base;
};

static void expect_sides(const struct test_stack *stacks, const struct view_opts *opts, const struct sides *expected)
{
	struct profile *profile = test_profile(stacks);
	struct view *view;

	assert_null(view_new(profile, opts, &view));
	for (uint32_t i = 0; i < profile->n_samples; i++) {
		double now = view_side_value(view, i, SET_MAIN, 0), base = view_side_value(view, i, SET_BASE, 0);

		assert_true(now == expected[i].now);
		assert_true(base == expected[i].base);
		assert_true(now - base == view_divided_value(view, i, 0));
	}
	view_free(view);
	profile_free(profile);
}

static void sides_are_what_a_difference_is_of(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"grown main", 8, 2}, {"shrunk main", 1, 5}, {"gone main", 0, 4}, {"same main", 3, 3}, {NULL, 0, 0}};

	expect_sides(stacks, &(struct view_opts){0}, (struct sides[]){{8, 2}, {1, 5}, {0, 4}, {3, 3}});
	expect_sides(stacks, &(struct view_opts){.drop_negative = true}, (struct sides[]){{8, 2}, {1, 1}, {0, 0}, {3, 3}});
	expect_sides(stacks, &(struct view_opts){.divide_by = 4},
	             (struct sides[]){{2, 0.5}, {0.25, 1.25}, {0, 1}, {0.75, 0.75}});
	/* 14 over 12. */
	expect_sides((struct test_stack[]){{"a main", 6, 10}, {"b main", 6, 4}, {NULL, 0, 0}},
	             &(struct view_opts){.normalize = true}, (struct sides[]){{7, 10}, {7, 4}});
}

/* Scaled, 0.3 of 0.9 is no third of 3 for a double. */
static void scaled_sides_are_equal_or_differ(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"a main", 0.3, 1}, {"b main", 0.3, 1}, {"c main", 0.1, 1. / 3}, {"d main", 0.2, 2. / 3}, {NULL, 0, 0}};

	expect_sides(stacks, &(struct view_opts){.normalize = true},
	             (struct sides[]){{1, 1}, {1, 1}, {1. / 3, 1. / 3}, {2. / 3, 2. / 3}});
}

static void a_profile_alone_has_one_side(void **state)
{
	(void)state;
	struct profile *profile =
		build_finish(test_build((struct test_stack[]){{"a main", 5, 0}, {"b main", -2, 0}, {NULL, 0, 0}}, false));
	struct view *view;

	assert_null(view_new(profile, &(struct view_opts){0}, &view));
	assert_true(view_side_value(view, 0, SET_MAIN, 0) == 5);
	assert_true(view_side_value(view, 1, SET_MAIN, 0) == -2);
	view_free(view);
	assert_null(view_new(profile, &(struct view_opts){.drop_negative = true}, &view));
	assert_true(view_side_value(view, 1, SET_MAIN, 0) == 0);
	view_free(view);
	profile_free(profile);
}

/* A picture of both sides has them; tables have what changed. */
static void what_is_unchanged_passes_where_both_sides_show(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"same main", 3, 3}, {"grown main", 3, 1}, {NULL, 0, 0}};
	struct profile *profile = test_profile(stacks);
	struct view *view;

	assert_null(view_new(profile, &(struct view_opts){0}, &view));
	assert_true(!view->passes[0] && view->passes[1]);
	view_free(view);
	assert_null(view_new(profile, &(struct view_opts){.both_sides = true}, &view));
	assert_true(view->passes[0] && view->passes[1]);
	view_free(view);
	assert_null(view_new(profile, &(struct view_opts){.both_sides = true, .ignore = "same"}, &view));
	assert_true(!view->passes[0] && view->passes[1]);
	view_free(view);
	profile_free(profile);
}

static void expect_same_totals(const struct view_total *a, const struct view_total *b)
{
	assert_true(a->sum == b->sum && a->sum_abs == b->sum_abs);
	assert_true(a->has_gain == b->has_gain && a->has_loss == b->has_loss);
}

/* Also where stacks are cut, and those of which nothing is left. */
static void another_type_has_the_same_samples(void **state)
{
	(void)state;
	struct build *build = build_of("objects", "space");
	struct view_opts opts = {.focus = "main", .hide = "hidden"};
	struct view *view, *alone;

	build_sample(build, test_stack_of(build, "leaf hidden main"), (labels_id){0}, (double[]){1, 10});
	build_sample(build, test_stack_of(build, "leaf other"), (labels_id){0}, (double[]){2, -20});
	build_sample(build, test_stack_of(build, "hidden"), (labels_id){0}, (double[]){4, 40});
	assert_null(view_new(build_profile(build), &opts, &view));
	opts.type = 1;
	assert_null(view_new(build_profile(build), &opts, &alone));
	struct view *of_type = view_of_type(view, 1);
	for (uint32_t i = 0; i < of_type->profile->n_samples; i++)
		assert_true(of_type->values[i] == alone->values[i] && of_type->passes[i] == alone->passes[i]);
	assert_true(of_type->kept.sum == 10 && of_type->n_kept == 1);
	expect_same_totals(&of_type->all, &alone->all);
	expect_same_totals(&of_type->kept, &alone->kept);
	expect_same_totals(&of_type->in_rows, &alone->in_rows);
	view_free(of_type);
	view_free(alone);
	assert_true(view->kept.sum == 1);
	view_free(view);
	build_free(build);
}

/* 14 over 12. */
static void a_view_can_be_scaled_later(void **state)
{
	(void)state;
	struct profile *profile = test_profile((struct test_stack[]){{"a main", 6, 10}, {"b main", 6, 4}, {NULL, 0, 0}});
	struct view *view;

	assert_null(view_new(profile, &(struct view_opts){.both_sides = true}, &view));
	struct view *scaled = view_scaled(view, 0);
	assert_true(view->values[0] == -4 && view->values[1] == 2 && view->all.sum == -2);
	assert_true(scaled->values[0] == -3 && scaled->values[1] == 3 && scaled->all.sum == 0);
	assert_true(view_divisor(&scaled->all) == 6);
	view_free(scaled);
	view_free(view);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heaps_lose_the_allocator),
		cmocka_unit_test(contentions_lose_the_lock),
		cmocka_unit_test(others_lose_the_signal),
		cmocka_unit_test(profiles_drop_frames),
		cmocka_unit_test(both_rules_cut),
		cmocka_unit_test(bad_patterns_are_noted),
		cmocka_unit_test(filters_see_kept_frames_only),
		cmocka_unit_test(frames_are_hidden),
		cmocka_unit_test(frames_are_retained),
		cmocka_unit_test(stacks_end_at_matches),
		cmocka_unit_test(locations_match_as_a_whole),
		cmocka_unit_test(parts_of_locations_are_shared),
		cmocka_unit_test(signals_stay_dropped),
		cmocka_unit_test(empty_stacks_are_dropped),
		cmocka_unit_test(wholes_may_be_relative),
		cmocka_unit_test(idle_patterns_are_noted),
		cmocka_unit_test(sums_are_held),
		cmocka_unit_test(threads_are_views),
		cmocka_unit_test(sides_are_what_a_difference_is_of),
		cmocka_unit_test(scaled_sides_are_equal_or_differ),
		cmocka_unit_test(a_profile_alone_has_one_side),
		cmocka_unit_test(what_is_unchanged_passes_where_both_sides_show),
		cmocka_unit_test(another_type_has_the_same_samples),
		cmocka_unit_test(a_view_can_be_scaled_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

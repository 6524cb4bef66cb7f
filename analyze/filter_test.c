#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/filter.h"

#include <string.h>

enum { UNNAMED = 0x7000, INLINED = 0x7010 };

static str_id text(struct build *build, const char *name)
{
	return build_cstr(build, name);
}

static void put_lines(struct build *build, loc_id loc)
{
	struct function inner = {
		.name = text(build, "ns::grow"), .full_name = text(build, "ns::grow(int)"), .file = text(build, "src/a.cc")};
	struct function outer = {.name = text(build, "serve"), .file = text(build, "src/b.cc")};
	struct line lines[] = {{.func = build_func(build, &inner), .line = 7},
	                       {.func = build_func(build, &outer), .line = 18}};

	build_lines(build, loc, lines, 2);
}

struct fixture {
	struct build *build;
	loc_id unnamed, inlined;
	uint32_t first;
};

static void setup(struct fixture *f)
{
	*f = (struct fixture){.build = build_new()};
	build_source(f->build, "test", "test");
	build_type(f->build, "space", "bytes");
	f->unnamed = build_loc(f->build, UNNAMED);
	f->inlined = build_loc(f->build, INLINED);
	put_lines(f->build, f->inlined);
	f->first = build_profile(f->build)->locs[f->inlined.row].first_line;
}

typedef struct err *make_fn(const struct profile *, const char *, const char *, struct filter **);

struct expectation {
	const char *pattern;
	bool inner, outer;     /* lines */
	bool inlined, unnamed; /* locations */
};

static void expect(make_fn *make, const struct expectation *expected)
{
	struct fixture f;

	setup(&f);
	for (; expected->pattern; expected++) {
		struct filter *filter;

		assert_null(make(build_profile(f.build), "hide", expected->pattern, &filter));
		assert_int_equal(filter->of_line[f.first], expected->inner);
		assert_int_equal(filter->of_line[f.first + 1], expected->outer);
		assert_int_equal(filter->of_loc[f.inlined.row], expected->inlined);
		assert_int_equal(filter->of_loc[f.unnamed.row], expected->unnamed);
		assert_int_equal(filter->has_match,
		                 expected->inner || expected->outer || expected->inlined || expected->unnamed);
		filter_free(filter);
	}
	build_free(f.build);
}

static void lines_match_by_their_texts(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"^ns::grow$", .inner = true},
		{"grow\\(int", .inner = true},
		{"^src/", .inner = true, .outer = true},
		{"b.cc:18$", .outer = true},
		{"cc:7$", .inner = true},
		{"cc:1$"},
		{"7000"},
		{"0x70", .inlined = true, .unnamed = true},
		{"0x7000", .unnamed = true},
		{"x7000"},
		{NULL},
	};

	expect(filter_new, expected);
}

static void plain_names_have_no_parameters(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"^ns::grow$", .inner = true}, {"int"}, {"src"}, {"0x70"}, {"serve", .outer = true}, {NULL},
	};

	expect(filter_new_plain, expected);
}

static void outermost_functions_stand_for_locations(void **state)
{
	(void)state;
	static const struct expectation expected[] = {
		{"^serve$", .inlined = true}, {"grow"}, {"src"}, {"0x7010", .inlined = true}, {".", .inlined = true}, {NULL},
	};

	expect(filter_new_outermost, expected);
}

static void bad_patterns_are_named(void **state)
{
	(void)state;
	struct filter *filter;
	struct fixture f;

	setup(&f);
	assert_null(filter_new(build_profile(f.build), "hide", NULL, &filter));
	assert_null(filter);
	struct err *err = filter_new(build_profile(f.build), "hide", "a(b", &filter);
	assert_non_null(err);
	assert_non_null(strstr(err_text(err), "--hide=a(b: column 4"));
	err_free(err);
	build_free(f.build);
}

/* A path that is no path is not read again for each of its lines. */
static void long_files_have_no_lines(void **state)
{
	(void)state;
	char name[5001];
	struct filter *filter;
	struct fixture f;

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	setup(&f);
	struct function func = {.file = build_cstr(f.build, name)};
	struct line line = {.func = build_func(f.build, &func), .line = 5};
	build_lines(f.build, f.unnamed, &line, 1);
	assert_null(filter_new(build_profile(f.build), "focus", "x:5$", &filter));
	assert_false(filter->has_match);
	filter_free(filter);
	build_free(f.build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_match_by_their_texts),
		cmocka_unit_test(plain_names_have_no_parameters),
		cmocka_unit_test(outermost_functions_stand_for_locations),
		cmocka_unit_test(bad_patterns_are_named),
		cmocka_unit_test(long_files_have_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

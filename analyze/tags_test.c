#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/tags.h"

#include <string.h>

static void add(struct build *build, uint64_t addr, double value, const struct label *labels, uint32_t n)
{
	loc_id loc = build_loc(build, addr);

	build_sample(build, build_stack(build, &loc, 1), build_labels(build, labels, n), &value);
}

static struct label text_label(struct build *build, const char *key, const char *text)
{
	return (struct label){.key = build_cstr(build, key), .text = build_cstr(build, text)};
}

static struct label number_label(struct build *build, const char *key, int64_t number, const char *unit)
{
	return (struct label){.key = build_cstr(build, key), .number = number, .unit = build_cstr(build, unit)};
}

static struct profile *labelled_profile(void)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "cpu", "nanoseconds");
	add(build, 1, 100, (struct label[]){text_label(build, "user", "ann"), number_label(build, "req", 3, "megabytes")},
	    2);
	add(build, 2, 50, (struct label[]){text_label(build, "user", "bob")}, 1);
	add(build, 3, 50, (struct label[]){text_label(build, "user", "ann"), text_label(build, "user", "eve")}, 2);
	add(build, 4, 0, (struct label[]){number_label(build, "req", 5, "kilobytes")}, 1);
	add(build, 5, 25, (struct label[]){number_label(build, "req", 3072, "kilobytes")}, 1);
	add(build, 6, 400, NULL, 0);
	add(build, 7, 1, (struct label[]){text_label(build, "req", "3MB")}, 1);
	return build_finish(build);
}

static void check_value(const struct tags *tags, uint32_t at, const char *text, double weight)
{
	assert_string_equal(tags->values[at].text, text);
	assert_true(tags->values[at].weight == weight);
}

static void heaviest_first(void **state)
{
	(void)state;
	struct profile *p = labelled_profile();
	struct arena *arena = arena_new();
	struct view *view;
	struct tags tags;

	assert_null(view_new(p, &(struct view_opts){0}, &view));
	tags_tally(view, arena, &tags);
	assert_int_equal(tags.n_keys, 2);
	assert_string_equal(tags.keys[0].key, "user");
	assert_true(tags.keys[0].weight == 250);
	assert_int_equal(tags.keys[0].n, 3);
	check_value(&tags, 0, "ann", 150);
	check_value(&tags, 1, "bob", 50);
	check_value(&tags, 2, "eve", 50);
	assert_string_equal(tags.keys[1].key, "req");
	assert_int_equal(tags.keys[1].first, 3);
	assert_int_equal(tags.keys[1].n, 2);
	/* 3 megabytes, 3072 kilobytes and a text read alike. */
	check_value(&tags, 3, "3MB", 126);
	check_value(&tags, 4, "5kB", 0);
	tags_free(&tags);
	arena_free(arena);
	view_free(view);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heaviest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

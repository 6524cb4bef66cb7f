#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/labels.h"

#include <stdlib.h>

/* A profile with one sample. */
static struct profile *one_sample(const char *const (*types)[2], const double *values, const struct label *labels,
                                  uint32_t n_labels, struct build *build)
{
	build_source(build, "test", "test");
	for (; (*types)[0]; types++)
		build_type(build, (*types)[0], (*types)[1]);
	loc_id loc = build_loc(build, 0x1000);
	build_sample(build, build_stack(build, &loc, 1), build_labels(build, labels, n_labels), values);
	return build_finish(build);
}

static const char *const heap_types[][2] = {{"alloc_objects", "count"},
                                            {"alloc_space", "bytes"},
                                            {"inuse_objects", "count"},
                                            {"inuse_space", "bytes"},
                                            {NULL, NULL}};

static void expect_size(const double *values, int64_t size)
{
	struct profile *p = one_sample(heap_types, values, NULL, 0, build_new());
	int64_t found;

	assert_true(labels_block_size(p, 0, &found));
	assert_true(found == size);
	profile_free(p);
}

static void block_size_of_heaps(void **state)
{
	(void)state;
	expect_size((double[]){4, 400, 2, 300}, 150);
	expect_size((double[]){4, 402, 0, 0}, 100);
	expect_size((double[]){0, 0, 0, 0}, 0);
	/* Sampled: both columns were multiplied by 1.7. */
	expect_size((double[]){0, 0, 3 * 1.7, 300 * 1.7}, 100);
	expect_size((double[]){0, 0, 1e-300, 1e300}, INT64_MAX);
}

static void block_size_of_others(void **state)
{
	(void)state;
	static const char *const growth[][2] = {{"objects", "count"}, {"space", "bytes"}, {NULL, NULL}};
	static const char *const cpu[][2] = {{"samples", "count"}, {"cpu", "nanoseconds"}, {NULL, NULL}};
	struct profile *p = one_sample(growth, (double[]){2, 200}, NULL, 0, build_new());
	int64_t size;

	assert_true(labels_block_size(p, 0, &size));
	assert_true(size == 100);
	profile_free(p);
	p = one_sample(cpu, (double[]){2, 200}, NULL, 0, build_new());
	assert_false(labels_block_size(p, 0, &size));
	profile_free(p);
}

/* A profile.proto may say the size itself. */
static void own_label_goes_before(void **state)
{
	(void)state;
	struct build *build = build_new();
	struct label labels[] = {{.key = build_cstr(build, "bytes"), .number = 7},
	                         {.key = build_cstr(build, "who"), .text = build_cstr(build, "me")}};
	struct profile *p = one_sample(heap_types, (double[]){1, 1, 1, 1}, labels, 2, build);
	struct label_list list = {0};

	labels_of_sample(p, 0, &list);
	assert_int_equal(list.n, 2);
	assert_null(list.items[0].text);
	assert_true(list.items[0].number == 7);
	assert_string_equal(list.items[1].text, "me");
	free(list.items);
	profile_free(p);
}

static void expect_number(const char *key, int64_t number, const char *unit, const char *expected)
{
	char text[UNITS_TEXT];

	assert_string_equal(labels_number(text, &(struct shown_label){key, NULL, number, unit}), expected);
}

static void numbers_with_units(void **state)
{
	(void)state;
	expect_number("size", 5, "kilobytes", "5kB");
	expect_number("bytes", 4096, "", "4kB");
	expect_number("request", 1 << 20, "", "1MB");
	expect_number("wait", 1500, "us", "1.50ms");
	expect_number("bytes", 0, "", "0");
	expect_number("pid", 9007199254740993, "", "9007199254740993");
	expect_number("pid", -3, "", "-3");
	expect_number("x", 12, "parsecs", "12");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_size_of_heaps),
		cmocka_unit_test(block_size_of_others),
		cmocka_unit_test(own_label_goes_before),
		cmocka_unit_test(numbers_with_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

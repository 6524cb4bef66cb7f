#include "analyze/test.h"

#include "analyze/tag_range.h"

static bool holds(const char *text, int64_t number, const char *unit)
{
	struct tag_range range;

	assert_true(tag_range_parse(text, &range));
	struct tag_limits limits = tag_range_in(&range, unit);
	return tag_limits_hold(&limits, number);
}

static void ends_belong_to_it(void **state)
{
	(void)state;
	assert_true(holds("32kb", 32, "kilobytes"));
	assert_false(holds("32kb", 33, "kilobytes"));
	assert_true(holds(":64kb", 64, "kilobytes"));
	assert_true(holds(":64kb", -1, "kilobytes"));
	assert_false(holds(":64kb", 65, "kilobytes"));
	assert_true(holds("4mb:", 4, "megabytes"));
	assert_false(holds("4mb:", 3, "megabytes"));
	assert_true(holds("-2:+2", -2, ""));
	assert_true(holds("-2:+2", 2, ""));
	assert_false(holds("-2:+2", 3, ""));
	assert_false(holds("5:3", 4, ""));
}

static void converts_units_exactly(void **state)
{
	(void)state;
	assert_true(holds("1kb", 1024, "bytes"));
	assert_false(holds("1kb", 1025, "bytes"));
	assert_true(holds("1024b", 1, "kilobytes"));
	assert_true(holds("12kb:64mb", 64 << 20, "bytes"));
	assert_false(holds("12kb:64mb", (64 << 20) + 1, "bytes"));
	assert_true(holds("5hr", 18000000000000, "nanoseconds"));
	assert_false(holds("5hr", 18000000000001, "nanoseconds"));
	assert_true(holds("18000000000000ns", 5, "hours"));
	assert_true(holds("9223372036854775807b:", INT64_MAX, "bytes"));
	assert_false(holds("9223372036854775807b:", INT64_MAX - 1, "bytes"));
	assert_false(holds("9223372036854775807b", INT64_MAX, "petabytes"));
	assert_true(holds("9223372036854775807pb:", INT64_MAX, "petabytes"));
	assert_false(holds(":-9223372036854775807pb", INT64_MIN, "bytes"));
}

static void units_of_the_label(void **state)
{
	(void)state;
	/* Without a unit the number is in the label's own. */
	assert_true(holds("3", 3, "megabytes"));
	assert_true(holds("3:", 4, "depth"));
	assert_true(holds("3depth", 3, "depth"));
	assert_false(holds("3kb", 3, "depth"));
	assert_false(holds("3kb", 3, "seconds"));
	/* One unit is enough. */
	assert_true(holds("1:5mb", 1 << 20, "bytes"));
	assert_false(holds("1:5mb", 1, "bytes"));
	assert_true(holds("1mb:5", 5 << 20, "bytes"));
}

static void other_texts(void **state)
{
	(void)state;
	static const char *const texts[] = {"",
	                                    ":",
	                                    "kb",
	                                    "get",
	                                    "5 kb",
	                                    "5,6",
	                                    "5:6:7",
	                                    "1.5mb",
	                                    "--5",
	                                    "+",
	                                    "5::",
	                                    "5kb:x",
	                                    "9223372036854775808",
	                                    "1:99999999999999999999",
	                                    "1abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"};
	struct tag_range range;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(tag_range_parse(texts[i], &range));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_belong_to_it),
		cmocka_unit_test(converts_units_exactly),
		cmocka_unit_test(units_of_the_label),
		cmocka_unit_test(other_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

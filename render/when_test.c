#include "analyze/test.h"

#include "render/when.h"

#include <stdlib.h>

static void expect_span(int64_t nanos, const char *expected)
{
	char text[WHEN_TEXT];

	assert_string_equal(when_span(text, nanos), expected);
}

static void spans(void **state)
{
	(void)state;
	expect_span(0, "0s");
	expect_span(1, "1ns");
	expect_span(1500, "1.5µs");
	expect_span(999999999, "999.999999ms");
	expect_span(1000000000, "1s");
	expect_span(61050000000, "1m1.05s");
	expect_span(3600000000000, "1h0m0s");
	expect_span(16502830000000, "4h35m2.83s");
	expect_span(-1500000000, "-1.5s");
	expect_span(INT64_MIN, "-2562047h47m16.854775808s");
}

static void times(void **state)
{
	(void)state;
	char text[WHEN_TEXT];

	unsetenv("TZ");
	assert_string_equal(when_short(text, 1500000000250000000), "2017-07-14 02:40:00 UTC");
	assert_string_equal(when_full(text, 1500000000250000000), "2017-07-14 02:40:00.25 +0000 UTC");
	assert_string_equal(when_full(text, -1), "1969-12-31 23:59:59.999999999 +0000 UTC");
	setenv("TZ", "JST-9", 1);
	assert_string_equal(when_short(text, 1500000000250000000), "2017-07-14 11:40:00 JST");
	assert_string_equal(when_full(text, 1500000000000000000), "2017-07-14 11:40:00 +0900 JST");
	unsetenv("TZ");
	assert_string_equal(when_short(text, INT64_MAX), "2262-04-11 23:47:16 UTC");
	assert_string_equal(when_full(text, INT64_MIN), "1677-09-21 00:12:43.145224192 +0000 UTC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans),
		cmocka_unit_test(times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "analyze/test.h"

#include "analyze/units.h"

#include <string.h>

static char text[UNITS_TEXT];

static void classic_numbers_round_half_away(void **state)
{
	(void)state;
	struct unit_style mb = units_classic("inuse_space", "bytes"), count = units_classic("inuse_objects", "count");

	assert_string_equal(mb.name, "MB");
	assert_string_equal(units_number(text, &mb, 1073741824), "1024.0");
	assert_string_equal(units_number(text, &mb, 262144), "0.3");
	assert_string_equal(units_number(text, &mb, -262144), "-0.3");
	assert_string_equal(units_number(text, &mb, -100), "0.0");
	assert_string_equal(count.name, "objects");
	assert_string_equal(units_number(text, &count, 19237.81), "19238");
	struct unit_style delay = units_classic("delay", "nanoseconds");
	assert_string_equal(units_number(text, &delay, 1500000), "0.002");
	struct unit_style cpu = units_classic("cpu", "nanoseconds");
	assert_string_equal(units_number(text, &cpu, 2500000000), "2.500");
	assert_string_equal(cpu.name, "seconds");
}

static void classic_counts_have_a_name(void **state)
{
	(void)state;
	static const struct {
		const char *type, *unit, *name;
	} cases[] = {
		{"samples", "count", "samples"},
		{"contentions", "count", "samples"},
		{"alloc_objects", "count", "objects"},
		{"instructions", "widgets", "widgets"},
		{"thing", "", "samples"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_classic(cases[i].type, cases[i].unit).name, cases[i].name);
}

static void sums_are_held_at_63_bits(void **state)
{
	(void)state;
	struct unit_style count = units_classic("samples", "count");

	assert_string_equal(units_number(text, &count, 0x1p63), "9223372036854775807");
	assert_string_equal(units_number(text, &count, -0x1p63), "-9223372036854775807");
	assert_string_equal(units_number(text, &count, 0x1p62), "4611686018427387904");
	assert_string_equal(units_label(text, &(struct unit_style){1, 2, ""}, 0x1p63), "9223372036854775807");
	assert_string_equal(units_whole(text, -0x1p70), "-9223372036854775807");
	assert_string_equal(units_whole(text, -0.4), "0");
}

static void labels_are_google_pprofs(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *label;
	} cases[] = {
		{104857.6, "0.10MB"}, {25921200, "24.72MB"}, {4294967296.0, "4096MB"}, {4000, "0"}, {0, "0"},
		{-2097152, "-2MB"},
	};
	struct unit_style mb;

	assert_null(units_wanted("MB", "bytes", 1, 1, &mb));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_label(text, &mb, cases[i].value), cases[i].label);
}

static void labels_of_estimates_are_whole(void **state)
{
	(void)state;
	struct unit_style count = units_auto("count", 2), bytes = units_auto("bytes", 2), kilo = units_auto("bytes", 2048);

	assert_string_equal(units_label(text, &count, 15730.14), "15730");
	assert_string_equal(units_label(text, &bytes, 749475.97), "749476B");
	assert_string_equal(units_label(text, &bytes, -0.5), "-1B");
	assert_string_equal(units_label(text, &kilo, 749475.97), "731.91kB");
}

static void compute_units_are_known(void **state)
{
	(void)state;
	struct unit_style kilo = units_auto("GCU", 2500), small = units_auto("GCU", 0.25);
	struct unit_style classic = units_classic("cycles", "GCU"), milli;

	assert_string_equal(units_label(text, &kilo, 2500), "2.50k*GCU");
	assert_string_equal(units_label(text, &small, 0.25), "250m*GCU");
	assert_string_equal(classic.name, "GCU");
	assert_null(units_wanted("milligcus", "gcu", 1, 1, &milli));
	assert_string_equal(units_label(text, &milli, 3), "3000m*GCU");
}

static void whole_units_are_those_of_memory_and_time(void **state)
{
	(void)state;
	static const struct {
		const char *unit, *base;
		double factor;
	} cases[] = {
		{"kilobytes", "bytes", 1024}, {"ms", "nanoseconds", 1e6}, {"count", "count", 1}, {"kilogcu", "kilogcu", 1}};
	double factor;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(units_base(cases[i].unit, &factor), cases[i].base);
		assert_true(factor == cases[i].factor);
	}
}

static void units_of_a_family_come_from_small_to_large(void **state)
{
	struct unit_style styles[UNITS_MOST];

	(void)state;
	assert_int_equal(units_list("milliseconds", styles), 5);
	assert_string_equal(styles[0].name, "ns");
	assert_true(styles[0].factor == 1e-6 && styles[2].factor == 1 && styles[3].factor == 1000);
	assert_int_equal(styles[2].decimals, 0);
	assert_int_equal(units_list("gcu", styles), 9);
	assert_int_equal(units_list("count", styles), 1);
	assert_string_equal(styles[0].name, "");
	assert_int_equal(units_list("apples", styles), 1);
	assert_string_equal(styles[0].name, "apples");
}

static void one_unit_for_a_table(void **state)
{
	(void)state;
	static const struct {
		double total, smallest;
		const char *unit;
	} cases[] = {
		{25921200, 120000, "MB"}, /* a hundred of the smallest still are less than the total */
		{25921200, 300000, "kB"},
		{6291456, 1048576, "MB"},
		{0, 0, "B"},
	};
	struct unit_style style;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_null(units_wanted("minimum", "bytes", cases[i].total, cases[i].smallest, &style));
		assert_string_equal(style.name, cases[i].unit);
	}
	assert_null(units_wanted("auto", "bytes", 3e9, 1, &style));
	assert_string_equal(style.name, "GB");
	assert_null(units_wanted("kilobytes", "bytes", 1, 1, &style));
	assert_string_equal(style.name, "kB");
}

static void unknown_and_foreign_units_are_errors(void **state)
{
	(void)state;
	static const struct {
		const char *wanted, *unit;
	} cases[] = {{"foo", "bytes"}, {"seconds", "bytes"}, {"MB", "count"}, {"", "bytes"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unit_style style;
		struct err *err = units_wanted(cases[i].wanted, cases[i].unit, 1, 1, &style);

		assert_non_null(err);
		assert_non_null(strstr(err_text(err), "--unit="));
		err_free(err);
	}
}

static void percentages(void **state)
{
	(void)state;
	static const struct {
		double value, total;
		const char *classic, *modern;
	} cases[] = {
		{1, 3, "33.3%", "33.33%"},      {3, 3, "100.0%", "  100%"},    {0, 3, "0.0%", "    0%"},
		{0, 0, "0.0%", "    0%"},       {1, 345, "0.3%", " 0.29%"},    {-1, 3, "-33.3%", "-33.33%"},
		{-3, 3, "-100.0%", " -100%"},   {-1, 1e6, "0.0%", "-0.0001%"}, {16, 1e8, "0.0%", "1.6e-05%"},
		{-4e-16, 10, "0.0%", "    0%"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(units_percent(text, cases[i].value, cases[i].total), cases[i].classic);
		assert_string_equal(units_percent_label(text, cases[i].value, cases[i].total), cases[i].modern);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classic_numbers_round_half_away),
		cmocka_unit_test(classic_counts_have_a_name),
		cmocka_unit_test(sums_are_held_at_63_bits),
		cmocka_unit_test(labels_are_google_pprofs),
		cmocka_unit_test(labels_of_estimates_are_whole),
		cmocka_unit_test(compute_units_are_known),
		cmocka_unit_test(whole_units_are_those_of_memory_and_time),
		cmocka_unit_test(units_of_a_family_come_from_small_to_large),
		cmocka_unit_test(one_unit_for_a_table),
		cmocka_unit_test(unknown_and_foreign_units_are_errors),
		cmocka_unit_test(percentages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

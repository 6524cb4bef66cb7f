#include "analyze/test.h"

#include "render/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SECOND = 1e9, HOUR = 3600e9, DAY = 86400e9;

/* "0B 5B 10B" */
static void expect_ticks(const struct axis *axis, const char *expected)
{
	char all[400] = "", text[UNITS_TEXT];

	for (uint32_t i = 0; i < axis_ticks(axis); i++) {
		assert_true(strlen(all) + UNITS_TEXT < sizeof all);
		strcat(strcat(all, i ? " " : ""), units_label(text, &axis->unit, axis_tick(axis, i)));
	}
	assert_string_equal(all, expected);
}

static void expect_values(double low, double high, const char *expected)
{
	struct unit_style unit = units_auto("bytes", fmax(-low, high));
	struct axis axis = axis_of_values(&unit, low, high);

	assert_true(axis.low <= low && axis.high >= high);
	expect_ticks(&axis, expected);
}

static void expect_time(double nanos, const char *expected)
{
	struct axis axis = axis_of_time(nanos);

	assert_true(axis_tick(&axis, axis_ticks(&axis) - 1) <= nanos);
	expect_ticks(&axis, expected);
}

static void rounds(void **state)
{
	(void)state;
	assert_true(axis_round(1) == 1);
	assert_true(axis_round(1.1) == 2);
	assert_true(axis_round(2) == 2);
	assert_true(axis_round(3) == 5);
	assert_true(axis_round(5.1) == 10);
	assert_true(axis_round(1000) == 1000);
	assert_true(axis_round(1001) == 2000);
	assert_true(axis_round(0.3) == 0.5);
}

static void values(void **state)
{
	(void)state;
	expect_values(0, 1, "0 1B");
	expect_values(0, 100, "0 20B 40B 60B 80B 100B");
	expect_values(0, 1.5 * 1024 * 1024, "0 0.50MB 1MB 1.50MB");
	expect_values(0, 0x1p63, "0 2000PB 4000PB 6000PB 8000PB 10000PB");
	expect_values(-0x1p63, 0x1p63, "-10000PB -5000PB 0 5000PB 10000PB");
	expect_values(-3, 10, "-5B 0 5B 10B");
	expect_values(-10, 0, "-10B -8B -6B -4B -2B 0");
	expect_values(0, 0.25, "0 1B");
}

static void times(void **state)
{
	(void)state;
	expect_time(1, "0 1ns");
	expect_time(0.4 * SECOND, "0 100ms 200ms 300ms 400ms");
	expect_time(SECOND, "0 200ms 400ms 600ms 800ms 1000ms");
	expect_time(90 * SECOND, "0 15s 30s 45s 60s 75s 90s");
	expect_time(75 * 60 * SECOND, "0 15min 30min 45min 60min 75min");
	expect_time(5 * HOUR, "0 1h 2h 3h 4h 5h");
	expect_time(DAY, "0 6h 12h 18h 24h");
	expect_time(9 * DAY, "0 2d 4d 6d 8d");
	expect_time(0x1p63, "0 20000d 40000d 60000d 80000d 100000d");
}

/* ---- snapshots ---- */

static void expect_labels(uint32_t n, const char *const *names, const char *const *expected)
{
	struct snapshot snapshots[4] = {0};
	struct series series = {.n_snapshots = n, .snapshots = snapshots};
	struct arena *arena = arena_new();

	for (uint32_t i = 0; i < n; i++)
		snapshots[i].name = names[i];
	const char **labels = axis_snapshots(&series, arena);
	for (uint32_t i = 0; i < n; i++)
		assert_string_equal(labels[i], expected[i]);
	arena_free(arena);
}

static void snapshots(void **state)
{
	static const char *const PLACES[] = {"1", "2", "3", "4"};

	(void)state;
	expect_labels(3, (const char *const[]){"d2/p.0009.heap", "d2/p.0010.heap", "d2/p.0012.heap"},
	              (const char *const[]){"0009", "0010", "0012"});
	expect_labels(2, (const char *const[]){"before", "after"}, PLACES);
	expect_labels(2, (const char *const[]){"p.1.heap", "p.1.heap"}, PLACES);
	expect_labels(3, (const char *const[]){"p.10.a", "p.10.b", "p.2"}, PLACES);
	expect_labels(2, (const char *const[]){"p.12345678901.heap", "p.2.heap"}, PLACES);
	expect_labels(2, (const char *const[]){"p.1", "p."}, PLACES);
	expect_labels(1, (const char *const[]){"alone.7"}, (const char *const[]){"7"});
	expect_labels(1, (const char *const[]){""}, PLACES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds),
		cmocka_unit_test(values),
		cmocka_unit_test(times),
		cmocka_unit_test(snapshots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

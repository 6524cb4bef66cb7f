#include "analyze/read/test_read.h"

#include <string.h>

static struct profile *read_text(const char *text)
{
	assert_false(reader_java.probe((struct span){text, text + strlen(text)}));
	return test_read_whole(&reader_contention, text, &(struct read_opts){0});
}

static const char *unit_of_delay(const struct profile *p)
{
	return profile_text(p, p->types[profile_find_type(p, "delay")].unit);
}

static void cycles_become_nanoseconds(void **state)
{
	(void)state;
	struct profile *p = read_text("--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 100\n"
	                              "ms since reset = 16502830\ndiscarded samples = 0\n"
	                              "  20000 4 @ 0x4012b5 0x40139b\n  30000 1 @ 0x40130a 0x40139b\n");

	assert_true(test_sum(p, "delay") == 2500000);
	assert_true(test_sum(p, "total_delay") == 2500000);
	assert_true(test_sum(p, "contentions") == 500);
	assert_string_equal(unit_of_delay(p), "nanoseconds");
	assert_int_equal(p->period, 100);
	assert_int_equal(p->duration_nanos, 16502830000000);
	assert_int_equal(p->locs[p->frames[0].row].addr, 0x4012b4);
	assert_int_equal(p->locs[p->frames[1].row].addr, 0x40139a);
	assert_string_equal(profile_text(p, p->sources[0].header), "contentionz 1");
	assert_string_equal(profile_text(p, p->sources[0].rule), "cycles x 100 / 2.0 GHz");
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void headers_decide_what_is_counted_without_a_clock(void **state)
{
	(void)state;
	static const struct {
		const char *header, *unit;
	} cases[] = {
		{"--- contention:", "nanoseconds"},  {"--- mutex:", "nanoseconds"}, {"--- contention", "cycles"},
		{"--- contentionz 1 ---", "cycles"}, {"---contention", "cycles"},   {"--- Stacks:", "cycles"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[200];

		strcpy(text, cases[i].header);
		strcat(text, "\nsampling period = 10\n7 2 @ 0x1\n3 @ 0x2\n");
		struct profile *p = read_text(text);
		assert_string_equal(unit_of_delay(p), cases[i].unit);
		assert_true(test_sum(p, "delay") == 100);
		assert_true(test_sum(p, "contentions") == 30);
		assert_int_equal(p->notes.n, strcmp(cases[i].unit, "cycles") == 0);
		profile_free(p);
	}
}

static void attributes_may_stand_anywhere(void **state)
{
	(void)state;
	struct profile *p = read_text("--- contention\n10 0 @ 0x1\nsampling period=5\nslow release in thread 7 @ 0x2\n"
	                              "what is this = 1\n10 2 @ 0x1\ncycles/second = 1000000000\n");

	assert_true(test_sum(p, "delay") == 100);
	assert_true(test_sum(p, "contentions") == 10);
	assert_int_equal(p->n_samples, 1);
	assert_int_equal(p->notes.n, 1);
	assert_int_equal(p->notes.notes[0].level, NOTE_DETAIL);
	profile_free(p);
}

static void maps_begin_with_a_word_or_with_a_row(void **state)
{
	(void)state;
	static const char *const words[] = {"", "MAPPED_LIBRARIES:\n", "--- Memory map: ---\n", "\n"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char text[400] = "--- contention:\n1 1 @ 0x401235\n";

		strcat(text, words[i]);
		strcat(text, "00401000-00402000 r-xp 00001000 08:01 7 /srv/app\n");
		struct profile *p = read_text(text);
		assert_int_equal(p->n_maps, 2);
		assert_int_equal(p->locs[1].offset, 0x1234);
		assert_int_equal(p->n_samples, 1);
		profile_free(p);
	}
}

static void gos_symbol_lines_are_hints(void **state)
{
	(void)state;
	struct profile *p = read_text("--- mutex:\ncycles/second=1000000000\n20000 4 @ 0x4012b5 0x40139b\n"
	                              "#\t0x4012b4\tmain.f+0x10\t/a/b.go:10\n");
	const struct location *leaf = &p->locs[p->frames[0].row];

	assert_true(leaf->is_hint);
	assert_string_equal(profile_text(p, p->funcs[p->lines[leaf->first_line].func.row].name), "main.f");
	profile_free(p);
}

static void bad_rows_cost_themselves_only(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"1 1",
		"1 1 0x10",
		"1 1 1 @ 0x10",
		"1 1 @ zz",
		"99999999999999999999 1 @ 0x10",
		"1 99999999999999999999 @ 0x10",
		"9000000000000000000 1 @ 0x10",
		"1 1 @ 0x11111111111111111",
		"1 1 @ 0x1", /* cut: no line end */
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[400] = "--- contention:\nsampling period=10\n5 5 @ 0x1\n";

		strcat(text, bad[i]);
		strcat(text, i + 1 < sizeof bad / sizeof *bad ? "\n\n" : "");
		struct profile *p = read_text(text);
		assert_true(test_sum(p, "delay") == 50);
		assert_int_equal(p->notes.n, 1);
		assert_int_equal(p->notes.notes[0].kind, NOTE_LOSS);
		assert_memory_equal(p->notes.notes[0].text, "t:4: ", 5);
		profile_free(p);
	}
}

static void bad_attributes_are_as_if_absent(void **state)
{
	(void)state;
	struct profile *p = read_text("--- contention\ncycles/second = 0\nsampling period = -5\n"
	                              "ms since reset = 9223372036854775807\n7 1 @ 0x1\n");

	assert_string_equal(unit_of_delay(p), "cycles");
	assert_true(test_sum(p, "delay") == 7);
	assert_int_equal(p->duration_nanos, 0);
	assert_int_equal(p->notes.n, 2);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_become_nanoseconds),
		cmocka_unit_test(headers_decide_what_is_counted_without_a_clock),
		cmocka_unit_test(attributes_may_stand_anywhere),
		cmocka_unit_test(maps_begin_with_a_word_or_with_a_row),
		cmocka_unit_test(gos_symbol_lines_are_hints),
		cmocka_unit_test(bad_rows_cost_themselves_only),
		cmocka_unit_test(bad_attributes_are_as_if_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

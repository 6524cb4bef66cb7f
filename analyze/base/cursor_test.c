#include "analyze/test.h"

#include "analyze/base/cursor.h"

#include <string.h>

static struct span span_of(const char *text)
{
	return (struct span){text, text + strlen(text)};
}

static void lines_lose_blanks_and_their_ends(void **state)
{
	(void)state;
	static const char text[] = "  one \r\n\ntwo";
	struct cursor cursor;
	struct span line;

	cursor_init(&cursor, "f", text, sizeof text - 1);
	assert_true(cursor_line(&cursor, &line));
	assert_int_equal(span_length(&line), 3);
	assert_memory_equal(line.at, "one", 3);
	assert_true(cursor_line(&cursor, &line));
	assert_int_equal(span_length(&line), 0);
	assert_false(cursor_line_is_cut(&cursor));
	assert_true(cursor_line(&cursor, &line));
	assert_memory_equal(line.at, "two", 3);
	assert_true(cursor_line_is_cut(&cursor));
	assert_false(cursor_line(&cursor, &line));
	assert_int_equal(cursor.line, 3);
}

static void errors_name_file_and_line(void **state)
{
	(void)state;
	struct cursor cursor;
	struct span line;

	cursor_init(&cursor, "a.heap", "x\ny\n", 4);
	cursor_line(&cursor, &line);
	cursor_line(&cursor, &line);
	struct err *err = cursor_err(&cursor, "expected %s", "z");
	assert_string_equal(err_text(err), "a.heap:2: expected z");
	err_free(err);
}

static void numbers_up_to_63_bits(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t value;
		bool overflow;
	} cases[] = {
		{"0", 0, false},
		{"9223372036854775807", INT64_MAX, false},
		{"-9223372036854775808", INT64_MIN, false},
		{"9223372036854775808", 0, true},
		{"99999999999999999999999999", 0, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct span span = span_of(cases[i].text);
		bool overflow = false;
		int64_t value;

		assert_true(span_int64(&span, &value, &overflow));
		assert_int_equal(overflow, cases[i].overflow);
		assert_ptr_equal(span.at, span.end);
		if (!overflow)
			assert_int_equal(value, cases[i].value);
	}
}

static void what_is_no_number_is_left_alone(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "-", "x1", "+1"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct span span = span_of(texts[i]);
		bool overflow = false;
		int64_t value;

		assert_false(span_int64(&span, &value, &overflow));
		assert_ptr_equal(span.at, texts[i]);
	}
}

static void hex_of_either_case_with_or_without_prefix(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t value;
	} cases[] = {
		{"0x40130A", 0x40130a}, {"40130a", 0x40130a}, {"0XfF", 0xff}, {"ffffffffffffffff", UINT64_MAX}, {"0", 0},
	};
	struct span span;
	bool overflow = false;
	uint64_t value;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		span = span_of(cases[i].text);
		assert_true(span_hex(&span, &value, &overflow));
		assert_int_equal(value, cases[i].value);
		assert_false(overflow);
	}
	span = span_of("1ffffffffffffffff");
	assert_true(span_hex(&span, &value, &overflow));
	assert_true(overflow);
	span = span_of("zz");
	assert_false(span_hex(&span, &value, &overflow));
}

static void a_word_is_a_whole_span_or_either_end(void **state)
{
	(void)state;
	struct span word = span_of("heapz_v2");

	assert_true(span_is(&word, "heapz_v2"));
	assert_false(span_is(&word, "heapz"));
	assert_true(span_starts(&word, "heapz"));
	assert_true(span_ends(&word, "_v2"));
	assert_true(span_ends(&word, "heapz_v2"));
	assert_false(span_ends(&word, "/heapz_v2"));
}

static void marks_take_the_blanks_around_them(void **state)
{
	(void)state;
	struct span line = span_of(" :\t7");

	assert_false(span_mark(&line, '@'));
	assert_true(span_mark(&line, ':'));
	assert_true(span_is(&line, "7"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_lose_blanks_and_their_ends),
		cmocka_unit_test(errors_name_file_and_line),
		cmocka_unit_test(numbers_up_to_63_bits),
		cmocka_unit_test(what_is_no_number_is_left_alone),
		cmocka_unit_test(hex_of_either_case_with_or_without_prefix),
		cmocka_unit_test(a_word_is_a_whole_span_or_either_end),
		cmocka_unit_test(marks_take_the_blanks_around_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

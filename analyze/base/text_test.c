#include "analyze/test.h"

#include "analyze/base/text.h"

#include <string.h>

static void names_are_made_harmless(void **state)
{
	(void)state;
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"plain::name<int>", "plain::name<int>"},
		{"", ""},
		{"gr\303\274n \342\202\254 \360\237\230\200", "gr\303\274n \342\202\254 \360\237\230\200"},
		{"\033[31mred", "\\x1b[31mred"},
		{"a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f"},
		{"\342\200\256evil", "\\u202eevil"},
		{"\342\201\246a\342\201\251 \330\234", "\\u2066a\\u2069 \\u061c"},
		{"no\342\200\213thing\342\200\215\342\201\240\302\255", "no\\u200bthing\\u200d\\u2060\\u00ad"},
		{"\363\240\201\201 \357\273\277", "\\ue0041 \\ufeff"},
		{"\302\205", "\\u0085"},
		{"\377\300\200", "\\xff\\xc0\\x80"},
		{"cut \342\202", "cut \\xe2\\x82"},
		{"\355\240\200", "\\xed\\xa0\\x80"},
		{"\357\277\277 \357\277\276 \360\237\277\276", "\\uffff \\ufffe \\u1fffe"},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(text_printable(cases[i].text, arena), cases[i].shown);
	arena_free(arena);
}

static void texts_are_cut_between_characters(void **state)
{
	(void)state;
	assert_int_equal(text_cut("plain", 8), 5);
	assert_int_equal(text_cut("plain", 5), 5);
	assert_int_equal(text_cut("plain", 3), 3);
	assert_int_equal(text_cut("1 \302\265s", 3), 2);
	assert_int_equal(text_cut("1 \302\265s", 4), 4);
	assert_int_equal(text_cut_bytes("1 \302\265s", 4, 3), 2);
	assert_int_equal(text_cut_bytes("1 \302\265s", 3, 3), 3);
}

static void the_middle_goes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t n_columns;
		const char *shown;
	} cases[] = {
		{"", 3, ""},
		{"std::vector", 11, "std::vector"},
		{"std::vector", 10, "std...ctor"},
		{"std::vector", 9, "std...tor"},
		{"std::vector", 3, "..."},
		{"gr\303\274n \342\202\254", 6, "gr\303\274n \342\202\254"},
		{"\346\227\245\346\234\254\350\252\236", 6, "\346\227\245\346\234\254\350\252\236"},
		{"\346\227\245\346\234\254\350\252\236", 5, "..."},
		{"\346\227\245\346\234\254\346\234\254\350\252\236", 7, "\346\227\245...\350\252\236"},
		{"e\314\201e\314\201", 2, "e\314\201e\314\201"},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(text_fit(cases[i].text, cases[i].n_columns, arena), cases[i].shown);
	arena_free(arena);
}

static void numbers_have_all_their_digits(void **state)
{
	(void)state;
	char text[TEXT_DIGITS];

	assert_string_equal(text_decimal(text, 0), "0");
	assert_string_equal(text_decimal(text, 1090), "1090");
	assert_string_equal(text_decimal(text, UINT64_MAX), "18446744073709551615");
	assert_string_equal(text_hex(text, 0), "0");
	assert_string_equal(text_hex(text, 0x10fedcba98), "10fedcba98");
	assert_string_equal(text_hex(text, UINT64_MAX), "ffffffffffffffff");
}

static void texts_have_lines(void **state)
{
	(void)state;
	static const char text[] = "one\n\ntab\there\r\nlast";
	static const char *const expected[] = {"one", "", "tab\there", "last"};
	struct arena *arena = arena_new();
	struct text_lines lines;
	size_t length;

	text_lines_find(text, sizeof text - 1, arena, &lines);
	assert_int_equal(lines.n, 4);
	for (uint32_t i = 0; i < lines.n; i++) {
		const char *line = text_line(&lines, i + 1, &length);

		assert_int_equal(length, strlen(expected[i]));
		assert_memory_equal(line, expected[i], length);
	}
	text_lines_find("one\n", 4, arena, &lines);
	assert_int_equal(lines.n, 1);
	text_lines_find("", 0, arena, &lines);
	assert_int_equal(lines.n, 0);
	arena_free(arena);
}

static void lists_have_items(void **state)
{
	(void)state;
	static const char *const lists[] = {"one:two", ":one::two:"};
	size_t n;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const char *list = lists[i], *item = text_item(&list, ':', &n);

		assert_true(text_is(item, n, "one"));
		assert_false(text_is(item, n, "on"));
		item = text_item(&list, ':', &n);
		assert_true(text_is(item, n, "two"));
		assert_null(text_item(&list, ':', &n));
		assert_null(text_item(&list, ':', &n));
	}
}

static void numbers_go_by_their_value(void **state)
{
	(void)state;
	static const char *const ascending[] = {
		"", "a", "a.1", "a.2", "a.9", "a.10", "a.010.x", "a.11", "a.99999999999999999999", "a.100000000000000000000",
		"b"};

	for (size_t i = 0; i < sizeof ascending / sizeof *ascending; i++)
		for (size_t k = 0; k < sizeof ascending / sizeof *ascending; k++) {
			int order = text_compare_naturally(ascending[i], ascending[k]);

			assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
		}
	assert_true(text_compare_naturally("a.01", "a.1") < 0 && text_compare_naturally("a.1", "a.01") > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_made_harmless),   cmocka_unit_test(texts_are_cut_between_characters),
		cmocka_unit_test(the_middle_goes),           cmocka_unit_test(numbers_have_all_their_digits),
		cmocka_unit_test(texts_have_lines),          cmocka_unit_test(lists_have_items),
		cmocka_unit_test(numbers_go_by_their_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

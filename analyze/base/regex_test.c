#include "analyze/test.h"

#include "analyze/base/regex.h"

#include <string.h>

static void patterns_are_perls(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *text;
		bool found;
	} cases[] = {
		{"urn", "burn2", true},          {"^burn(?!2)", "burn2", false}, {"^burn(?!2)", "burn", true},
		{"cpp:1\\d$", "t.cpp:18", true}, {"Burn", "burn", false},        {"\\Qa.b\\E", "axb", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct regex *regex;

		assert_null(regex_new("focus", cases[i].pattern, &regex));
		assert_int_equal(regex_match(regex, cases[i].text), cases[i].found);
		regex_free(regex);
	}
}

static void errors_name_option_and_column(void **state)
{
	(void)state;
	struct regex *regex;
	struct err *err = regex_new("focus", "ab(c", &regex);

	assert_non_null(strstr(err_text(err), "--focus=ab(c: column 5: "));
	err_free(err);
}

static void whole_patterns_match_whole_texts(void **state)
{
	(void)state;
	struct regex *regex;

	assert_null(regex_new_whole("drop_frames", "a|ab", 1, &regex));
	assert_true(regex_match(regex, "a"));
	assert_true(regex_match(regex, "ab"));
	assert_false(regex_match(regex, "ab\n"));
	assert_false(regex_match(regex, "abc"));
	assert_false(regex_match(regex, "ba"));
	regex_free(regex);
	struct err *err = regex_new_whole("drop_frames", "ab(c", 1, &regex);
	assert_int_equal(strncmp(err_text(err), "drop_frames=ab(c: column 5: ", 28), 0);
	err_free(err);
}

static void endless_matches_are_given_up(void **state)
{
	(void)state;
	struct regex *regex;

	assert_null(regex_new("focus", "^(a+)+$", &regex));
	assert_false(regex_match(regex, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
	assert_int_equal(regex_n_given_up(regex), 1);
	regex_free(regex);
}

/* Without that, a file with a million of such names takes half an hour. */
static void many_endless_matches_cost_little_each(void **state)
{
	(void)state;
	struct regex *regex;

	assert_null(regex_new("focus", "^(a+)+$", &regex));
	assert_false(regex_match(regex, "aaaaaaaaaaaab"));
	assert_int_equal(regex_n_given_up(regex), 0);
	for (unsigned i = 1; i <= 1000; i++)
		assert_false(regex_match(regex, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
	assert_int_equal(regex_n_given_up(regex), 1000);
	assert_false(regex_match(regex, "aaaaaaaaaaaab"));
	assert_int_equal(regex_n_given_up(regex), 1001);
	regex_free(regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_perls),
		cmocka_unit_test(errors_name_option_and_column),
		cmocka_unit_test(whole_patterns_match_whole_texts),
		cmocka_unit_test(endless_matches_are_given_up),
		cmocka_unit_test(many_endless_matches_cost_little_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

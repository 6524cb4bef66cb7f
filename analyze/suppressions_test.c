#include "analyze/test.h"

#include "analyze/suppressions.h"
#include "analyze/test_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- one pattern ---- */

static void a_part_is_enough(void **state)
{
	(void)state;
	assert_true(suppression_matches("cache", "my::cache::grow(int)"));
	assert_true(suppression_matches("cache", "cache"));
	assert_false(suppression_matches("cache", "Cache"));
	assert_false(suppression_matches("cache", "cach"));
	assert_false(suppression_matches("cache", ""));
}

static void stars_stand_for_any_bytes(void **state)
{
	(void)state;
	assert_true(suppression_matches("a*c", "xxabbcxx"));
	assert_true(suppression_matches("a*c", "ac"));
	assert_false(suppression_matches("a*c", "ca"));
	assert_true(suppression_matches("a**c*", "abc"));
	assert_true(suppression_matches("*", "x"));
	assert_true(suppression_matches("ab*abc", "abxabab_abc"));
	assert_false(suppression_matches("ab*ab", "ab"));
	assert_false(suppression_matches("aba*aba", "ababa"));
}

static void ends_are_anchors(void **state)
{
	(void)state;
	assert_true(suppression_matches("^main", "main_loop"));
	assert_false(suppression_matches("^main", "do_main"));
	assert_true(suppression_matches("main$", "do_main"));
	assert_false(suppression_matches("main$", "main_loop"));
	assert_true(suppression_matches("^main$", "main"));
	assert_false(suppression_matches("^main$", "mainmain"));
	assert_true(suppression_matches("^lib*.so$", "libx.so.so"));
	assert_false(suppression_matches("^lib*.so$", "libx.so.1"));
	assert_false(suppression_matches("^ab*ab$", "ab"));
	assert_true(suppression_matches("^*main", "do_main"));
	assert_true(suppression_matches("foo$", "foofoo"));
	assert_true(suppression_matches("main$ignored", "main"));
	assert_true(suppression_matches("foo*$", "foo(int)"));
	assert_true(suppression_matches("a^b", "xa^by"));
}

static void an_end_may_follow_a_star(void **state)
{
	(void)state;
	assert_true(suppression_matches("f*o$", "foo"));
	assert_true(suppression_matches("f*o$", "fo"));
	assert_true(suppression_matches("f*o$", "xfoobaro"));
	assert_false(suppression_matches("f*o$", "foob"));
	assert_false(suppression_matches("f*o$", "oo"));
	assert_false(suppression_matches("f*o$", "of"));
	assert_true(suppression_matches("^f*o$", "f::o"));
	assert_false(suppression_matches("^f*o$", "xfo"));
}

/* ---- a file ---- */

static struct err *read_text(const char *text, struct arena *arena, struct suppressions *ret)
{
	char path[] = "/tmp/suppressions_test_XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	struct err *err = suppressions_read(path, arena, ret);
	unlink(path);
	return err;
}

static void reads_as_leak_sanitizer_does(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct suppressions found;

	assert_null(read_text("# known\n\n  leak:one \r\n\t\nleak:two*three$\n #leak:no\nleak:no newline", arena, &found));
	assert_int_equal(found.n, 3);
	assert_string_equal(found.items[0].pattern, "one");
	assert_string_equal(found.items[1].pattern, "two*three$");
	assert_string_equal(found.items[2].pattern, "no newline");
	arena_free(arena);
}

static void other_lines_are_errors(void **state)
{
	(void)state;
	static const char *const bad[] = {"race:x", "leak", "leak:", "leak:  ", "leak :x", "Leak:x", "x"};
	struct arena *arena = arena_new();
	struct suppressions found;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err *err = read_text(arena_printf(arena, "leak:good\n%s\n", bad[i]), arena, &found);

		assert_non_null(err);
		assert_non_null(strstr(err_text(err), ":2: expected leak:PATTERN"));
		err_free(err);
	}
	arena_free(arena);
}

/* ---- a profile ---- */

static struct suppressions list_of(struct suppression *items, uint32_t n)
{
	return (struct suppressions){"file", items, n};
}

static void any_frame_leaves_a_stack_out(void **state)
{
	(void)state;
	struct suppression items[] = {{"^leaf$"}, {"root"}, {"nothing"}};
	struct suppressions list = list_of(items, 3);
	struct build *build = build_new();
	stack_id kept = test_stack_of(build, "a b>c"), leaf = test_stack_of(build, "leaf b"),
			 inlined = test_stack_of(build, "a x>the_root>y z"), none = test_stack_of(build, "leaf2 b");
	struct suppressed found = suppressions_find(&list, build_profile(build));

	assert_false(found.of_stack[kept.row]);
	assert_true(found.of_stack[leaf.row]);
	assert_true(found.of_stack[inlined.row]);
	assert_false(found.of_stack[none.row]);
	assert_true(found.is_used[0] && found.is_used[1] && !found.is_used[2]);
	assert_int_equal(found.n_used, 2);
	suppressed_free(&found);
	build_free(build);
}

/* Short patterns, equal ones, and ones that share all their bytes with others are found too. */
static void many_patterns_match_as_each_alone_does(void **state)
{
	(void)state;
	static const char *const names[] = {"ab",  "abc", "abcd", "xabcx", "aaaaaa", "std::vector::grow(int)",
	                                    "b$c", "a",   "zzz",  "bcd",   "aXbXc",  "grow"};
	static const char *const patterns[] = {"a",           "ab*", "*",   "^abc$", "abc", "abc",   "aaa",     "aaaa",
	                                       "vector*grow", "^b",  "cd$", "b$",    "X*X", "growl", "bcd*bcd", "^*zz"};
	enum { N = sizeof patterns / sizeof *patterns };
	struct suppression items[N];
	struct build *build = build_new();

	for (uint32_t i = 0; i < N; i++)
		items[i] = (struct suppression){patterns[i]};
	for (uint32_t i = 0; i < N; i++) {
		struct suppressions list = list_of(items + i, N - i);
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			stack_id stack = test_stack_of(build, names[k]);
			struct suppressed found = suppressions_find(&list, build_profile(build));
			bool expected = false;

			for (uint32_t j = i; j < N; j++)
				expected |= suppression_matches(patterns[j], names[k]);
			assert_int_equal(found.of_stack[stack.row], expected);
			suppressed_free(&found);
		}
	}
	build_free(build);
}

/* Ten thousand patterns of forty pieces, of which each name has all but the last. */
static void what_takes_too_long_is_counted(void **state)
{
	(void)state;
	enum { N = 10000, N_NAMES = 200 };
	static struct suppression items[N];
	const char *pattern = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
	struct build *build = build_new();

	for (uint32_t i = 0; i < N; i++)
		items[i].pattern = pattern;
	for (uint32_t i = 0; i < N_NAMES; i++) {
		char name[100];

		snprintf(name, sizeof name, "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%u", i);
		test_stack_of(build, name);
	}
	struct suppressions list = list_of(items, N);
	struct suppressed found = suppressions_find(&list, build_profile(build));
	assert_int_equal(found.n_used, 0);
	assert_in_range(found.n_given_up, 1, N_NAMES - 1);
	suppressed_free(&found);
	list = list_of(items, 1);
	found = suppressions_find(&list, build_profile(build));
	assert_int_equal(found.n_given_up, 0);
	suppressed_free(&found);
	build_free(build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_part_is_enough),
		cmocka_unit_test(stars_stand_for_any_bytes),
		cmocka_unit_test(ends_are_anchors),
		cmocka_unit_test(an_end_may_follow_a_star),
		cmocka_unit_test(reads_as_leak_sanitizer_does),
		cmocka_unit_test(other_lines_are_errors),
		cmocka_unit_test(any_frame_leaves_a_stack_out),
		cmocka_unit_test(many_patterns_match_as_each_alone_does),
		cmocka_unit_test(what_takes_too_long_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

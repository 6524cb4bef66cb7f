#include "analyze/test.h"

#include "cmd/shell_line.h"

#include <string.h>

/* "name" "word" 'quoted' > "output", or "name" = "value". */
static const char *show(const char *text, struct arena *arena)
{
	struct shell_line line;
	struct err *err = shell_line_parse(text, arena, &line);

	if (err) {
		const char *shown = arena_printf(arena, "error: %s", err_text(err));

		err_free(err);
		return shown;
	}
	if (line.is_setting)
		return arena_printf(arena, "%s=%s", line.name, line.value);
	const char *shown = line.name;
	for (uint32_t i = 0; i < line.n_words; i++)
		shown = arena_printf(arena, line.words[i].is_quoted ? "%s|'%s'" : "%s|%s", shown, line.words[i].text);
	return line.output ? arena_printf(arena, "%s > %s", shown, line.output) : shown;
}

static void check(const char *text, const char *expected)
{
	struct arena *arena = arena_new();

	assert_string_equal(show(text, arena), expected);
	arena_free(arena);
}

static void test_commands(void **state)
{
	(void)state;
	check("", "");
	check(" \t\r\n", "");
	check("top", "top");
	check("  top10 \n", "top10");
	check("top 10 -cum focus\t-ignore\r\n", "top|10|-cum|focus|-ignore");
	check(":", ":");
	check("top //: the most", "top");
	check("top a//:b", "top|a//:b");
	check("//: nothing", "");
}

static void test_quotes(void **state)
{
	(void)state;
	check("list \"operator new\" 'a b'", "list|'operator new'|'a b'");
	check("top '-x' '' \"10\"", "top|'-x'|''|'10'");
	check("peek a\"b 'c'd e'", "peek|a\"b|'c'd e'");
	check("peek \"a", "error: expected \" at the end of \"a");
	check("peek 'a\"", "error: expected ' at the end of 'a\"");
}

static void test_output(void **state)
{
	(void)state;
	check("dot > out.dot", "dot > out.dot");
	check("dot >out.dot 3", "dot|3 > out.dot");
	check("dot > 'a b'", "dot > a b");
	check("peek '>' a->b", "peek|'>'|a->b");
	check("dot >", "error: expected the name of a file after >");
	check("dot > ''", "error: expected the name of a file after >");
	check("dot >> x", "error: >>: expected > and the name of a file, which is replaced");
	check("dot > | x", "error: >|: expected > and the name of a file, which is replaced");
}

static void test_settings(void **state)
{
	(void)state;
	check("focus=main", "focus=main");
	check("  focus = a b | c  ", "focus=a b | c");
	check("focus=", "focus=");
	check("focus=x=y", "focus=x=y");
	check("focus='a'", "focus='a'");
	check("drop-negative=1 //: comment", "drop-negative=1");
	check("focus=http://:80 //: comment", "focus=http://:80");
	check("focus=//:", "focus=");
	check("top a=b", "top|a=b");
	check("=x", "=x");
	check("a.b=c", "a.b=c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "analyze/read/test_read.h"

#include <stdlib.h>
#include <string.h>

#define ROW "heap profile: 1: 4096 [1: 4096] @ heapprofile\n1: 4096 [1: 4096] @ 0x1000 0x2001\n"

static struct err *read_text(const char *text, struct build **ret)
{
	return test_read(&reader_symbolized, text, &(struct read_opts){0}, ret);
}

static struct profile *read_whole(const char *text)
{
	return test_read_whole(&reader_symbolized, text, &(struct read_opts){0});
}

/* The names of a location, innermost first, with blanks between them. */
static void assert_names(const struct profile *p, uint32_t loc, const char *names)
{
	char text[256] = "";

	for (uint32_t i = 0; i < p->locs[loc].n_lines; i++) {
		strcat(text, i ? " " : "");
		strcat(text, profile_text(p, p->funcs[p->lines[p->locs[loc].first_line + i].func.row].name));
	}
	assert_string_equal(text, names);
}

static void two(const char *table, const char *leaf, const char *caller)
{
	char text[1024];

	strcpy(text, table);
	strcat(text, ROW);
	struct profile *p = read_whole(text);
	assert_names(p, 1, leaf);
	assert_names(p, 2, caller);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void tables_of_every_shape(void **state)
{
	(void)state;
	two("--- symbol\n0x0000000000001000 f(int)<0000000000000fff>\n0x2000 main<00002000>\n---\n", "f", "main");
	two("--- symbol\r\nother = 1\r\n0X1000\tf\r\n2001 main \r\n---\r\n--- heap\r\n", "f", "main");
	two("--- symbol\n1000 outer(int)--middle--inner(int)<0000000000001000>\n2000 a--\n", "inner middle outer", "a");
	two("--- symbol\nfff t::operator--(int)--g::operator--\n2000 my_operator--x\n\n---\n--- growth\n",
	    "g::operator-- t::operator--", "x my_operator");
	two("--- symbol\n1000 first\n1000 second\n2000 0x0000000000002000\n---\n", "first", "");
	two("--- symbol\n1000 a name with = blanks\n2000 ??\n---\n\n", "a name with = blanks", "");
	two("--- symbol\n1000 ------\n2000 <00002000>\n---\n---\n", "", "<00002000>");
}

static void names_with_parameters_are_kept_whole_too(void **state)
{
	(void)state;
	struct profile *p = read_whole("--- symbol\n0x1000 int f<int>(int)\n---\n" ROW);
	const struct function *func = &p->funcs[p->lines[p->locs[1].first_line].func.row];

	assert_true(p->locs[1].is_hint);
	assert_string_equal(profile_text(p, func->name), "f");
	assert_string_equal(profile_text(p, func->full_name), "int f<int>(int)");
	profile_free(p);
}

static void bad_lines_cost_themselves_only(void **state)
{
	(void)state;
	struct profile *p = read_whole("--- symbol\nbinary=/srv/app\n0x1000 f\nwhat\n0x11111111111111111 g\n"
	                               "0x2000 main\n---\n" ROW);

	assert_names(p, 1, "f");
	assert_names(p, 2, "main");
	assert_int_equal(p->notes.n, 2);
	assert_string_equal(p->notes.notes[0].text, "t:2: the names are those of /srv/app");
	assert_int_equal(p->notes.notes[0].level, NOTE_DETAIL);
	assert_string_equal(p->notes.notes[1].text, "t:4: expected \"0xADDRESS NAME\"; 2 lines like this are skipped");
	profile_free(p);
}

static void refused(const char *text, const char *message)
{
	struct build *build;
	struct err *err = read_text(text, &build);

	assert_non_null(err);
	assert_string_equal(err_text(err), message);
	err_free(err);
	build_free(build);
}

static void bodies_that_cannot_be_read(void **state)
{
	(void)state;
	static const char marker[] = "--- symbol\n---\n";
	static char nested[100000];

	refused("--- symbol", "t:1: expected a profile behind the symbols, found the end of the file");
	refused("--- symbol\n0x1 f\n---\n--- heap\n",
	        "t:4: expected a profile behind the symbols, found the end of the file");
	refused("--- symbol\n---\n--- profile\nword", "t:4: expected a profile behind the symbols, found \"word\"");
	for (size_t i = 0; i + sizeof marker < sizeof nested; i += sizeof marker - 1)
		strcpy(nested + i, marker);
	struct build *build;
	struct err *err = read_text(nested, &build);
	assert_non_null(err);
	err_free(err);
	build_free(build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_of_every_shape),
		cmocka_unit_test(names_with_parameters_are_kept_whole_too),
		cmocka_unit_test(bad_lines_cost_themselves_only),
		cmocka_unit_test(bodies_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

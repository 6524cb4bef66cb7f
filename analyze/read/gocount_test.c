#include "analyze/read/test_read.h"

#include <string.h>

static struct profile *read_text(const char *text)
{
	return test_read_whole(&reader_gocount, text, &(struct read_opts){0});
}

/* The labels of the only sample, as "key=value;". */
static const char *labels_of(const char *line, char *text)
{
	char input[600] = "goroutine profile: total 1\n1 @ 0x2\n";

	strcat(input, line);
	strcat(input, "\n");
	struct profile *p = read_text(input);
	const struct label_set *set = &p->label_sets[p->sample_labels[0].row];

	*text = '\0';
	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		strcat(strcat(text, profile_text(p, p->labels[i].key)), "=");
		strcat(strcat(text, profile_text(p, p->labels[i].text)), ";");
	}
	if (p->notes.n)
		strcpy(text, "bad");
	profile_free(p);
	return text;
}

static void counts_and_return_addresses(void **state)
{
	(void)state;
	struct profile *p = read_text("\n# comment\ngoroutine profile: total 6\n4 @ 0x4012b5 0x40139b\n"
	                              "#\t0x4012b4\tmain.f+0x10\t/a/b.go:10\n\n2 @ 0x40130a 0x40139b\n");

	assert_int_equal(p->n_samples, 2);
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 4);
	assert_string_equal(profile_text(p, p->types[0].type), "goroutine");
	assert_string_equal(profile_text(p, p->types[0].unit), "count");
	assert_int_equal(p->locs[p->frames[0].row].addr, 0x4012b4);
	assert_true(p->locs[p->frames[0].row].is_hint);
	assert_int_equal(p->locs[p->frames[1].row].addr, 0x40139a);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void labels_tell_samples_apart(void **state)
{
	(void)state;
	struct profile *p =
		read_text("goroutine profile: total 7\n4 @ 0x2\n# labels: {\"a\":\"b\"}\n#\t0x1\tf+0x1\tf.go:1\n"
	              "2 @ 0x2\n1 @ 0x2\n# labels: {\"a\":\"b\"}\n");

	assert_int_equal(p->n_samples, 2);
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 5);
	assert_true(profile_value(p, 1, SET_MAIN, 0) == 2);
	assert_int_equal(p->sample_labels[1].row, 0);
	assert_int_equal(p->sources[0].n_rows, 3);
	profile_free(p);
}

static void labels_are_quoted(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"# labels: {\"a\":\"b\", \"c d\":\"\"}", "a=b;c d=;"},
		{"#labels:{ \"a\" : \"b\" ,\"c\":\"d\" }", "a=b;c=d;"},
		{"# labels: {}", ""},
		{"# labels: {\"a\":\"\\\"\\\\\\/\\t\\u00e9\\x41\\U0001f600\\ud83d\\ude00\"}",
	     "a=\"\\/\t\u00e9A\U0001f600\U0001f600;"},
		{"# labels: {\"a\":\"\\u0000\\ud83dx\\ude00\\Uffffffff\\x00\"}", "a=\ufffd\ufffdx\ufffd\ufffd\ufffd;"},
		{"# labels: {\"\\u0041\":\"\\u007a\\n\"}", "A=z\n;"},
		{"# labels: {\"a\":\"b\"", "bad"},
		{"# labels: {\"a\":\"b\"} x", "bad"},
		{"# labels: {\"a\":\"b\",}", "bad"},
		{"# labels: {\"a\":7}", "bad"},
		{"# labels: {\"a\"}", "bad"},
		{"# labels: {\"a\":\"\\u12\"}", "bad"},
		{"# labels: {\"a\":\"\\q\"}", "bad"},
		{"# labels: {\"a\":\"\\x0x1\"}", "bad"},
		{"# labels: {\"a\":\"b", "bad"},
		{"# labels: {\"a\":\"\\", "bad"},
		{"# labels:", "bad"},
		{"# labels: map[a:b]", "bad"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[400];

		assert_string_equal(labels_of(cases[i][0], text), cases[i][1]);
	}
}

static void what_is_a_count(void **state)
{
	(void)state;
	static const char *const others[] = {
		"goroutine profile: total",
		"goroutine profile: total x",
		" profile: total 5",
		"goroutine 1 [running]:",
		"heap profile: 1: 1 [1: 1] @ heap/1048576",
		"",
		"# goroutine profile: total 5",
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(reader_gocount.probe((struct span){others[i], others[i] + strlen(others[i])}));
	struct profile *p = read_text("open files profile: total 99999999999999999999\n1 @ 0x1\n---\n5 @ 0x1\n");
	assert_string_equal(profile_text(p, p->types[0].type), "open files");
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 1);
	profile_free(p);
}

static void bad_rows_cost_themselves_only(void **state)
{
	(void)state;
	static const char *const bad[] = {"1", "1 0x10", "1 @ zz", "99999999999999999999 @ 0x10", "word", "1 1 @ 0x10"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[400] = "x profile: total 4\n3 @ 0x1\n";

		strcat(text, bad[i]);
		strcat(text, "\n\n");
		struct profile *p = read_text(text);
		assert_true(profile_value(p, 0, SET_MAIN, 0) == 3);
		assert_int_equal(p->notes.n, 1);
		assert_memory_equal(p->notes.notes[0].text, "t:3: ", 5);
		assert_non_null(strstr(p->notes.notes[0].text, "25.0%"));
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_return_addresses),
		cmocka_unit_test(labels_tell_samples_apart),
		cmocka_unit_test(labels_are_quoted),
		cmocka_unit_test(what_is_a_count),
		cmocka_unit_test(bad_rows_cost_themselves_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

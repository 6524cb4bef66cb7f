#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/tag_filter.h"
#include "analyze/tag_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By sample, a letter each: a tenant=blue; b tenant=green tenant=blue shard=5; c shard=15 worker=5; d size=3megabytes
 * deadline=250ms; e none. Blocks are of 1 kB, but for e, whose are of 64 kB. */
static const char letters[] = "abcde";

static struct label text_label(struct build *build, const char *key, const char *text)
{
	return (struct label){.key = build_cstr(build, key), .text = build_cstr(build, text)};
}

static struct label number_label(struct build *build, const char *key, int64_t number, const char *unit)
{
	return (struct label){.key = build_cstr(build, key), .number = number, .unit = build_cstr(build, unit)};
}

static void add(struct build *build, double space, const struct label *labels, uint32_t n)
{
	loc_id loc = build_loc(build, 0x1000);

	build_sample(build, build_stack(build, &loc, 1), build_labels(build, labels, n), (double[]){1, space});
}

static struct profile *make(void)
{
	struct build *b = build_new();

	build_source(b, "test", "test");
	build_type(b, "inuse_objects", "count");
	build_type(b, "inuse_space", "bytes");
	add(b, 1024, (struct label[]){text_label(b, "tenant", "blue")}, 1);
	add(b, 1024,
	    (struct label[]){text_label(b, "tenant", "green"), text_label(b, "tenant", "blue"),
	                     text_label(b, "shard", "5")},
	    3);
	add(b, 1024, (struct label[]){text_label(b, "shard", "15"), number_label(b, "worker", 5, "")}, 2);
	add(b, 1024, (struct label[]){number_label(b, "size", 3, "megabytes"), number_label(b, "deadline", 250, "ms")}, 2);
	add(b, 65536, NULL, 0);
	return build_finish(b);
}

static void expect_found(const char *focus, const char *ignore, const char *expected)
{
	struct profile *p = make();
	struct diag notes = {0};
	char found[sizeof letters] = "";
	bool *passes;

	assert_null(tag_filter_find(p, &(struct tag_opts){.focus = focus, .ignore = ignore}, &notes, &passes));
	for (uint32_t i = 0; i < p->n_samples; i++)
		if (passes[i])
			strncat(found, letters + i, 1);
	assert_string_equal(found, expected);
	free(passes);
	diag_clear(&notes);
	profile_free(p);
}

static void patterns_of_texts(void **state)
{
	(void)state;
	expect_found("tenant=blue", NULL, "ab");
	expect_found("tenant=^b,een", NULL, "ab");
	expect_found("tenant=een", NULL, "b");
	expect_found("tenan=blue", NULL, "");
	/* Without a key each pattern must match some label. */
	expect_found("blue", NULL, "ab");
	expect_found("blue,^shard:", NULL, "b");
	expect_found("blue,size", NULL, "");
	expect_found("shard:1?5", NULL, "bc");
	/* Numbers have no text to match. */
	expect_found("worker", NULL, "");
	expect_found("bytes", NULL, "");
}

static void ranges_of_numbers(void **state)
{
	(void)state;
	expect_found("size=3mb", NULL, "d");
	expect_found("size=2048kb:", NULL, "d");
	expect_found("100ms:1s", NULL, "d");
	expect_found("1mb:", NULL, "d");
	/* Blocks are numbers of the key "bytes". */
	expect_found(":1kb", NULL, "abcd");
	expect_found("bytes=2kb:", NULL, "e");
	expect_found("bytes=65536", NULL, "e");
	expect_found("byte=65536", NULL, "");
	expect_found("size=64kb", NULL, "");
}

static void numbers_that_are_texts(void **state)
{
	(void)state;
	expect_found("shard=5", NULL, "b");
	expect_found("shard=15", NULL, "c");
	expect_found("worker=5", NULL, "c");
	expect_found("5", NULL, "bc");
	expect_found("shard=4:6", NULL, "");
}

static void focus_and_ignore(void **state)
{
	(void)state;
	expect_found(NULL, "tenant", "cde");
	expect_found("blue", "tenant=green", "a");
	expect_found(NULL, "bytes=64kb", "abcd");
	expect_found("5", "5", "");
}

static void tells_what_matches_nothing(void **state)
{
	(void)state;
	struct profile *p = make();
	struct diag notes = {0};
	bool *passes;

	assert_null(tag_filter_find(p, &(struct tag_opts){.focus = "blue", .ignore = "x=y"}, &notes, &passes));
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes.notes[0].text, "--tagignore=x=y: no sample has such a label");
	free(passes);
	assert_null(tag_filter_find(p, &(struct tag_opts){0}, &notes, &passes));
	assert_null(passes);
	struct err *err = tag_filter_find(p, &(struct tag_opts){.focus = "a", .ignore = "k=a,b("}, &notes, &passes);
	assert_string_equal(err_text(err), "--tagignore=b(: column 3: missing closing parenthesis");
	err_free(err);
	diag_clear(&notes);
	profile_free(p);
}

static void says_what_is_a_range(void **state)
{
	(void)state;
	assert_string_equal(tag_filter_range("bytes=1kb:"), "1kb:");
	assert_string_equal(tag_filter_range("5"), "5");
	assert_null(tag_filter_range("5="));
	assert_null(tag_filter_range("5=x"));
	assert_null(tag_filter_range(""));
}

/* A long key before very many values costs no more than a limit. */
static void long_keys(void **state)
{
	(void)state;
	enum { KEY = 60000, VALUES = 20000 };
	struct build *build = build_new();
	char *key = mem_alloc(KEY, 1);
	struct diag notes = {0};
	bool *passes;

	memset(key, 'k', KEY);
	build_source(build, "test", "test");
	build_type(build, "samples", "count");
	for (int i = 0; i < VALUES; i++) {
		char value[16];
		struct label label = {.key = build_str(build, key, KEY)};

		label.text = build_str(build, value, (size_t)snprintf(value, sizeof value, "v%d", i));
		build_sample(build, (stack_id){0}, build_labels(build, &label, 1), (double[]){1});
	}
	struct profile *p = build_finish(build);
	assert_null(tag_filter_find(p, &(struct tag_opts){.focus = "v1$"}, &notes, &passes));
	assert_true(passes[1]);
	assert_false(passes[0]);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.notes[0].kind, NOTE_LOSS);
	free(passes);
	/* The key alone is looked at once. */
	diag_clear(&notes);
	struct tag_keys *keys = NULL;
	assert_null(tag_keys_new(p, &(struct tag_opts){.show = "^k"}, &notes, &keys));
	assert_int_equal(notes.n, 0);
	tag_keys_free(keys);
	profile_free(p);
	free(key);
}

static void expect_keys(const char *show, const char *hide, uint32_t sample, const char *expected)
{
	struct profile *p = make();
	struct label_list list = {0};
	struct diag notes = {0};
	struct tag_keys *keys;
	char found[80] = "";

	assert_null(tag_keys_new(p, &(struct tag_opts){.show = show, .hide = hide}, &notes, &keys));
	labels_of_sample(p, sample, &list);
	tag_keys_keep(keys, &list);
	for (uint32_t i = 0; i < list.n; i++)
		strcat(strcat(found, " "), list.items[i].key);
	assert_string_equal(found, expected);
	tag_keys_free(keys);
	free(list.items);
	diag_clear(&notes);
	profile_free(p);
}

static void keys_that_are_shown(void **state)
{
	(void)state;
	expect_keys(NULL, NULL, 1, " tenant tenant shard bytes");
	expect_keys("a", NULL, 1, " tenant tenant shard");
	expect_keys("a", "nt$", 1, " shard");
	expect_keys(NULL, "bytes", 1, " tenant tenant shard");
	expect_keys("bytes", NULL, 4, " bytes");
	expect_keys("x", NULL, 4, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_of_texts),
		cmocka_unit_test(ranges_of_numbers),
		cmocka_unit_test(numbers_that_are_texts),
		cmocka_unit_test(focus_and_ignore),
		cmocka_unit_test(tells_what_matches_nothing),
		cmocka_unit_test(says_what_is_a_range),
		cmocka_unit_test(long_keys),
		cmocka_unit_test(keys_that_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "analyze/read/test_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct profile *read_thread(const char *text, const char *thread)
{
	return test_read_whole(&reader_jeheap, text, &(struct read_opts){.thread = thread});
}

static const char two_threads[] = "heap_v2/1\n"
								  "  t*: 5: 500 [9: 900]\n"
								  "  t0: 3: 300 [5: 500] main\n"
								  "  t1: 2: 200 [4: 400] a name\n"
								  "@ 0x11 0x21\n"
								  "  t*: 4: 400 [8: 800]\n"
								  "  t0: 3: 300 [5: 500]\n"
								  "  t1: 1: 100 [3: 300]\n"
								  "@ 0x31\n"
								  "  t*: 1: 100 [1: 100]\n"
								  "  t1: 1: 100 [1: 100]\n"
								  "\nMAPPED_LIBRARIES:\n"
								  "00000000-00001000 r-xp 00000000 08:01 7   /srv/app\n";

static void all_threads_together(void **state)
{
	(void)state;
	struct profile *p = read_thread(two_threads, NULL);

	assert_int_equal(p->n_types, 4);
	assert_string_equal(profile_text(p, p->types[p->default_type].type), "inuse_space");
	assert_int_equal(p->n_samples, 2);
	assert_int_equal(p->sources[0].n_rows, 2);
	assert_true(test_sum(p, "inuse_space") == 500 && test_sum(p, "inuse_objects") == 5);
	assert_true(test_sum(p, "alloc_space") == 900 && test_sum(p, "alloc_objects") == 9);
	assert_int_equal(p->sample_labels[0].row, 0);
	assert_int_equal(p->notes.n, 0);
	/* A frame is one less than its return address, the leaf too. */
	assert_int_equal(p->locs[p->frames[0].row].addr, 0x10);
	assert_int_equal(p->locs[p->frames[1].row].addr, 0x20);
	assert_string_equal(profile_text(p, p->sources[0].header), "heap_v2/1");
	assert_string_equal(profile_text(p, p->sources[0].rule), "exact");
	assert_int_equal(p->n_maps, 2);
	profile_free(p);
}

static const struct label *label_of(const struct profile *p, uint32_t sample)
{
	const struct label_set *set = &p->label_sets[p->sample_labels[sample].row];

	assert_int_equal(set->n, 1);
	return &p->labels[set->first];
}

static void one_thread(void **state)
{
	(void)state;
	struct profile *p = read_thread(two_threads, "1");

	assert_int_equal(p->n_samples, 2);
	assert_true(test_sum(p, "inuse_space") == 200 && test_sum(p, "alloc_space") == 400);
	assert_string_equal(profile_text(p, label_of(p, 0)->key), "thread");
	assert_string_equal(profile_text(p, label_of(p, 0)->text), "1");
	profile_free(p);
}

static void each_thread_apart(void **state)
{
	(void)state;
	struct profile *p = read_thread(two_threads, "*");

	assert_int_equal(p->n_samples, 3);
	assert_true(test_sum(p, "inuse_space") == 500);
	assert_string_equal(profile_text(p, label_of(p, 0)->text), "0");
	assert_string_equal(profile_text(p, label_of(p, 1)->text), "1");
	profile_free(p);
}

static void threads_that_are_not_there(void **state)
{
	(void)state;
	struct build *build;
	struct err *err = test_read(&reader_jeheap, two_threads, &(struct read_opts){.thread = "7"}, &build);

	assert_string_equal(err_text(err), "t: --thread=7: expected one of the profile's threads: 0, 1");
	err_free(err);
	build_free(build);
	static const char none[] = "heap_v2/1\n@ 0x1\n  t*: 1: 1 [0: 0]\n";
	err = test_read(&reader_jeheap, none, &(struct read_opts){.thread = "7"}, &build);
	assert_string_equal(err_text(err), "t: --thread: expected a jemalloc heap profile that has threads");
	err_free(err);
	build_free(build);
}

static void only_so_many_threads_are_told(void **state)
{
	(void)state;
	char text[1000] = "heap_v2/1\n  t*: 12: 12 [0: 0]\n";
	struct build *build;

	for (int i = 0; i < 12; i++)
		sprintf(text + strlen(text), "  t%d: 1: 1 [0: 0]\n", i);
	struct err *err = test_read(&reader_jeheap, text, &(struct read_opts){.thread = "99"}, &build);
	assert_non_null(strstr(err_text(err), "threads: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and others"));
	err_free(err);
	build_free(build);
}

static void sampled_rows_are_scaled(void **state)
{
	(void)state;
	struct profile *p = read_thread("heap_v2/524288\n"
	                                "@ 0x1\n  t*: 3: 300 [0: 0]\n"
	                                "@ 0x2\n  t*: 1: 400000 [2: 600]\n"
	                                "@ 0x3\n  t*: 1: 58000 [0: 0]\n",
	                                NULL);

	assert_int_equal(llround(test_sum(p, "inuse_space")), 1573014 + 749476 + 553823);
	assert_int_equal(llround(test_sum(p, "inuse_objects")), 15730 + 2 + 10);
	assert_int_equal(llround(test_sum(p, "alloc_space")), 1048876);
	assert_int_equal(p->period, 524288);
	profile_free(p);
}

/* What version 5.3 wrote for five stacks of four threads that allocated blocks of random sizes. */
static void rounding_is_no_difference(void **state)
{
	(void)state;
	struct profile *p = read_thread("heap_v2/524288\n"
	                                "  t*: 800: 3547474 [800: 3547474]\n"
	                                "  t1: 92: 135755 [92: 135755]\n"
	                                "@ 0x1 0x10\n"
	                                "  t*: 157: 850931 [157: 850931]\n"
	                                "  t1: 14: 33121 [14: 33121]\n"
	                                "  t2: 68: 574524 [68: 574524]\n"
	                                "  t3: 46: 253612 [46: 253612]\n"
	                                "  t4: 29: 125099 [29: 125099]\n",
	                                NULL);

	/* The rows are not all there, which is noted; that the threads do not add up is not. */
	assert_int_equal(p->notes.n, 1);
	assert_non_null(strstr(p->notes.notes[0].text, "the rows end here"));
	profile_free(p);
}

static void threads_must_add_up(void **state)
{
	(void)state;
	struct profile *p = read_thread("heap_v2/1\n@ 0x1\n  t*: 4: 400 [4: 400]\n  t0: 1: 100 [1: 100]\n", NULL);

	assert_int_equal(p->notes.n, 1);
	assert_non_null(strstr(p->notes.notes[0].text, "do not add up"));
	assert_true(test_sum(p, "inuse_space") == 400);
	profile_free(p);
}

static void bad_rows_cost_themselves_only(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"@ 0x1 zz\n  t*: 1: 25 [0: 0]\n",
		"@ 0x11111111111111111\n  t*: 1: 25 [0: 0]\n  t0: 1: 25 [0: 0]\n",
		"@ 0x2\n  t*: 1: 25\n",
		"@ 0x2\n  t*: 1: 99999999999999999999 [0: 0]\n",
		"@ 0x2\n  t*x\n",
		"@ 0x2\n  t111111111111111111111111111: 1: 25 [0: 0]\n",
		"@ 0x2\n  t*: 1: 25 [0: 0]",
		"@ 0x2",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[400];

		snprintf(text, sizeof text, "heap_v2/1\n  t*: 2: 100 [0: 0]\n@ 0x1\n  t*: 1: 75 [0: 0]\n%s", bad[i]);
		struct profile *p = read_thread(text, NULL);
		assert_true(test_sum(p, "inuse_space") == 75);
		assert_int_equal(p->notes.n, 1);
		assert_int_equal(p->notes.notes[0].kind, NOTE_LOSS);
		assert_non_null(strstr(p->notes.notes[0].text, "25.0%"));
		profile_free(p);
	}
}

static void headers_that_cannot_be_read(void **state)
{
	(void)state;
	static const char *const headers[] = {
		"heap_v2", "heap_v2/", "heap_v2/many", "heap_v2/-1", "heap_v2/99999999999999999999", "heap_v3/524288",
	};

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		struct build *build;
		struct err *err = test_read(&reader_jeheap, headers[i], &(struct read_opts){0}, &build);

		assert_memory_equal(err_text(err), "t:1: expected \"heap_v2/N\"", 25);
		err_free(err);
		build_free(build);
	}
}

static void any_cut_is_survived(void **state)
{
	(void)state;

	for (size_t length = strlen("heap_v"); length < sizeof two_threads; length++) {
		struct build *build;
		char *copy = mem_strndup(two_threads, length);

		err_free(test_read(&reader_jeheap, copy, &(struct read_opts){0}, &build));
		build_free(build);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_threads_together),
		cmocka_unit_test(one_thread),
		cmocka_unit_test(each_thread_apart),
		cmocka_unit_test(threads_that_are_not_there),
		cmocka_unit_test(only_so_many_threads_are_told),
		cmocka_unit_test(sampled_rows_are_scaled),
		cmocka_unit_test(rounding_is_no_difference),
		cmocka_unit_test(threads_must_add_up),
		cmocka_unit_test(bad_rows_cost_themselves_only),
		cmocka_unit_test(headers_that_cannot_be_read),
		cmocka_unit_test(any_cut_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

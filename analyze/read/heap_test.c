#include "analyze/read/test_read.h"
#include "analyze/read/unbias.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct profile *read_whole(const char *text)
{
	return test_read_whole(&reader_heap, text, &(struct read_opts){0});
}

static void rows_of_every_shape(void **state)
{
	(void)state;
	struct profile *p = read_whole("heap profile:  4: 400 [ 5: 500] @ heapprofile\n"
	                               "  1:  100 [  2:  200] @ 0x11 0x21\n"
	                               "1:100[2:200]@11 21\n"
	                               "\t 1 : 100 [ 1 : 100 ] @ 0X11 0x0000000000000021\r\n"
	                               "0: 100 [0: 0] @\n"
	                               "# a comment\n\n");

	assert_int_equal(p->n_samples, 2); /* three rows have the same stack */
	assert_int_equal(p->sources[0].n_rows, 4);
	assert_int_equal(p->notes.n, 0);
	assert_true(test_sum(p, "inuse_space") == 400);
	assert_true(test_sum(p, "inuse_objects") == 3);
	assert_true(test_sum(p, "alloc_space") == 500);
	/* A frame is one less than its return address. */
	assert_int_equal(p->locs[p->frames[0].row].addr, 0x10);
	assert_int_equal(p->locs[p->frames[1].row].addr, 0x20);
	profile_free(p);
}

static void sampled_rows_are_scaled(void **state)
{
	(void)state;
	static const char rows[] =
		"3: 300 [3: 300] @ 0x1\n1: 400000 [1: 400000] @ 0x2\n1: 58000 [1: 58000] @ 0x3\n2: 600 [2: 600] @ 0x4\n";
	static const char *const labels[] = {"heap_v2/524288", "heapz_v2/524288", "heap/1048576", "heap_v2"};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		char text[400];

		snprintf(text, sizeof text, "heap profile: 7: 458900 [7: 458900] @ %s\n%s", labels[i], rows);
		struct profile *p = read_whole(text);
		assert_int_equal(llround(test_sum(p, "inuse_space")), 3925189);
		assert_int_equal(llround(test_sum(p, "inuse_objects")), 19238);
		assert_int_equal(p->period, 524288);
		assert_int_equal(p->notes.n, strchr(labels[i], '/') ? 0 : 1);
		profile_free(p);
	}
}

static void nothing_is_divided_by_zero(void **state)
{
	(void)state;
	static const double cases[][2] = {{0, 0}, {1, 0}, {0, 300}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double n = cases[i][0], b = cases[i][1];

		unbias_poisson(524288, &n, &b);
		assert_true(n == cases[i][0] && b == cases[i][1]);
	}
}

static void bad_rows_cost_themselves_only(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"1: 25 [1: 25",
		"1: 25 [1: 25] @ 0x10 zz",
		"1: 99999999999999999999 [1: 25] @ 0x10",
		"1: 25 [1: 25] @ 0x11111111111111111",
		"1: x",
		"1: 25 [1: 25] 0x10",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[400];

		snprintf(text, sizeof text,
		         "heap profile: 2: 100 [2: 100] @ heapprofile\n1: 75 [1: 75] @ 0x1\n%s\n\nMAPPED_LIBRARIES:\n", bad[i]);
		struct profile *p = read_whole(text);
		assert_true(test_sum(p, "inuse_space") == 75);
		assert_int_equal(p->notes.n, 1);
		assert_int_equal(p->notes.notes[0].kind, NOTE_LOSS);
		assert_memory_equal(p->notes.notes[0].text, "t:3: ", 5);
		assert_non_null(strstr(p->notes.notes[0].text, "25.0%"));
		profile_free(p);
	}
}

static void headers_that_cannot_be_read(void **state)
{
	(void)state;
	static const char *const headers[] = {
		"heap profile:",
		"heap profile: 1: 2",
		"heap profile: 1: 2 [3: 4",
		"heap profile: 1: 2 [3: 4] heapprofile",
	};

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		struct build *build;
		struct err *err = test_read(&reader_heap, headers[i], &(struct read_opts){0}, &build);

		assert_memory_equal(err_text(err), "t:1: expected ", 14);
		err_free(err);
		build_free(build);
	}
}

static struct profile *read_label(const char *label, const struct read_opts *opts)
{
	char text[400];

	snprintf(text, sizeof text, "heap profile: 3: 300 [4: 400] %s\n3: 300 [4: 400] @ 0x1\n", label);
	return test_read_whole(&reader_heap, text, opts);
}

static void growth_and_fragmentation_have_two_types(void **state)
{
	(void)state;
	static const char *const labels[] = {"@ growth", "@ growthz", "@ http://host:80/pprof/growth", "@ fragmentation",
	                                     "@ fragmentationz"};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		struct profile *p = read_label(labels[i], &(struct read_opts){0});

		assert_int_equal(p->n_types, 2);
		assert_string_equal(profile_text(p, p->types[p->default_type].type), "space");
		assert_true(test_sum(p, "objects") == 3 && test_sum(p, "space") == 300);
		assert_int_equal(p->period, 1);
		assert_int_equal(p->notes.n, 0);
		assert_string_equal(profile_text(p, p->sources[0].header), labels[i] + 2);
		assert_string_equal(profile_text(p, p->sources[0].rule), "exact");
		profile_free(p);
	}
}

static void unknown_labels_are_exact_unless_told(void **state)
{
	(void)state;
	static const char *const labels[] = {"", "@", "@ heap_v3/524288", "@ heap", "@ heap/many", "@ nonsense"};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		struct profile *p = read_label(labels[i], &(struct read_opts){0});

		assert_true(test_sum(p, "inuse_space") == 300);
		assert_int_equal(p->notes.n, 1);
		assert_non_null(strstr(p->notes.notes[0].text, "--sampling-period=N"));
		profile_free(p);
		p = read_label(labels[i], &(struct read_opts){.sampling_period = 524288});
		assert_int_equal(llround(test_sum(p, "inuse_space")), 1573014);
		assert_int_equal(p->notes.n, 0);
		profile_free(p);
	}
}

static void a_long_label_is_cut_between_characters(void **state)
{
	(void)state;
	char label[128] = "@ heapprofile";
	size_t used = strlen(label);

	memset(label + used, ' ', 2 + 78 - used);
	strcpy(label + 2 + 78, "\303\251");
	struct profile *p = read_label(label, &(struct read_opts){0});
	assert_int_equal(strlen(profile_text(p, p->sources[0].header)), 78);
	profile_free(p);
}

static void the_period_can_be_given(void **state)
{
	(void)state;
	struct profile *p = read_label("@ heap_v2/100", &(struct read_opts){.sampling_period = 524288});

	assert_int_equal(llround(test_sum(p, "inuse_space")), 1573014);
	assert_int_equal(p->period, 524288);
	assert_string_equal(profile_text(p, p->sources[0].header), "heap_v2/100");
	assert_string_equal(profile_text(p, p->sources[0].rule), "each row scaled by 1/(1-exp(-size/524288))");
	profile_free(p);
	p = read_label("@ heapprofile", &(struct read_opts){.sampling_period = 524288});
	assert_true(test_sum(p, "inuse_space") == 300);
	assert_int_equal(p->notes.n, 1);
	profile_free(p);
}

static void counts_can_stay_as_they_are(void **state)
{
	(void)state;
	static const char *const labels[] = {"@ heap_v2/524288", "@ heap/1048576", "@ heap_v2", "@ heap_v3/4", ""};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		struct profile *p = read_label(labels[i], &(struct read_opts){.no_unsample = true});

		assert_true(test_sum(p, "inuse_space") == 300 && test_sum(p, "alloc_objects") == 4);
		assert_int_equal(p->notes.n, 0);
		profile_free(p);
	}
}

static void negative_counts_are_kept_and_noted(void **state)
{
	(void)state;
	struct profile *p = read_whole("heap profile: -1: -100 [1: 100] @ heapprofile\n"
	                               "-1: -100 [1: 100] @ 0x1\n"
	                               "-1: -100 [1: 100] @ 0x2\n");

	assert_true(test_sum(p, "inuse_space") == -200);
	assert_int_equal(p->notes.n, 2);
	assert_string_equal(p->notes.notes[0].text, "t:1: the header's counts are negative; the rows are used");
	assert_string_equal(p->notes.notes[1].text, "t:2: 2 rows with negative counts are kept");
	profile_free(p);
}

static void go_names_its_addresses(void **state)
{
	(void)state;
	struct profile *p = read_whole("heap profile: 1: 64 [1: 64] @ heap/2\n"
	                               "1: 64 [1: 64] @ 0x4012b5 0x401300\n"
	                               "#\t0x4012b4\tmain.inner+0x10\t/src/a.go:10\n"
	                               "#\t0x4012b4\tmain.outer+0x20\t/src/a.go:20\n"
	                               "#\t0x4012ff\tmain.main+0x30\t\t/src/a.go:30\n"
	                               "\n# runtime.MemStats\n# Alloc = 1\n");
	const struct location *leaf = &p->locs[p->frames[0].row], *root = &p->locs[p->frames[1].row];

	assert_int_equal(leaf->n_lines, 2);
	assert_string_equal(profile_text(p, p->funcs[p->lines[leaf->first_line].func.row].name), "main.inner");
	assert_int_equal(p->lines[leaf->first_line + 1].line, 20);
	assert_string_equal(profile_text(p, p->funcs[p->lines[root->first_line].func.row].name), "main.main");
	assert_true(test_sum(p, "inuse_space") == 64);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void only_the_first_profile_is_read(void **state)
{
	(void)state;
	struct profile *p = read_whole("heap profile: 1: 64 [1: 64] @ heapprofile\n1: 64 [1: 64] @ 0x1\n"
	                               "heap profile: 1: 32 [1: 32] @ heapprofile\n1: 32 [1: 32] @ 0x1\n");

	assert_true(test_sum(p, "inuse_space") == 64);
	assert_int_equal(p->notes.n, 1);
	assert_memory_equal(p->notes.notes[0].text, "t:3: ", 5);
	profile_free(p);
}

/* A profile that was cut gives an error or an answer, wherever that was. */
static void any_cut_is_survived(void **state)
{
	(void)state;
	static const char text[] = "%warn old\nheap profile: 2: 96 [2: 96] @ heap_v2/524288\n1: 64 [1: 64] @ 0x1 0x2\n"
							   "#\t0x1\tmain.f+0x1\t/a.go:1\n-1: 32 [1: 32] @ 0x2\nMAPPED_LIBRARIES:\n"
							   "00400000-00401000 r-xp 00000000 08:01 7 /srv/app\n";

	for (size_t length = sizeof "%warn old\nheap profile:" - 1; length < sizeof text; length++) {
		struct build *build;
		char *copy = mem_strndup(text, length);

		err_free(test_read(&reader_heap, copy, &(struct read_opts){0}, &build));
		build_free(build);
		free(copy);
	}
}

static void map_rows_place_their_addresses(void **state)
{
	(void)state;
	struct profile *p = read_whole("heap profile: 1: 1 [1: 1] @ heapprofile\n"
	                               "1: 1 [1: 1] @ 0x401235 0x7f0000002001 0x7f0000003001 0x99\n"
	                               "MAPPED_LIBRARIES:\n"
	                               "00400000-00401000 r--p 00000000 08:01 7     /srv/an app\n"
	                               "00401000-00402000 r-xp 00001000 08:01 7     /srv/an app\n"
	                               "7f0000000000-7f0000002000 r--p 00000000 08:01 8   /lib/libx.so (deleted)\n"
	                               "7f0000002000-7f0000003000 r-xp 00001000 08:01 8   /lib/libx.so (deleted)\n"
	                               "7f0000003000-7f0000004000 r-xp 00002000 08:01 8   /lib/libx.so (deleted)\n"
	                               "not a row\n");
	const struct location *app = &p->locs[1], *lib = &p->locs[2], *next = &p->locs[3], *none = &p->locs[4];

	assert_string_equal(profile_text(p, p->objects[app->object.row].file), "/srv/an app");
	assert_int_equal(app->offset, 0x1234);
	assert_int_equal(app->vaddr, 0x401234); /* at 0x400000, so not relocated */
	assert_string_equal(profile_text(p, p->objects[lib->object.row].file), "/lib/libx.so");
	assert_true(p->objects[lib->object.row].deleted);
	assert_int_equal(lib->offset, 0x1000);
	assert_int_equal(lib->vaddr, 0x2000);
	assert_int_equal(next->map.row, lib->map.row); /* neighbours are one mapping */
	assert_int_equal(none->object.row, 0);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_every_shape),
		cmocka_unit_test(sampled_rows_are_scaled),
		cmocka_unit_test(nothing_is_divided_by_zero),
		cmocka_unit_test(bad_rows_cost_themselves_only),
		cmocka_unit_test(headers_that_cannot_be_read),
		cmocka_unit_test(growth_and_fragmentation_have_two_types),
		cmocka_unit_test(unknown_labels_are_exact_unless_told),
		cmocka_unit_test(a_long_label_is_cut_between_characters),
		cmocka_unit_test(the_period_can_be_given),
		cmocka_unit_test(counts_can_stay_as_they_are),
		cmocka_unit_test(negative_counts_are_kept_and_noted),
		cmocka_unit_test(go_names_its_addresses),
		cmocka_unit_test(only_the_first_profile_is_read),
		cmocka_unit_test(any_cut_is_survived),
		cmocka_unit_test(map_rows_place_their_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

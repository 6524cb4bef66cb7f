#include "analyze/read/test_read.h"

#include <math.h>
#include <string.h>

#define NAMES \
	" 0x01 com.example.Query.run (Query.java:103)\n" \
	" 0x0002 JVM_Sleep (/usr/lib/jvm/libjvm.so)\n" \
	" 0x3 a generated stub/JIT\n" \
	" 0x4 GC\n" \
	" 0x5 com.example.Query.run (Query.java:103)\n" \
	" 0x6 java.lang.Thread.run  (Thread.java:-1)\n" \
	" 0x7 never.sampled (Never.java:1)\n"

static struct profile *read_text(const char *text)
{
	return test_read_whole(&reader_java, text, &(struct read_opts){0});
}

static double value(const struct profile *p, uint32_t sample, const char *type)
{
	return profile_value(p, sample, SET_MAIN, profile_find_type(p, type));
}

static const struct line *line_of(const struct profile *p, uint32_t frame)
{
	assert_int_equal(p->locs[p->frames[frame].row].n_lines, 1);
	assert_int_equal(p->locs[p->frames[frame].row].addr, 0);
	return &p->lines[p->locs[p->frames[frame].row].first_line];
}

static const char *func_of(const struct profile *p, uint32_t frame)
{
	return profile_text(p, p->funcs[line_of(p, frame)->func.row].name);
}

static const char *file_of(const struct profile *p, uint32_t frame)
{
	return profile_text(p, p->funcs[line_of(p, frame)->func.row].file);
}

static void the_heap_is_sampled(void **state)
{
	(void)state;
	struct profile *p = read_text("--- heapz 1 ---\nformat = java\nresolution = bytes\n"
	                              "7048 1 @ 0x1 0x6\n4752 9 @ 0x2\n0 3 @ 0x4\n\n\n" NAMES);

	assert_int_equal(llround(value(p, 0, "inuse_space")), 527820);
	assert_int_equal(llround(value(p, 0, "inuse_objects")), 75);
	assert_int_equal(llround(value(p, 1, "inuse_objects")), 8941);
	assert_true(value(p, 2, "inuse_objects") == 3);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void the_user_may_choose_the_period(void **state)
{
	(void)state;
	static const char text[] = "--- heapz 1 ---\nformat = java\nresolution = bytes\n7048 1 @ 0x1\n" NAMES;
	struct profile *raw = test_read_whole(&reader_java, text, &(struct read_opts){.no_unsample = true});
	struct profile *scaled = test_read_whole(&reader_java, text, &(struct read_opts){.sampling_period = 7048});

	assert_true(value(raw, 0, "inuse_space") == 7048);
	assert_int_equal(llround(value(scaled, 0, "inuse_space")), 11150);
	profile_free(raw);
	profile_free(scaled);
}

static void contentions_are_scaled(void **state)
{
	(void)state;
	struct profile *p = read_text("--- contentionz 1 ---\nformat = java\nresolution = microseconds\n"
	                              "sampling period = 100\nms since reset = 6019923\n14 2 @ 0x1 0x6\n" NAMES);

	assert_true(value(p, 0, "delay") == 1400);
	assert_true(value(p, 0, "contentions") == 200);
	assert_string_equal(profile_text(p, p->types[1].unit), "microseconds");
	assert_int_equal(p->duration_nanos, 6019923000000);
	profile_free(p);
}

static void names_have_four_shapes(void **state)
{
	(void)state;
	struct profile *p =
		read_text("--- heapz 1 ---\nformat=java\nresolution=bytes\n1 1 @ 0x1 0x2 0x3 0x4 0x6 0xabc\n" NAMES);
	static const char *const funcs[] = {"com.example.Query.run", "JVM_Sleep",         "STUB", "GC",
	                                    "java.lang.Thread.run",  "0x0000000000000abc"};
	static const char *const files[] = {"Query.java", "libjvm.so", "", "", "Thread.java", ""};

	for (uint32_t i = 0; i < 6; i++) {
		assert_string_equal(func_of(p, i), funcs[i]);
		assert_string_equal(file_of(p, i), files[i]);
	}
	assert_int_equal(line_of(p, 0)->line, 103);
	assert_int_equal(line_of(p, 4)->line, 0);
	assert_int_equal(p->notes.n, 1); /* of the last one */
	assert_int_equal(p->notes.notes[0].kind, NOTE_UNSYMBOLIZED);
	profile_free(p);
}

static void equal_names_are_one_location(void **state)
{
	(void)state;
	struct profile *p =
		read_text("--- heapz 1 ---\nformat=java\nresolution=bytes\n1048576 1 @ 0x1 0x6\n1048576 1 @ 0x5 0x6\n" NAMES);

	assert_int_equal(p->n_samples, 1);
	profile_free(p);
}

static void what_is_java(void **state)
{
	(void)state;
	static const struct {
		const char *head;
		bool java;
	} cases[] = {
		{"--- heapz 1 ---\n", true},
		{"--- contentionz 1 ---\nformat = java\n", true},
		{"--- contentionz 1 ---\n\nms since reset = 5\nformat=java", true},
		{"--- contentionz 1 ---\nformat = cpp\n", false},
		{"--- contentionz 1 ---\n1 1 @ 0x1\nformat = java\n", false},
		{"--- contentionz 1 ---", false},
		{"heap profile: 1: 1 [1: 1] @ heapprofile\n", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(reader_java.probe((struct span){cases[i].head, cases[i].head + strlen(cases[i].head)}),
		                 cases[i].java);
}

static void a_heap_must_say_java(void **state)
{
	(void)state;
	struct build *build;
	struct err *err = test_read(&reader_java, "--- heapz 1 ---\n0 0 @ 0\n", &(struct read_opts){0}, &build);

	assert_string_equal(err_text(err), "t:1: expected \"format = java\" below the header");
	err_free(err);
	build_free(build);
}

static void bad_rows_cost_themselves_only(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"1",
		"1 @ 0x1",
		"1 1 1 @ 0x1",
		"99999999999999999999 1 @ 0x1",
		"9000000000000000000 9000000000000000000 @ 0x1",
		"1 1 @ x",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[600] = "--- heapz 1 ---\nformat = java\nresolution = bytes\n1048576 1 @ 0x1\n";

		strcat(text, bad[i]);
		strcat(text, "\n" NAMES);
		struct profile *p = read_text(text);
		assert_int_equal(p->n_samples, 1);
		assert_int_equal(p->notes.n, 1);
		assert_memory_equal(p->notes.notes[0].text, "t:5: ", 5);
		profile_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heap_is_sampled),          cmocka_unit_test(the_user_may_choose_the_period),
		cmocka_unit_test(contentions_are_scaled),       cmocka_unit_test(names_have_four_shapes),
		cmocka_unit_test(equal_names_are_one_location), cmocka_unit_test(what_is_java),
		cmocka_unit_test(a_heap_must_say_java),         cmocka_unit_test(bad_rows_cost_themselves_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

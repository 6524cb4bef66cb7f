#include "analyze/test.h"

#include "analyze/misfits.h"
#include "analyze/snapshots.h"

#include <string.h>

/* One snapshot; zeros: not known. All ends where there is no name. */
struct shot {
	const char *name;
	const char *program;
	uint64_t base;
	double held, allocated;
	int64_t time;
	const char *rule;
};

static struct build *build_of(const struct shot *shot)
{
	struct build *build = build_new();
	double values[] = {shot->held, shot->allocated};

	build_source(build, shot->name, "heap");
	build_source_time(build, shot->time);
	build_source_facts(build, "", shot->rule ? shot->rule : "exact", 0);
	build_type(build, "inuse_space", "bytes");
	build_type(build, "alloc_space", "bytes");
	loc_id frame = build_loc(build, shot->base + 0x10);
	build_sample(build, build_stack(build, &frame, 1), (labels_id){0}, values);
	build_maps_begin(build);
	object_id object = build_object(build, build_cstr(build, shot->program ? shot->program : "/bin/a"), (str_id){0});
	build_assign_maps(build, &(struct map_row){{shot->base, shot->base + 0x1000, 0, object, 1}, .executable = true}, 1);
	return build;
}

static struct profile *join(const struct shot *shots)
{
	struct build *joined = build_of(&shots[0]);
	uint32_t n = 1;

	snapshots_begin(joined, 8);
	for (; shots[n].name; n++) {
		struct build *next = build_of(&shots[n]);

		assert_null(snapshots_add(joined, build_profile(next), n));
		build_free(next);
	}
	snapshots_end(joined, n);
	misfits_note(joined);
	return build_finish(joined);
}

/* All that is noted, a line each. */
static void expect(const struct shot *shots, const char *expected)
{
	struct profile *p = join(shots);
	char text[2000] = "";

	for (uint32_t i = 0; i < p->notes.n; i++) {
		strcat(text, p->notes.notes[i].text);
		strcat(text, "\n");
	}
	assert_string_equal(text, expected);
	profile_free(p);
}

static void nothing_is_said_where_all_is_well(void **state)
{
	(void)state;
	expect((struct shot[]){{"8.heap", .held = 1, .allocated = 1, .time = 10},
	                       {"9.heap", .held = 2, .allocated = 3, .time = 20},
	                       {"10.heap", .held = 1, .allocated = 4, .time = 25},
	                       {0}},
	       "");
	/* Some writers repeat as allocated what is in use. */
	expect((struct shot[]){{"a", .held = 5, .allocated = 5}, {"b", .held = 3, .allocated = 3}, {0}}, "");
}

static void programs_differ(void **state)
{
	(void)state;
	expect((struct shot[]){{"x", "/bin/a", .held = 1}, {"y", "/bin/b", .held = 2}, {"z", "/bin/a", .held = 3}, {0}},
	       "x is of /bin/a, but y of /bin/b: snapshots of one program belong together (and 1 more like this)\n");
}

static void values_are_of_several_kinds(void **state)
{
	(void)state;
	expect((struct shot[]){{"x", .held = 1}, {"y", .held = 2, .rule = "scaled"}, {0}},
	       "x (heap, exact) and y (heap, scaled) were not measured alike, and may differ by that alone\n");
}

static void times_run_backwards(void **state)
{
	(void)state;
	expect((struct shot[]){{"x", .held = 1, .time = 9}, {"y", .held = 2, .time = 8}, {"z", .held = 3, .time = 10}, {0}},
	       "y was taken before x, which stands before it; nothing is told per second\n");
	expect(
		(struct shot[]){{"x", .held = 1, .time = 9}, {"y", .held = 2}, {0}},
		"1 of 2 snapshots do not say when they were taken, so nothing is told per second; --file-times takes the times "
		"of the files\n");
}

static void numbers_run_backwards(void **state)
{
	(void)state;
	/* As a shell puts them; that less was allocated is no sign of another run then. */
	expect((struct shot[]){{"1.heap", .held = 1, .allocated = 2},
	                       {"10.heap", .held = 9, .allocated = 30},
	                       {"2.heap", .held = 3, .allocated = 4},
	                       {0}},
	       "10.heap stands before 2.heap; --sort-files puts them in the order of their numbers\n");
}

static void the_program_is_started_again(void **state)
{
	(void)state;
	expect((struct shot[]){{"x", .base = 0x10000, .held = 1}, {"y", .base = 0x70000, .held = 2}, {0}},
	       "the program was started again between x and y, and its counts began anew\n");
	expect((struct shot[]){{"x", .held = 1, .allocated = 9}, {"y", .held = 2, .allocated = 8}, {0}},
	       "the program was started again between x and y, and its counts began anew\n");
}

static void numbers_have_gaps(void **state)
{
	(void)state;
	expect((struct shot[]){{"p.0001.heap", .held = 1},
	                       {"p.0002.heap", .held = 2},
	                       {"p.0003.heap", .held = 3},
	                       {"p.0007.heap", .held = 4},
	                       {0}},
	       "no snapshot between p.0003.heap and p.0007.heap, where the others go by 1; growth a snapshot counts "
	       "snapshots, "
	       "not numbers\n");
	/* The second number of jemalloc's names goes with the first. */
	expect((struct shot[]){{"j.1.0.i0.heap", .held = 1},
	                       {"j.1.2.i2.heap", .held = 2},
	                       {"j.1.4.i4.heap", .held = 3},
	                       {"j.1.8.i8.heap", .held = 4},
	                       {0}},
	       "no snapshot between j.1.4.i4.heap and j.1.8.i8.heap, where the others go by 2; growth a snapshot counts "
	       "snapshots, not numbers\n");
	expect((struct shot[]){{"1", .held = 1}, {"2", .held = 2}, {"7", .held = 3}, {0}}, "");
	expect((struct shot[]){{"1.old", .held = 1}, {"2.old", .held = 2}, {"9.new", .held = 3}, {0}}, "");
}

static void snapshots_are_there_twice(void **state)
{
	(void)state;
	expect((struct shot[]){{"x", .held = 1}, {"y", .held = 1}, {"z", .held = 1}, {0}},
	       "y holds what x holds (and 1 more like this)\n");
	expect((struct shot[]){{"x", .held = 1}, {"x", .held = 1}, {0}}, "x is given twice\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_where_all_is_well),
		cmocka_unit_test(programs_differ),
		cmocka_unit_test(values_are_of_several_kinds),
		cmocka_unit_test(times_run_backwards),
		cmocka_unit_test(numbers_run_backwards),
		cmocka_unit_test(the_program_is_started_again),
		cmocka_unit_test(numbers_have_gaps),
		cmocka_unit_test(snapshots_are_there_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

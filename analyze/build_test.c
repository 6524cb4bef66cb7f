#include "analyze/test.h"

#include "analyze/build.h"

#include <stdio.h>
#include <string.h>

/* One source whose library is mapped at base; a stack of two frames in it and one outside. */
static struct build *make(const char *name, uint64_t base, double value)
{
	struct build *build = build_new();

	build_source(build, name, "heap");
	build_type(build, "inuse_space", "bytes");
	loc_id frames[] = {build_loc(build, base + 0x10), build_loc(build, base + 0x20), build_loc(build, 5)};
	build_sample(build, build_stack(build, frames, 3), (labels_id){0}, &value);
	build_maps_begin(build);
	object_id object = build_object(build, build_cstr(build, "/lib/libx.so"), (str_id){0});
	build_assign_maps(build, &(struct map_row){{base, base + 0x1000, 0, object, 1}, .executable = true}, 1);
	return build;
}

static void runs_at_other_addresses_share_locations(void **state)
{
	(void)state;
	struct build *one = make("one", 0x10000, 1), *two = make("two", 0x70000, 10);

	assert_null(build_append(one, build_profile(two), SET_MAIN));
	build_free(two);
	struct profile *p = build_finish(one);
	assert_int_equal(p->n_samples, 1);
	assert_int_equal(p->n_locs, 4);
	assert_int_equal(p->n_sources, 2);
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 11);
	assert_string_equal(profile_text(p, p->sources[1].name), "two");
	profile_free(p);
}

static void a_base_is_a_second_set(void **state)
{
	(void)state;
	struct build *one = make("one", 0x10000, 1), *base = make("base", 0x70000, 10), *two = make("two", 0x90000, 100);

	assert_null(build_append(one, build_profile(base), SET_BASE));
	assert_null(build_append(one, build_profile(base), SET_BASE));
	assert_null(build_append(one, build_profile(two), SET_MAIN));
	build_free(base);
	build_free(two);
	struct profile *p = build_finish(one);
	assert_int_equal(p->n_samples, 1);
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 101);
	assert_true(profile_value(p, 0, SET_BASE, 0) == 20);
	profile_free(p);
}

static void other_types_cannot_be_combined(void **state)
{
	(void)state;
	struct build *one = make("one", 0x10000, 1), *cpu = build_new();

	build_source(cpu, "two.prof", "cpu");
	build_type(cpu, "samples", "count");
	struct err *err = build_append(one, build_profile(cpu), SET_MAIN);
	assert_non_null(strstr(err_text(err), "one and two.prof cannot be combined"));
	err_free(err);
	build_free(one);
	build_free(cpu);
}

/* One file mapped twice: both addresses are one place. */
static void an_object_mapped_twice_is_one(void **state)
{
	(void)state;
	struct build *build = build_new();

	build_source(build, "twice", "heap");
	build_type(build, "inuse_space", "bytes");
	for (uint64_t base = 0x10000; base <= 0x20000; base += 0x10000) {
		loc_id frames[] = {build_loc(build, base + 0x10), build_loc(build, base + 0x20)};

		build_sample(build, build_stack(build, frames, 2), (labels_id){0}, &(double){1});
	}
	object_id object = build_object(build, build_cstr(build, "/lib/libx.so"), (str_id){0});
	struct map_row rows[] = {
		{{0x20000, 0x21000, 0, object, 1}, .executable = true},
		{{0x10000, 0x11000, 0, object, 2}, .executable = true},
	};
	build_assign_maps(build, rows, 2);
	struct profile *p = build_finish(build);
	assert_int_equal(p->n_samples, 1);
	assert_true(profile_value(p, 0, SET_MAIN, 0) == 2);
	profile_free(p);
}

static void a_comment_is_kept_once(void **state)
{
	(void)state;
	struct build *build = build_new();
	char text[16];

	for (int i = 0; i < 200000; i++) {
		snprintf(text, sizeof text, "%d", i % 100000);
		build_comment(build, build_cstr(build, text));
	}
	assert_int_equal(build_profile(build)->n_comments, 100000);
	build_free(build);
}

static void a_path_has_an_end(void **state)
{
	(void)state;
	struct build *build = build_new();
	char path[5000];

	memset(path, 'p', sizeof path);
	object_id object = build_object(build, build_str(build, path, sizeof path), (str_id){0});
	assert_int_equal(strlen(profile_object_base(build_profile(build), object)), 4095);
	build_free(build);
}

static void types_have_aliases(void **state)
{
	(void)state;
	struct build *build = build_new();

	build_type(build, "objects", "count");
	build_type(build, "space", "bytes");
	assert_int_equal(profile_find_type(build_profile(build), "inuse_space"), 1);
	assert_int_equal(profile_find_type(build_profile(build), "alloc_objects"), 0);
	assert_int_equal(profile_find_type(build_profile(build), "cpu"), 2);
	build_free(build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_at_other_addresses_share_locations),
		cmocka_unit_test(a_base_is_a_second_set),
		cmocka_unit_test(other_types_cannot_be_combined),
		cmocka_unit_test(an_object_mapped_twice_is_one),
		cmocka_unit_test(a_comment_is_kept_once),
		cmocka_unit_test(a_path_has_an_end),
		cmocka_unit_test(types_have_aliases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

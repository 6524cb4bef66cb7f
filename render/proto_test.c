#include "analyze/test.h"

#include "analyze/base/gzip.h"
#include "analyze/base/pb.h"
#include "analyze/read/reader.h"
#include "analyze/test_profile.h"
#include "render/renderer.h"

#include <stdlib.h>

/* What a renderer wrote, unpacked. The caller frees. */
static struct bytes render(const struct renderer *renderer, const struct profile *profile, const struct view_opts *opts,
                           const char *unit)
{
	struct report_opts report_opts = {.node_count = -1, .unit = unit};
	struct arena *arena = arena_new();
	struct report *report;
	struct view *view;
	struct bytes bytes;
	const char *damage;
	size_t size;

	assert_null(view_new(profile, opts, &view));
	assert_null(report_build(view, &report_opts, renderer->parts, &report));
	struct out *out = out_memory();
	assert_null(renderer->write(report, out));
	const char *packed = out_memory_bytes(out, &size);
	assert_null(gzip_inflate("out", (const uint8_t *)packed, size, 1 << 20, arena, &bytes, &damage));
	assert_null(damage);
	out_discard(out);
	report_free(report);
	view_free(view);
	arena_free(arena);
	return bytes;
}

static struct profile *read_back(const struct bytes *bytes)
{
	struct cursor in;
	struct build *build = build_new();

	cursor_init(&in, "out", bytes->data, bytes->size);
	build_source(build, "out", "proto");
	assert_null(reader_proto.read(&in, &(struct read_opts){0}, build));
	assert_int_equal(build_profile(build)->notes.n, 0);
	return build_finish(build);
}

/* The messages in this field of the profile; at most so many. */
static uint32_t list_messages(const struct bytes *bytes, uint32_t number, struct span *ret, uint32_t most)
{
	struct pb_reader in;
	struct pb_field field;
	uint32_t n = 0;

	pb_open(&in, (struct span){(const char *)bytes->data, (const char *)bytes->data + bytes->size});
	while (pb_next(&in, &field))
		if (field.number == number && n < most)
			ret[n++] = field.bytes;
	assert_null(in.wrong);
	return n;
}

/* The number in the first label of a sample; -1: it has none. */
static int64_t label_number(struct span sample)
{
	struct pb_reader in, label;
	struct pb_field field, inner;

	pb_open(&in, sample);
	while (pb_next(&in, &field)) {
		if (field.number != 3)
			continue;
		pb_open(&label, field.bytes);
		while (pb_next(&label, &inner))
			if (inner.number == 3)
				return (int64_t)inner.value;
	}
	return -1;
}

static struct profile *profile_of(const struct test_stack *stacks)
{
	return build_finish(test_build(stacks, false));
}

static void values_become_whole_numbers(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {
		{"a main", 2.5, 0}, {"b main", -2.5, 0}, {"c main", 7.4, 0}, {"d main", 1e30, 0}, {"e main", 0, 0}, {0},
	};
	struct profile *profile = profile_of(stacks);
	struct bytes bytes = render(&render_proto, profile, &(struct view_opts){0}, NULL);
	struct profile *back = read_back(&bytes);

	assert_int_equal(back->n_samples, 5); /* a 0 is written too */
	assert_true(profile_value(back, 0, SET_MAIN, 0) == 3);
	assert_true(profile_value(back, 1, SET_MAIN, 0) == -3);
	assert_true(profile_value(back, 2, SET_MAIN, 0) == 7);
	assert_true(profile_value(back, 3, SET_MAIN, 0) == 0x1p63);
	bytes_free(&bytes);
	profile_free(back);
	profile_free(profile);
}

static void a_difference_is_written(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"a main", 10, 4}, {"b main", 1, 3}, {"c main", 5, 5}, {0}};
	struct profile *profile = test_profile(stacks);
	struct bytes bytes = render(&render_proto, profile, &(struct view_opts){0}, NULL);
	struct profile *back = read_back(&bytes);

	assert_int_equal(back->n_samples, 2); /* what did not change is left out */
	assert_true(profile_value(back, 0, SET_MAIN, 0) == 6);
	assert_true(profile_value(back, 1, SET_MAIN, 0) == -2);
	bytes_free(&bytes);
	profile_free(back);
	bytes = render(&render_proto, profile, &(struct view_opts){.drop_negative = true, .focus = "^b$"}, NULL);
	back = read_back(&bytes);
	assert_int_equal(back->n_samples, 0);
	bytes_free(&bytes);
	profile_free(back);
	profile_free(profile);
}

/* The allocator's lines are cut at the leaf end alone: the same place within another stack keeps them. */
static void a_stack_may_begin_within_a_location(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"malloc>work main", 1, 0}, {"leaf malloc>work main", 2, 0}, {0}};
	struct profile *profile = profile_of(stacks);
	struct bytes bytes = render(&render_proto, profile, &(struct view_opts){0}, NULL);
	struct span locations[8];

	assert_int_equal(list_messages(&bytes, 4, locations, 8), 4);
	struct profile *back = read_back(&bytes);
	const struct stack *first = &back->stacks[back->sample_stacks[0].row];
	const struct stack *second = &back->stacks[back->sample_stacks[1].row];
	assert_int_equal(back->locs[back->frames[first->first].row].n_lines, 1);
	assert_int_equal(back->locs[back->frames[second->first + 1].row].n_lines, 2);
	bytes_free(&bytes);
	profile_free(back);
	bytes = render(&render_proto, profile, &(struct view_opts){.all_frames = true}, NULL);
	assert_int_equal(list_messages(&bytes, 4, locations, 8), 3);
	bytes_free(&bytes);
	profile_free(profile);
}

static void blocks_have_a_size(void **state)
{
	(void)state;
	static const struct {
		double all_n, all_b, live_n, live_b;
		int64_t size;
	} rows[] = {
		{4, 400, 2, 201, 100}, /* rounded down */
		{4, 399, 0, 0, 99},    /* freed: those that were allocated tell */
		{1, 1, 524288.0 / 100 * 1.000095, 524288 * 1.000095,
	     100}, /* scaled from samples: a whole number all the same */
		{0, 0, 0, 0, -1},
	};
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "alloc_objects", "count");
	build_type(build, "alloc_space", "bytes");
	build_type(build, "inuse_objects", "count");
	build_type(build, "inuse_space", "bytes");
	for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		loc_id loc = build_loc(build, 100 + i);

		build_sample(build, build_stack(build, &loc, 1), (labels_id){0},
		             (double[]){rows[i].all_n, rows[i].all_b, rows[i].live_n, rows[i].live_b});
	}
	struct profile *profile = build_finish(build);
	struct bytes bytes = render(&render_proto, profile, &(struct view_opts){.type = 3}, NULL);
	struct span samples[8];
	assert_int_equal(list_messages(&bytes, 2, samples, 8), 4);
	for (int i = 0; i < 4; i++)
		assert_true(label_number(samples[i]) == rows[i].size);
	bytes_free(&bytes);
	profile_free(profile);
}

static void a_table_is_written(void **state)
{
	(void)state;
	static const struct test_stack stacks[] = {{"a main", 3 << 20, 0}, {"b main", 5 << 19, 0}, {0}};
	struct profile *profile = profile_of(stacks);
	struct bytes bytes = render(&render_topproto, profile, &(struct view_opts){0}, "MB");
	struct profile *back = read_back(&bytes);

	assert_int_equal(back->n_samples, 3);
	assert_string_equal(profile_text(back, back->types[0].type), "cum");
	assert_string_equal(profile_text(back, back->types[1].type), "flat");
	assert_string_equal(profile_text(back, back->types[1].unit), "MB");
	assert_true(profile_value(back, 0, SET_MAIN, 0) == 3); /* a, b, main */
	assert_true(profile_value(back, 0, SET_MAIN, 1) == 3);
	assert_true(profile_value(back, 1, SET_MAIN, 1) == 3); /* 2.5, rounded */
	assert_true(profile_value(back, 2, SET_MAIN, 0) == 6);
	assert_true(profile_value(back, 2, SET_MAIN, 1) == 0);
	assert_int_equal(back->n_funcs, 4); /* row 0 is none */
	for (uint32_t i = 0; i < back->n_funcs; i++)
		assert_string_equal(profile_text(back, back->funcs[i].system_name), ""); /* as in google/pprof's */
	bytes_free(&bytes);
	profile_free(back);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_become_whole_numbers),
		cmocka_unit_test(a_difference_is_written),
		cmocka_unit_test(a_stack_may_begin_within_a_location),
		cmocka_unit_test(blocks_have_a_size),
		cmocka_unit_test(a_table_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

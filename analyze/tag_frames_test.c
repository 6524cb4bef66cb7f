#include "analyze/test.h"

#include "analyze/tag_frames.h"
#include "analyze/test_profile.h"

#include <stdio.h>
#include <stdlib.h>

static const char *name_at(const struct profile *p, loc_id loc, uint32_t line)
{
	return profile_text(p, p->funcs[p->lines[p->locs[loc.row].first_line + line].func.row].name);
}

/* "leaf root", a name without text as "?", inlined functions as "inner>outer". */
static const char *stack_text(const struct profile *p, uint32_t sample)
{
	static char text[400];
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];
	size_t used = 0;

	*text = '\0';
	for (uint32_t i = 0; i < stack->n; i++) {
		loc_id loc = p->frames[stack->first + i];

		for (uint32_t k = 0; k < p->locs[loc.row].n_lines; k++) {
			const char *name = name_at(p, loc, k);

			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
			                         k   ? ">"
			                         : i ? " "
			                             : "",
			                         *name ? name : "?");
		}
	}
	return text;
}

static labels_id make_labels(struct build *build, const char *tenant, int64_t size)
{
	struct label labels[2] = {
		{.key = build_cstr(build, "tenant"), .text = build_cstr(build, tenant)},
		{.key = build_cstr(build, "size"), .number = size, .unit = build_cstr(build, "kilobytes")},
	};

	return build_labels(build, labels, size ? 2 : 1);
}

static void add(struct build *build, const char *frames, labels_id labels, double value)
{
	build_sample(build, test_stack_of(build, frames), labels, &value);
}

static struct build *begin(void)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "inuse_space", "bytes");
	return build;
}

static struct profile *make(void)
{
	struct build *build = begin();

	add(build, "work main", make_labels(build, "blue", 5), 10);
	add(build, "work main", make_labels(build, "green", 0), 20);
	add(build, "work main", (labels_id){0}, 40);
	add(build, "malloc work>inner main", make_labels(build, "blue", 3072), 80);
	return build_finish(build);
}

static struct profile *tagged(const struct profile *p, const char *root, const char *leaf)
{
	struct profile *ret = NULL;

	assert_null(tag_frames_add(p, &(struct tag_frames_opts){.root = root, .leaf = leaf}, &ret));
	return ret;
}

static void frames_at_both_ends(void **state)
{
	(void)state;
	struct profile *p = make(), *t = tagged(p, "tenant,size", "size,tenant");

	/* The first key is the root, the last one the leaf. */
	assert_string_equal(stack_text(t, 0), "blue 5kB work main 5kB blue");
	assert_string_equal(stack_text(t, 1), "green ? work main ? green");
	assert_string_equal(stack_text(t, 2), "? ? work main ? ?");
	assert_string_equal(stack_text(t, 3), "blue 3MB work>inner main 3MB blue");
	const struct stack *stack = &t->stacks[t->sample_stacks[2].row];
	const struct location *leaf = &t->locs[t->frames[stack->first].row];
	assert_string_equal(profile_text(t, t->funcs[t->lines[leaf->first_line].func.row].file), "tenant");
	assert_int_equal(leaf->object.row, 0);
	profile_free(t);
	profile_free(p);
}

static void frames_of_allocators_are_dropped_before(void **state)
{
	(void)state;
	struct build *build = begin();
	struct profile *t;

	add(build, "operator_new>vec>grow main", make_labels(build, "blue", 0), 1);
	add(build, "operator_new>vec>grow other main", make_labels(build, "blue", 0), 1);
	struct profile *p = build_finish(build);
	t = tagged(p, NULL, "tenant");
	assert_string_equal(stack_text(t, 0), "blue vec>grow main");
	assert_string_equal(stack_text(t, 1), "blue vec>grow other main");
	/* What is cut in two stacks is one location. */
	assert_int_equal(t->frames[t->stacks[t->sample_stacks[0].row].first + 1].row,
	                 t->frames[t->stacks[t->sample_stacks[1].row].first + 1].row);
	profile_free(t);
	assert_null(tag_frames_add(p, &(struct tag_frames_opts){.leaf = "tenant", .all_frames = true}, &t));
	assert_string_equal(stack_text(t, 0), "blue operator new>vec>grow main");
	profile_free(t);
	profile_free(p);
}

static void several_values_of_a_key(void **state)
{
	(void)state;
	struct build *build = begin();
	struct label labels[4] = {
		{.key = build_cstr(build, "k"), .number = 7},
		{.key = build_cstr(build, "k"), .text = build_cstr(build, "b")},
		{.key = build_cstr(build, "other"), .text = build_cstr(build, "x")},
		{.key = build_cstr(build, "k"), .text = build_cstr(build, "a")},
	};

	add(build, "main", build_labels(build, labels, 4), 1);
	struct profile *p = build_finish(build), *t = tagged(p, "k", NULL);
	assert_string_equal(stack_text(t, 0), "main b,a,7");
	profile_free(t);
	profile_free(p);
}

static void numbers_in_the_user_s_unit(void **state)
{
	(void)state;
	struct profile *p = make(), *t;

	assert_null(tag_frames_add(p, &(struct tag_frames_opts){.root = "size", .unit = "kb"}, &t));
	assert_string_equal(stack_text(t, 3), "work>inner main 3072kB");
	profile_free(t);
	assert_null(tag_frames_add(p, &(struct tag_frames_opts){.root = "size", .unit = "ms"}, &t));
	assert_string_equal(stack_text(t, 3), "work>inner main 3MB");
	profile_free(t);
	assert_null(tag_frames_add(p, &(struct tag_frames_opts){.root = "size", .unit = "auto"}, &t));
	assert_string_equal(stack_text(t, 0), "work main 5kB");
	profile_free(t);
	profile_free(p);
}

static void blocks_of_heaps(void **state)
{
	(void)state;
	struct build *build = build_new();
	loc_id loc;

	build_source(build, "test", "test");
	build_type(build, "inuse_objects", "count");
	build_type(build, "inuse_space", "bytes");
	loc = test_loc(build, "main", 4);
	build_sample(build, build_stack(build, &loc, 1), (labels_id){0}, (double[]){2, 4096});
	build_block_size(build, 2000); /* as the input says it */
	struct profile *p = build_finish(build), *t = tagged(p, "bytes,bytes", "x");
	assert_string_equal(stack_text(t, 0), "? main 1.95kB 1.95kB");
	assert_int_equal(t->notes.n, 1);
	assert_string_equal(t->notes.notes[0].text, "--tagleaf=x: no sample has such a label");
	assert_true(t->block_sizes[0] == 2000);
	profile_free(t);
	profile_free(p);
}

/* What the loaded profile knows is what each report tells. */
static void nothing_else_changes(void **state)
{
	(void)state;
	struct build *build = begin(), *base = begin();

	object_id object = build_object(build, build_cstr(build, "/bin/tool"), build_cstr(build, "abcd"));
	build_object_fate(build, object, OBJECT_FOUND, build_cstr(build, "/other/tool"));
	build_set_program(build, object);
	build_comment(build, build_cstr(build, "made by hand"));
	build_set_period(build, "space", "bytes", 512);
	build_set_time(build, 7, 8);
	build_set_frame_filters(build, build_cstr(build, "drop"), (str_id){0});
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "a row was skipped");
	add(build, "work main", make_labels(build, "blue", 0), 10);
	add(base, "work main", make_labels(base, "blue", 0), 3);
	assert_null(build_append(build, build_profile(base), SET_BASE));
	build_free(base);
	struct profile *p = build_finish(build), *t = tagged(p, "tenant", NULL);
	assert_int_equal(t->n_sets, N_SETS);
	assert_true(profile_value(t, 0, SET_MAIN, 0) == 10 && profile_value(t, 0, SET_BASE, 0) == 3);
	assert_int_equal(t->program.row, object.row);
	assert_int_equal(t->objects[object.row].fate, OBJECT_FOUND);
	assert_string_equal(profile_text(t, t->objects[object.row].path_used), "/other/tool");
	assert_string_equal(profile_text(t, t->comments[0]), "made by hand");
	assert_true(t->period == 512 && t->time_nanos == 7 && t->duration_nanos == 8);
	assert_int_equal(t->n_sources, p->n_sources);
	assert_string_equal(t->notes.notes[0].text, "a row was skipped");
	/* The patterns have been obeyed, and must not cut the new leaf. */
	assert_int_equal(t->drop_frames.row, 0);
	assert_int_equal(p->n_frames, 2);
	profile_free(t);
	profile_free(p);
}

static void too_many_keys(void **state)
{
	(void)state;
	enum { KEYS = 1 << 20, SETS = 200 };
	struct build *build = begin();
	char *keys = mem_alloc(2 * KEYS + 1, 1);
	struct profile *t = NULL;

	for (int i = 0; i < SETS; i++)
		add(build, "main", make_labels(build, "blue", i + 1), 1);
	for (size_t i = 0; i < KEYS; i++)
		memcpy(keys + 2 * i, "k,", 3);
	struct profile *p = build_finish(build);
	struct err *err = tag_frames_add(p, &(struct tag_frames_opts){.root = keys}, &t);
	assert_non_null(err);
	err_free(err);
	profile_free(p);
	free(keys);
}

static void which_options_ask_for_frames(void **state)
{
	(void)state;
	assert_false(tag_frames_are_wanted(&(struct tag_frames_opts){0}));
	assert_false(tag_frames_are_wanted(&(struct tag_frames_opts){.root = "", .leaf = ",,"}));
	assert_true(tag_frames_are_wanted(&(struct tag_frames_opts){.leaf = ",k,"}));
	struct profile *p = make(), *t = tagged(p, ",,tenant,", NULL);
	assert_string_equal(stack_text(t, 0), "work main blue");
	profile_free(t);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_at_both_ends),     cmocka_unit_test(frames_of_allocators_are_dropped_before),
		cmocka_unit_test(several_values_of_a_key), cmocka_unit_test(numbers_in_the_user_s_unit),
		cmocka_unit_test(blocks_of_heaps),         cmocka_unit_test(nothing_else_changes),
		cmocka_unit_test(too_many_keys),           cmocka_unit_test(which_options_ask_for_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

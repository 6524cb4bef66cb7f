#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/test_profile.h"
#include "render/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 2000 };

static struct build *begin(void)
{
	struct build *build = build_new();

	build_source(build, "test", "test");
	build_type(build, "inuse_space", "bytes");
	return build;
}

/* A stack of so many calls of one function. */
static void add_tower(struct build *build, const char *name, uint32_t n, double value)
{
	loc_id locs[DEEPEST];

	for (uint32_t i = 0; i < n; i++)
		locs[i] = test_loc(build, name, strlen(name));
	build_sample(build, build_stack(build, locs, n), (labels_id){0}, &value);
}

static void add_towers(struct build *build, uint32_t n_towers, uint32_t n, double value)
{
	char name[16];

	for (uint32_t i = 0; i < n_towers; i++) {
		snprintf(name, sizeof name, "f%u", i);
		add_tower(build, name, n, value);
	}
}

/* Ends the profile. The picture is the caller's to free. */
static char *draw(struct build *build, int node_count)
{
	struct profile *profile = build_finish(build);
	struct report_opts opts = {.node_count = node_count, .trim = true};
	struct out *out = out_memory();
	struct report *report;
	struct view *view;
	size_t size;

	assert_null(view_new(profile, &(struct view_opts){0}, &view));
	assert_null(report_build(view, &opts, render_flame.parts, &report));
	assert_null(render_flame.write(report, out));
	const char *bytes = out_memory_bytes(out, &size);
	char *picture = mem_strndup(bytes, size);
	out_discard(out);
	report_free(report);
	view_free(view);
	profile_free(profile);
	return picture;
}

/* By memmem: under a sanitizer, strstr measures all that is left each time. */
static uint32_t count(const char *text, const char *word)
{
	const char *end = text + strlen(text);
	size_t length = strlen(word);
	uint32_t n = 0;

	while ((text = memmem(text, (size_t)(end - text), word, length))) {
		text += length;
		n++;
	}
	return n;
}

static void a_tower_ends_at_row_1000(void **state)
{
	(void)state;
	struct build *build = begin();

	add_tower(build, "f", DEEPEST, 1024);
	char *picture = draw(build, -1);

	assert_int_equal(count(picture, "<title>f\n"), 999);
	assert_non_null(strstr(picture, ">Not drawn, but counted in the boxes below: 1001 frames above row 1000 (1kB)<"));
	assert_non_null(strstr(picture, " height=\"17105\""));
	free(picture);
}

static void no_more_boxes_than_a_browser_can_take(void **state)
{
	(void)state;
	struct build *build = begin();

	add_tower(build, "wide", 10, 100);
	add_towers(build, 100, 300, 1);
	char *picture = draw(build, -1);

	assert_int_equal(count(picture, "<title>wide\n"), 10);
	assert_int_equal(count(picture, "<title>f"), 20000 - 10);
	assert_non_null(strstr(
		picture, ">Not drawn, but counted in the boxes below: 10010 frames that are not among the 20000 widest ("));
	free(picture);
}

static void narrow_boxes_are_counted(void **state)
{
	(void)state;
	struct build *build = begin();

	add_tower(build, "wide", 1, 20000);
	add_tower(build, "narrow", 2, 1);
	char *picture = draw(build, -1);

	assert_null(strstr(picture, "<title>narrow"));
	assert_non_null(
		strstr(picture, ">Not drawn, but counted in the boxes below: 2 frames narrower than 0.1 pixels (1B)<"));
	free(picture);
}

static void small_nodes_are_one_box(void **state)
{
	(void)state;
	struct build *build = begin();

	add_tower(build, "wide", 1, 19000);
	add_towers(build, 1000, 1, 1);
	char *picture = draw(build, 1);

	assert_null(strstr(picture, "<title>f"));
	assert_non_null(strstr(picture, "<title>(small: 1000 nodes)\n1000B (5.00%)\nself 1000B (5.00%)</title>"));
	assert_non_null(strstr(picture, " small\" data-now=\"1000\""));
	free(picture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tower_ends_at_row_1000),
		cmocka_unit_test(no_more_boxes_than_a_browser_can_take),
		cmocka_unit_test(narrow_boxes_are_counted),
		cmocka_unit_test(small_nodes_are_one_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

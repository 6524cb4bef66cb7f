#include "analyze/test.h"

#include "analyze/report.h"
#include "analyze/test_profile.h"

#include <stdio.h>
#include <string.h>

enum { N_FUNCTIONS = 450 };

/* main calls so many functions. */
static struct profile *wide_profile(void)
{
	static char names[N_FUNCTIONS][16];
	static struct test_stack stacks[N_FUNCTIONS + 1];

	for (int i = 0; i < N_FUNCTIONS; i++) {
		snprintf(names[i], sizeof names[i], "f%d main", i);
		stacks[i] = (struct test_stack){names[i], 1000 + i, 0};
	}
	return test_profile(stacks);
}

static struct report *build_report(const struct view *view, unsigned parts)
{
	struct report_opts opts = {.trim = false};
	struct report *report;

	assert_null(report_build(view, &opts, parts, &report));
	return report;
}

static void a_picture_is_cut_to_what_can_be_laid_out(void **state)
{
	(void)state;
	struct profile *profile = wide_profile();
	struct view *view;

	assert_null(view_new(profile, &(struct view_opts){0}, &view));
	struct report *whole = build_report(view, PART_GRAPH), *picture = build_report(view, PART_GRAPH | PART_PICTURE);
	assert_int_equal(whole->graph.n_nodes, N_FUNCTIONS + 1);
	assert_int_equal(whole->notes.n, 0);
	assert_in_range(picture->graph.n_nodes, 200, 300);
	assert_int_equal(picture->n_order, picture->graph.n_nodes);
	assert_int_equal(picture->notes.n, 1);
	assert_non_null(strstr(picture->notes.notes[0].text, "the graph of 451 nodes and 450 edges is cut to "));
	report_free(whole);
	report_free(picture);
	view_free(view);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_is_cut_to_what_can_be_laid_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

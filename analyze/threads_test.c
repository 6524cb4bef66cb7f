#include "analyze/test.h"

#include "analyze/build.h"
#include "analyze/threads.h"

static labels_id thread_text(struct build *build, const char *text)
{
	struct label label = {.key = build_cstr(build, "thread"), .text = build_cstr(build, text)};

	return build_labels(build, &label, 1);
}

static labels_id thread_number(struct build *build, int64_t number)
{
	struct label label = {.key = build_cstr(build, "thread"), .number = number};

	return build_labels(build, &label, 1);
}

static void threads_are_in_natural_order(void **state)
{
	(void)state;
	static const char *const names[] = {"2", "10", "999999999999999999999999", "main", "t"};
	struct build *build = build_new();
	struct label other = {.key = build_cstr(build, "bytes"), .number = 7};
	labels_id ten = thread_text(build, "t10");
	labels_id ten_by_number = thread_number(build, 10), none = build_labels(build, &other, 1);
	struct arena *arena = arena_new();
	uint32_t n;

	thread_text(build, "main");
	thread_text(build, "t");
	thread_text(build, "999999999999999999999999");
	thread_number(build, 2);
	const char **list = threads_list(build_profile(build), arena, &n);
	assert_int_equal(n, sizeof names / sizeof *names);
	for (uint32_t i = 0; i < n; i++)
		assert_string_equal(list[i], names[i]);
	bool *found = threads_find(build_profile(build), "10");
	assert_true(found[ten.row] && found[ten_by_number.row]);
	assert_false(found[0] || found[none.row]);
	assert_string_equal(threads_title("10", arena), "t10");
	assert_string_equal(threads_title("t10", arena), "t10");
	assert_string_equal(threads_title("main", arena), "main");
	mem_free_local(&found);
	arena_free(arena);
	build_free(build);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_in_natural_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

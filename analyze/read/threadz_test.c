#include "analyze/read/test_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define THREAD "--- Thread 7ff6c7da3700 (name: main/2) stack: ---\n"

static struct profile *read_text(const char *text)
{
	return test_read_whole(&reader_threadz, text, &(struct read_opts){0});
}

/* The profile as "count: addresses;" for each sample. */
static const char *show(const char *threads, char *text)
{
	char input[1000] = "--- threadz 1 ---\n\n";

	strcat(input, threads);
	struct profile *p = read_text(input);
	*text = '\0';
	for (uint32_t i = 0; i < p->n_samples; i++) {
		const struct stack *stack = &p->stacks[p->sample_stacks[i].row];

		sprintf(text + strlen(text), "%g:", profile_value(p, i, SET_MAIN, 0));
		for (uint32_t k = stack->first; k < stack->first + stack->n; k++)
			sprintf(text + strlen(text), " %" PRIx64, p->locs[p->frames[k].row].addr);
		strcat(text, ";");
	}
	sprintf(text + strlen(text), "%s", p->notes.n ? " bad" : "");
	profile_free(p);
	return text;
}

static void stacks_of_every_shape(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		/* The leaf is exact, the others are return addresses. */
		{THREAD "  PC:  0x00000010: f(arg *)\n  0x00000020: main\n", "1: 10 1f;"},
		{THREAD "  PC: 0x10 0x20\n   0x30\n  creator: 0x40 0x50\n", "1: 10 1f 2f 3f 4f;"},
		{THREAD "  PC: 0x10: f\n  creator:\n  0x20: main\n", "1: 10 1f;"},
		/* A symbol is no address, whatever it says. */
		{THREAD "  PC: 0x10: f[0x99]\n  0x20 g 0x98\n", "1: 10 1f;"},
		/* A leaf that was captured twice is one. */
		{THREAD "  PC: 0x10 0x10 0x20\n", "1: 10 1f;"},
		{THREAD "  PC: 0x10 0x11 0x20\n", "1: 10 1f;"},
		{THREAD "  PC: 0x10 0x12 0x20\n", "1: 10 11 1f;"},
		{THREAD "  PC: 0x0 0x0 0x20\n", "1: 0 1f;"},
		/* What has no stack stands where the one before it does. */
		{THREAD "  0x10\n" THREAD "  [same as previous thread]\n" THREAD THREAD "  0x20\n", "3: 10;1: 20;"},
		{THREAD THREAD "  0x20\n", "1:;1: 20;"},
		{THREAD "  0x10\n---- no stack trace for thread 5\n  0x20\n", "1: 10;"},
		{"anything 0x30\n" THREAD "  0x10\n", "1: 10;"},
		{"", ""},
		/* A bad thread costs itself, and those that refer to it. */
		{THREAD "  0x11111111111111111\n" THREAD "  [same as previous thread]\n" THREAD "  0x10\n", "1: 10; bad"},
		{THREAD "  0x10\n" THREAD "  0x20\n  0x3", "1: 10; bad"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[400];

		assert_string_equal(show(cases[i][0], text), cases[i][1]);
	}
}

static void a_file_may_begin_with_a_thread(void **state)
{
	(void)state;
	struct profile *p = read_text(THREAD "  0x401234\n--- Memory map: ---\n  00400000-00402000: /srv/app\n");

	assert_true(profile_value(p, 0, SET_MAIN, 0) == 1);
	assert_string_equal(profile_text(p, p->types[0].type), "thread");
	assert_true(p->sources[0].has_maps);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_of_every_shape),
		cmocka_unit_test(a_file_may_begin_with_a_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

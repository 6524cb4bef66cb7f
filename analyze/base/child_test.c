#include "analyze/test.h"

#include "analyze/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(const char *script)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	const struct child_opts opts = {
		.argv = argv, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .messages = CHILD_NOTHING};
	pid_t pid = -1;

	assert_int_equal(child_start(&opts, &pid), 0);
	return child_wait(pid);
}

static void a_program_is_found_along_the_path_and_waited_for(void **state)
{
	(void)state;
	int status = status_of("exit 7");

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(child_wait(getpid()), -1);
}

static void what_cannot_be_started_has_an_errno(void **state)
{
	(void)state;
	const char *argv[] = {"/nowhere/program", NULL};
	const struct child_opts opts = {.argv = argv, .input = CHILD_OURS, .output = CHILD_OURS, .messages = CHILD_OURS};
	pid_t pid;

	assert_int_equal(child_start(&opts, &pid), ENOENT);
}

static void its_streams_are_those_that_are_given(void **state)
{
	(void)state;
	const char *argv[] = {"cat", NULL};
	char text[16] = "";
	int to[2], from[2];
	pid_t pid = -1;

	assert_int_equal(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC), 0);
	const struct child_opts opts = {.argv = argv, .input = to[0], .output = from[1], .messages = CHILD_OURS};
	assert_int_equal(child_start(&opts, &pid), 0);
	assert_int_equal(write(to[1], "through", 7), 7);
	close(to[0]);
	close(to[1]);
	close(from[1]);
	assert_int_equal(child_wait(pid), 0);
	assert_int_equal(read(from[0], text, sizeof text), 7);
	assert_string_equal(text, "through");
	close(from[0]);
}

/* The tool ignores both, for errors of its own. */
static void signals_that_are_ignored_here_end_it(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(WTERMSIG(status_of("kill -PIPE $$")), SIGPIPE);
	assert_int_equal(WTERMSIG(status_of("kill -XFSZ $$")), SIGXFSZ);
}

static void words_of_a_command_have_blanks_between(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char **words = child_words("  less\t-F;rm  $HOME ", arena);

	assert_string_equal(words[0], "less");
	assert_string_equal(words[1], "-F;rm");
	assert_string_equal(words[2], "$HOME");
	assert_null(words[3]);
	assert_null(child_words("", arena)[0]);
	assert_null(child_words("  ", arena)[0]);
	assert_null(child_words("x", arena)[1]);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_is_found_along_the_path_and_waited_for),
		cmocka_unit_test(what_cannot_be_started_has_an_errno),
		cmocka_unit_test(its_streams_are_those_that_are_given),
		cmocka_unit_test(signals_that_are_ignored_here_end_it),
		cmocka_unit_test(words_of_a_command_have_blanks_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

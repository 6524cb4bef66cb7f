#include "analyze/test.h"

#include "cmd/term.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Standard error as a terminal: what was written comes out at the other end. */
static int open_terminal(int *old_ret)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);

	assert_true(terminal >= 0);
	assert_int_equal(grantpt(terminal), 0);
	assert_int_equal(unlockpt(terminal), 0);
	int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(end >= 0);
	*old_ret = dup(STDERR_FILENO);
	dup2(end, STDERR_FILENO);
	close(end);
	return terminal;
}

static const char *read_terminal(int terminal)
{
	static char text[4096];
	ssize_t n = read(terminal, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void test_progress(void **state)
{
	int old, terminal = open_terminal(&old);
	progress_fn *progress = term_progress_start();

	(void)state;
	assert_non_null(progress);
	progress("/srv/quick", 1, 4);
	assert_string_equal(read_terminal(terminal), "");
	usleep(600000);
	progress("/srv/x\033[31m", 2, 4);
	progress("/srv/x\033[31m", 3, 4); /* too soon after the other */
	assert_string_equal(read_terminal(terminal), "\rpprof: names from /srv/x\\x1b[31m: 2 of 4 units\033[K");
	term_progress_end();
	assert_string_equal(read_terminal(terminal), "\r\033[K");
	term_progress_end();
	assert_string_equal(read_terminal(terminal), "");
	dup2(old, STDERR_FILENO);
	close(old);
	close(terminal);
}

static void test_no_terminal(void **state)
{
	int old = dup(STDERR_FILENO), file = open("/dev/null", O_WRONLY);

	(void)state;
	dup2(file, STDERR_FILENO);
	assert_null(term_progress_start());
	dup2(old, STDERR_FILENO);
	close(old);
	close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_progress), cmocka_unit_test(test_no_terminal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

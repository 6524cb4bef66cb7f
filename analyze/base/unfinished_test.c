#include "analyze/test.h"

#include "analyze/base/child.h"
#include "analyze/base/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int enter_folder(void **state)
{
	static char folder[] = "/tmp/unfinished-test-XXXXXX";

	*state = mkdtemp(folder);
	return *state ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
	return chdir("/") + rmdir(*state);
}

static void files_are_private_and_have_a_name_of_their_own(void **state)
{
	(void)state;
	char one[] = "X.XXXXXXXX.ps", two[] = "X.XXXXXXXX.ps";
	int first = unfinished_begin(AT_FDCWD, one), second = unfinished_begin(AT_FDCWD, two);
	struct stat st;

	assert_true(first >= 0 && second >= 0);
	assert_string_not_equal(one, two);
	assert_int_equal(strspn(one + 2, "0123456789abcdef"), 8);
	assert_int_equal(strncmp(one, "X.", 2), 0);
	assert_string_equal(one + 10, ".ps");
	assert_int_equal(stat(one, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	close(first);
	close(second);
	unfinished_take_away();
	assert_int_not_equal(access(one, F_OK), 0);
	assert_int_not_equal(access(two, F_OK), 0);
	unfinished_end(one);
	unfinished_end(two);
}

static void what_is_whole_stays(void **state)
{
	(void)state;
	char path[] = "whole-XXXXXX";

	close(unfinished_begin(AT_FDCWD, path));
	unfinished_end(path);
	unfinished_take_away();
	assert_int_equal(unlink(path), 0);
}

static void a_child_leaves_what_its_parent_writes(void **state)
{
	(void)state;
	char path[] = "parent-XXXXXX";

	close(unfinished_begin(AT_FDCWD, path));
	pid_t pid = fork();
	if (pid == 0) {
		unfinished_take_away();
		_exit(0);
	}
	child_wait(pid);
	assert_int_equal(unlink(path), 0);
	unfinished_end(path);
}

static void a_folder_that_is_not_there_has_an_errno(void **state)
{
	(void)state;
	char path[] = "no/such-XXXXXX";

	assert_int_equal(unfinished_begin(AT_FDCWD, path), -1);
	assert_int_equal(errno, ENOENT);
}

static pid_t start_sleep(void)
{
	const char *argv[] = {"sleep", "1000", NULL};
	const struct child_opts opts = {
		.argv = argv, .input = CHILD_NOTHING, .output = CHILD_NOTHING, .messages = CHILD_NOTHING, .ends_with_us = true};
	pid_t pid = -1;

	assert_int_equal(child_start(&opts, &pid), 0);
	return pid;
}

static void a_program_that_works_for_us_ends_too(void **state)
{
	(void)state;
	pid_t pid = start_sleep();
	int status;

	assert_false(child_has_ended(pid, &status));
	unfinished_take_away();
	status = child_wait(pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	/* Its number may be another's by now. */
	pid = start_sleep();
	kill(pid, SIGTERM);
	assert_int_equal(WTERMSIG(child_wait(pid)), SIGTERM);
	unfinished_take_away();
	assert_true(child_has_ended(pid, &status));
	assert_int_equal(status, -1);
}

/* The parent of the one that waits is gone before it says so, or ends afterwards. */
static void a_process_ends_with_its_parent(void **state)
{
	(void)state;
	for (int is_late = 0; is_late < 2; is_late++) {
		int ends[2];
		char byte;

		assert_int_equal(pipe(ends), 0);
		pid_t parent = fork();
		if (parent == 0) {
			pid_t self = getpid();

			if (fork() == 0) {
				while (is_late && getppid() == self)
					usleep(1000);
				child_end_with(self, SIGKILL);
				pause();
			}
			_exit(0);
		}
		close(ends[1]);
		child_wait(parent);
		assert_int_equal(read(ends[0], &byte, 1), 0); /* nobody holds the other end */
		close(ends[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_private_and_have_a_name_of_their_own),
		cmocka_unit_test(what_is_whole_stays),
		cmocka_unit_test(a_child_leaves_what_its_parent_writes),
		cmocka_unit_test(a_folder_that_is_not_there_has_an_errno),
		cmocka_unit_test(a_program_that_works_for_us_ends_too),
		cmocka_unit_test(a_process_ends_with_its_parent),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

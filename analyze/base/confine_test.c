#include "analyze/test.h"

#include "analyze/base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What was tried, by letters in their order: + it is done, - it is refused, and ! it fails otherwise. */
static char *at, letters[16];

static void tried(bool is_done)
{
	*at++ = is_done ? '+' : errno == EPERM ? '-' : '!';
}

static void try_socket(void)
{
	tried(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}

static void try_program(void)
{
	char *argv[] = {(char *)(uintptr_t) "nowhere", NULL};

	execve("/nowhere", argv, environ);
	tried(errno == ENOENT);
}

static void try_reading(void)
{
	tried(open("/dev/null", O_RDONLY) >= 0);
}

static void try_writing(void)
{
	tried(open("/dev/null", O_RDWR) >= 0);
}

static void *allocate(void *context)
{
	return realloc(context, 1 << 20);
}

static void try_thread(void)
{
	pthread_t thread;
	void *memory = NULL;

	tried(pthread_create(&thread, NULL, allocate, NULL) == 0 && pthread_join(thread, &memory) == 0 && memory);
	free(memory);
}

/* In a process of its own, since there is no way back. */
static const char *after(void (*give_up)(void))
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		at = letters;
		give_up();
		try_socket();
		try_program();
		try_writing();
		try_reading();
		try_thread();
		_exit(write(ends[1], letters, sizeof letters) == sizeof letters ? 0 : 1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], letters, sizeof letters), sizeof letters);
	close(ends[0]);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return letters;
}

static void nothing(void)
{
}

static void network(void)
{
	assert_true(confine_to(CONFINE_NETWORK));
}

static void programs_after_network(void)
{
	network();
	assert_true(confine_to(CONFINE_PROGRAMS));
}

static void layout(void)
{
	assert_true(confine_to(CONFINE_LAYOUT));
	assert_true(confine_to(CONFINE_NETWORK)); /* has been given up */
}

static void never(void)
{
	confine_never();
	assert_true(confine_to(CONFINE_LAYOUT));
}

static void each_step_gives_up_more(void **state)
{
	(void)state;
	assert_string_equal(after(nothing), "+++++");
	assert_string_equal(after(network), "-++++");
	assert_string_equal(after(programs_after_network), "--+++");
	assert_string_equal(after(layout), "---++");
}

static void the_user_may_want_none_of_it(void **state)
{
	(void)state;
	assert_string_equal(after(never), "+++++");
}

static bool has_filters(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(confine_to(CONFINE_NETWORK) ? 0 : 1);
	waitpid(pid, &status, 0);
	if (status)
		puts("this kernel or processor takes no filter of system calls");
	return status == 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_step_gives_up_more),
		cmocka_unit_test(the_user_may_want_none_of_it),
	};

	if (!has_filters())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

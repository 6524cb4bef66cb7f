#include "analyze/test.h"

#include "analyze/read/read.h"

#include "analyze/base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct err *read_bytes(const void *data, size_t size, const struct read_opts *opts, struct build **ret)
{
	char path[] = "/tmp/pprof_read_test_XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	struct err *err = profile_read(path, opts, ret);
	unlink(path);
	return err;
}

static struct err *read_text(const char *text, struct build **ret)
{
	return read_bytes(text, strlen(text), &(struct read_opts){.max_inflate = 1 << 20}, ret);
}

static struct profile *read_whole(const char *text)
{
	struct build *build;

	assert_null(read_text(text, &build));
	return build_finish(build);
}

#define HEAP "heap profile: 1: 25 [1: 25] @ heapprofile\n1: 25 [1: 25] @ 0x1\n"

static void lines_before_a_profile(void **state)
{
	(void)state;
	static const char *const blank[] = {HEAP, "\n \r\n" HEAP, "\xef\xbb\xbf" HEAP, "\xef\xbb\xbf\n" HEAP};
	static const char *const logged[] = {"I0101 server.cc:12] starting\n" HEAP, "one\n\ntwo\n" HEAP,
	                                     "heap profile: written to disk\n" HEAP, "{\"level\": \"info\"}\n" HEAP,
	                                     "log\n%warn old\nheap_v2/1\n@ 0x1\n  t*: 1: 25 [1: 25]\n"};

	for (size_t i = 0; i < sizeof blank / sizeof *blank; i++) {
		struct profile *p = read_whole(blank[i]);
		assert_int_equal(p->n_samples, 1);
		assert_int_equal(p->notes.n, 0);
		profile_free(p);
	}
	for (size_t i = 0; i < sizeof logged / sizeof *logged; i++) {
		struct profile *p = read_whole(logged[i]);
		assert_int_equal(p->n_samples, 1);
		assert_non_null(strstr(p->notes.notes[0].text, "passed over"));
		profile_free(p);
	}
}

static void lines_keep_their_numbers(void **state)
{
	(void)state;
	struct profile *p = read_whole("one\ntwo\nheap profile: 2: 50 [2: 50] @ heapprofile\n1: 25 [1: 25\n"
	                               "1: 25 [1: 25] @ 0x1\n");

	assert_non_null(strstr(p->notes.notes[0].text, ":1: 2 lines before the profile are passed over"));
	assert_non_null(strstr(p->notes.notes[1].text, ":4: expected"));
	assert_int_equal(p->sources[0].n_input_lines, 5);
	profile_free(p);
}

static void a_profile_too_far_behind(void **state)
{
	(void)state;
	for (int lines = 99; lines < 103; lines++) {
		char text[1000] = "";
		struct build *build;

		for (int i = 0; i < lines; i++)
			strcat(text, "log\n");
		strcat(text, HEAP);
		struct err *err = read_text(text, &build);
		assert_true((err == NULL) == (lines <= 100));
		if (!err)
			build_free(build);
		err_free(err);
	}
	char *text = malloc((64 << 10) + 200);
	struct build *build;
	memset(text, 'x', 64 << 10);
	strcpy(text + (64 << 10), "\n" HEAP);
	struct err *err = read_text(text, &build);
	assert_non_null(err);
	err_free(err);
	free(text);
}

static void files_that_are_no_profile(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"", "empty"},
		{" <!DOCTYPE html>\nheap profile: 1: 2", "HTML"},
		{"PERFILE2hhhhhhhh", "perf alone"},
		{"goroutine 1 [running]:\nmain.main()\n", "debug=1"},
		{"JAVA PROFILE 1.0.1", "hprof"},
		{"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"}", "speedscope"},
		{"{\"jemalloc\": {}}", "jemalloc's statistics"},
		{"{}", "JSON"},
		{"00400000-00401000 r-xp 00000000 08:01 7 /srv/app\n", "memory map"},
		{"\xff\xfeh", "UTF-16"},
		{"some text", "found \"some text\""},
		{"0123456789abcdefXYZ\n", "found \"0123456789abcdef\""},
		{"goroutine", "found \"goroutine\""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build *build;
		struct err *err = read_text(cases[i][0], &build);

		assert_non_null(err);
		assert_non_null(strstr(err_text(err), "expected a profile"));
		if (!strstr(err_text(err), cases[i][1]))
			fail_msg("%s", err_text(err));
		err_free(err);
	}
}

static void no_line_of_a_binary_file_is_a_profile(void **state)
{
	(void)state;
	static const char data[] = "\1\0\2\n" HEAP;
	struct build *build;
	struct err *err = read_bytes(data, sizeof data - 1, &(struct read_opts){0}, &build);

	assert_non_null(strstr(err_text(err), "found \"\\x01\\x00\\x02\\x0aheap profile\""));
	err_free(err);
}

static void threads_are_jemallocs_alone(void **state)
{
	(void)state;
	struct build *build;
	struct err *err = read_bytes(HEAP, strlen(HEAP), &(struct read_opts){.thread = "1"}, &build);

	assert_non_null(strstr(err_text(err), ": --thread: expected a profile that tells threads apart"));
	err_free(err);
}

/* A writer that waits for a reader must not find one that only looks whether the file is a program. */
static void a_fifo_is_left_alone(void **state)
{
	(void)state;
	char folder[] = "/tmp/pprof_read_test_XXXXXX", path[64];
	struct build *build;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	pid_t writer = fork();
	if (writer == 0) {
		int fd = open(path, O_WRONLY);

		_exit(write(fd, HEAP, strlen(HEAP)) != (ssize_t)strlen(HEAP));
	}
	usleep(20000);
	assert_false(file_is_elf(path));
	usleep(20000);
	assert_int_equal(waitpid(writer, NULL, WNOHANG), 0);
	assert_null(profile_read(path, &(struct read_opts){0}, &build));
	assert_int_equal(build_profile(build)->n_samples, 1);
	build_free(build);
	waitpid(writer, NULL, 0);
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_before_a_profile),      cmocka_unit_test(lines_keep_their_numbers),
		cmocka_unit_test(a_profile_too_far_behind),    cmocka_unit_test(files_that_are_no_profile),
		cmocka_unit_test(threads_are_jemallocs_alone), cmocka_unit_test(no_line_of_a_binary_file_is_a_profile),
		cmocka_unit_test(a_fifo_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

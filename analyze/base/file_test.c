#include "analyze/test.h"

#include "analyze/base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/pprof_test.XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static void write_bytes(const char *path, size_t n)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	close(fd);
}

static void read_good(const char *path, struct bytes *ret)
{
	struct err *err = file_read(path, ret);

	assert_null(err);
}

static void a_mapped_byte_has_the_name_of_its_file(void **state)
{
	(void)state;
	char first[64], second[64];
	struct bytes bytes[2];

	snprintf(first, sizeof first, "%s/first", folder);
	snprintf(second, sizeof second, "%s/second\033[31m", folder);
	write_bytes(first, 12288);
	write_bytes(second, 100);
	read_good(first, &bytes[0]);
	read_good(second, &bytes[1]);
	assert_string_equal(file_mapped_at(bytes[0].data), first);
	assert_string_equal(file_mapped_at(bytes[0].data + bytes[0].size - 1), first);
	/* The NUL behind the bytes lies in the same page of the file. */
	assert_non_null(strstr(file_mapped_at(bytes[1].data + bytes[1].size), "/second\\x1b[31m"));
	assert_null(file_mapped_at(&bytes));
	assert_null(file_mapped_at(NULL));

	const uint8_t *was = bytes[0].data;
	bytes_free(&bytes[0]);
	assert_null(file_mapped_at(was));
	assert_non_null(file_mapped_at(bytes[1].data));
	bytes_free(&bytes[1]);
	unlink(first);
	unlink(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapped_byte_has_the_name_of_its_file),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

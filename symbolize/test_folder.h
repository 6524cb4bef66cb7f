/* A folder for the files of one test program, in which compilers run; for *_test.c alone. */
#pragma once

#include "analyze/test.h"
#include "analyze/base/mem.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char test_folder[] = "/tmp/pprof_test.XXXXXX";

static inline void test_folder_make(void)
{
	assert_non_null(mkdtemp(test_folder));
}

static inline int test_folder_remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/* A cmocka teardown. */
static inline int test_folder_remove(void **state)
{
	(void)state;
	return nftw(test_folder, test_folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The path of a name in the folder; good for the next three calls. */
static inline const char *in_folder(const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
	return path;
}

static inline bool run(const char *format, ...) PRINTF_LIKE(1, 2);

/* Runs a command line there; false: it failed. */
static inline bool run(const char *format, ...)
{
	char command[1024], all[1200];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	snprintf(all, sizeof all, "cd %s && { %s; } >/dev/null 2>&1", test_folder, command);
	return system(all) == 0; /* NOLINT(cert-env33-c): a test says all of the line */
}

/* Hexadecimal numbers that a file there begins with; how many there are. */
static inline unsigned read_hex(const char *name, uint64_t *numbers, unsigned most)
{
	char line[256], *at = line, *end;
	FILE *in = fopen(in_folder(name), "r");
	unsigned n = 0;

	assert_non_null(in);
	if (!fgets(line, sizeof line, in))
		*line = '\0';
	assert_int_equal(fclose(in), 0);
	for (; n < most; n++, at = end) {
		numbers[n] = strtoull(at, &end, 16);
		if (end == at)
			break;
	}
	return n;
}

static inline void write_file(const char *name, const char *text, size_t n)
{
	FILE *out = fopen(in_folder(name), "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
}

/* At most 1 MiB; the caller frees. */
static inline char *read_whole(const char *name, size_t *n)
{
	FILE *in = fopen(in_folder(name), "r");
	char *bytes = mem_alloc(1 << 20, 1);

	assert_non_null(in);
	*n = fread(bytes, 1, 1 << 20, in);
	assert_int_equal(fclose(in), 0);
	return bytes;
}

static inline const char *test_tool(const char *variable, const char *otherwise)
{
	const char *value = getenv(variable);

	return value && *value ? value : otherwise;
}

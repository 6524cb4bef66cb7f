#include "analyze/test.h"

#include "render/out.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/out_test_XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[100];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static char *content(const char *path)
{
	static char text[100];
	FILE *file = fopen(path, "r");

	if (!file)
		return NULL;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	assert_int_equal(fclose(file), 0);
	return text;
}

static void files_appear_when_they_are_whole(void **state)
{
	(void)state;
	struct out *out;

	assert_null(out_file("new", &out));
	out_printf(out, "%d%s", 42, "!");
	assert_int_not_equal(access("new", F_OK), 0);
	assert_null(out_close(out));
	assert_string_equal(content("new"), "42!");
	/* Half a report leaves the old one alone, and no litter. */
	assert_null(out_file(in_folder("new"), &out));
	out_text(out, "half");
	out_discard(out);
	assert_string_equal(content("new"), "42!");
	unlink("new");
}

static void links_stay_links(void **state)
{
	(void)state;
	struct out *out;
	struct stat st;

	assert_int_equal(close(open("real", O_CREAT | O_WRONLY, 0640)), 0);
	assert_int_equal(symlink("real", "link"), 0);
	assert_null(out_file("link", &out));
	out_text(out, "x");
	assert_null(out_close(out));
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("real", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_string_equal(content("real"), "x");
	/* Also one that leads to no file yet. */
	unlink("real");
	assert_null(out_file("link", &out));
	out_text(out, "y");
	assert_null(out_close(out));
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_string_equal(content("real"), "y");
	unlink("link");
	unlink("real");
	/* Where the folder of the file is missing, nothing is made in its place. */
	assert_int_equal(symlink("no/such", "link"), 0);
	struct err *err = out_file("link", &out);
	assert_non_null(strstr(err_text(err), "no/such: No such file or directory"));
	err_free(err);
	assert_int_not_equal(access("no", F_OK), 0);
	unlink("link");
}

/* A report is nobody's program. */
static void a_file_that_is_replaced_is_not_run_as_its_owner(void **state)
{
	(void)state;
	struct out *out;
	struct stat st;

	assert_int_equal(close(open("run", O_CREAT | O_WRONLY, 0700)), 0);
	assert_int_equal(chmod("run", 06755), 0);
	assert_null(out_file("run", &out));
	assert_null(out_close(out));
	assert_int_equal(stat("run", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	unlink("run");
}

/* What was written before through the same descriptor stays. */
static void descriptors_are_not_opened_anew(void **state)
{
	(void)state;
	int fd = open("both", O_CREAT | O_RDWR, 0600);
	char path[32];
	struct out *out;

	assert_int_equal(write(fd, "a", 1), 1);
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	assert_null(out_file(path, &out));
	out_text(out, "b");
	assert_null(out_close(out));
	assert_int_equal(write(fd, "c", 1), 1);
	assert_string_equal(content("both"), "abc");
	close(fd);
	unlink("both");
}

static void write_errors_stick(void **state)
{
	(void)state;
	struct out *out;

	assert_null(out_file("/dev/full", &out));
	for (int i = 0; i < 100000; i++)
		out_text(out, "0123456789");
	assert_true(out_has_failed(out));
	struct err *err = out_close(out);
	assert_non_null(strstr(err_text(err), "/dev/full: the output cannot be written: No space left on device"));
	err_free(err);
	err = out_file("no/such/folder", &out);
	assert_non_null(strstr(err_text(err), "no/such/folder: "));
	err_free(err);
}

static void memory_holds_more_than_a_buffer(void **state)
{
	(void)state;
	struct out *out = out_memory();
	size_t size;

	for (int i = 0; i < 50000; i++)
		out_text(out, "0123456789");
	assert_int_equal(memcmp(out_memory_bytes(out, &size), "0123456789", 10), 0);
	assert_int_equal(size, 500000);
	out_discard(out);
}

/* Takes the stream. */
static void expect_bytes(struct out *out, const char *expected)
{
	size_t size;
	const char *bytes = out_memory_bytes(out, &size);

	assert_int_equal(size, strlen(expected));
	assert_memory_equal(bytes, expected, size);
	out_discard(out);
}

static void pages_show_text_as_text(void **state)
{
	(void)state;
	struct out *out = out_memory();

	out_set_page(out);
	out_markup(out, "<a href=\"#");
	out_printf(out, "%s%d", "\"", 1);
	out_markup(out, "\">&amp;");
	out_name(out, "a<b>&amp;'\x1b");
	out_bytes(out, "</a>", 4);
	out_markup(out, "</a>");
	expect_bytes(out, "<a href=\"#&quot;1\">&amp;a&lt;b&gt;&amp;amp;'\\x1b&lt;/a&gt;</a>");
}

static void expect_json(const char *text, const char *expected)
{
	struct out *out = out_memory();

	out_json(out, text);
	expect_bytes(out, expected);
}

static void json_is_inert(void **state)
{
	(void)state;
	expect_json("", "\"\"");
	expect_json("a\"b\\c", "\"a\\\"b\\\\c\"");
	expect_json("caf\xc3\xa9 \xf0\x9f\x98\x80", "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
	expect_json("\n\x1b\x7f", "\"\\u000a\\u001b\\u007f\"");
	expect_json("\xff\xc3(\xe2\x82", "\"\\ufffd\\ufffd(\\ufffd\\ufffd\"");
	expect_json("\xe2\x80\xae</script>", "\"\\u202e\\u003c/script>\"");
	/* No character, and beyond 16 bits. */
	expect_json("\xf0\x9f\xbf\xbe", "\"\\ud83f\\udffe\"");
}

static void expect_number(double value, const char *expected)
{
	struct out *out = out_memory();

	out_json_number(out, value);
	expect_bytes(out, expected);
}

static void json_numbers_are_exact(void **state)
{
	(void)state;
	expect_number(0, "0");
	expect_number(-0.0, "0");
	expect_number(-9007199254740991.0, "-9007199254740991");
	expect_number(0x1p63, "9223372036854775807");
	expect_number(0.1, "0.1");
	expect_number(1.0 / 3, "0.3333333333333333");
	expect_number(0.1 + 0.2, "0.30000000000000004");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_appear_when_they_are_whole),
		cmocka_unit_test(links_stay_links),
		cmocka_unit_test(files_appear_when_they_are_whole),
		cmocka_unit_test(a_file_that_is_replaced_is_not_run_as_its_owner),
		cmocka_unit_test(descriptors_are_not_opened_anew),
		cmocka_unit_test(write_errors_stick),
		cmocka_unit_test(memory_holds_more_than_a_buffer),
		cmocka_unit_test(json_is_inert),
		cmocka_unit_test(pages_show_text_as_text),
		cmocka_unit_test(json_numbers_are_exact),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

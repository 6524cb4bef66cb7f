#include "analyze/test.h"

#include "analyze/read/maps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Reads a map; location k + 1 is that of addrs[k]. */
static struct profile *read_map(const char *text, const uint64_t *addrs, uint32_t n)
{
	struct build *build = build_new();
	struct cursor in;

	build_source(build, "t.heap", "heap");
	for (uint32_t i = 0; i < n; i++)
		build_loc(build, addrs[i]);
	cursor_init(&in, "t.heap", text, strlen(text));
	maps_read(&in, build);
	return build_finish(build);
}

#define READ_MAP(text, ...) \
	read_map(text, (const uint64_t[]){__VA_ARGS__}, sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static const char *file_of(const struct profile *p, uint32_t loc)
{
	return profile_text(p, p->objects[p->locs[loc].object.row].file);
}

/* What location 1, at 0x401234, is expected to be. */
struct shape {
	const char *text;
	const char *file;
	uint64_t offset;
	const char *build_id;
};

static void rows_of_every_shape(void **state)
{
	(void)state;
	static const struct shape shapes[] = {
		/* Linux, gperftools. */
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/x", "/srv/x", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7 /srv/x", "/srv/x", 0x1234, ""},
		{"\t00401000-00402000\tr-xs\t00001000\tfd:01\t7\t/srv/x", "/srv/x", 0x1234, ""},
		{"00401000-00402000 --xp 00001000 103:02 99999999999999999999 /srv/x", "/srv/x", 0x1234, ""},
		{"0x401000-0X402000 r-xp 0x1000 00:00 0 /srv/x", "/srv/x", 0x1234, ""},
		{"00401000-00402000 r-xp 00000AbC 00:00 0 /srv/x", "/srv/x", 0xabc + 0x234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/a b  c (x).so.1.2-beta", "/srv/a b  c (x).so.1.2-beta",
	     0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/x (deleted)", "/srv/x", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/x (deleted) (deleted)", "/srv/x (deleted)", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/a\\012b", "/srv/a\nb", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/a\\040b\\000\\777\\1", "/srv/a b\\000\\777\\1", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     C:\\srv\\x.dll", "C:\\srv\\x.dll", 0x1234, ""},
		{"00401000-00402000 r-xp 00001000 08:01 7     /srv/$x=1", "/srv/$x=1", 0x1234, ""},
		/* Cooked and brief. */
		{"  00401000-00402000: /srv/x", "/srv/x", 0x234, ""},
		{"  00401000-00402000: server main", "server main", 0x234, ""},
		{"00401000-00402000: [vdso]", "[vdso]", 0x234, ""},
		{"00401000-00402000 /srv/x", "/srv/x", 0x234, ""},
		{"0x401000-0x402000 /srv/x (@FF00) abC123", "/srv/x", 0xff00 + 0x234, "abc123"},
		{"0x401000-0x402000: r-xp /srv/x (@1000)", "/srv/x", 0x1234, ""},
		{"0x401000 0x402000 r-xp /srv/x (@0x1000)", "/srv/x", 0x1234, ""},
		{"401000   402000 /srv/x 0123456789abcdef", "/srv/x", 0x234, "0123456789abcdef"},
		{"401000-402000 /srv/my cafe", "/srv/my cafe", 0x234, ""},
		{"401000-402000 /srv/x (@1000) abc", "/srv/x", 0x1234, ""},       /* odd: no build id */
		{"401000-402000 /srv/x (@1000) sha1-abcd", "/srv/x", 0x1234, ""}, /* no hexadecimal number */
		{"401000-402000 /srv/x (deleted) (@1000)", "/srv/x", 0x1234, ""},
		/* FreeBSD. */
		{"0x400000 0x402000 26 0 0xfffff80003 r-x 2 1 0x1000 COW NC vnode /libexec/ld-elf.so.1 NCH -1",
	     "/libexec/ld-elf.so.1", 0x1234, ""},
		{"0x400000 0x401000 26 0 0xfffff80003 r-- 2 1 0x0 COW NC vnode /srv/a b\n"
	     "0x401000 0x402000 26 0 0xfffff80003 r-x 2 1 0x0 NCOW NNC vnode /srv/a b",
	     "/srv/a b", 0x1234, ""},
		/* macOS. */
		{"__TEXT                 00401000-00402000 [   16K    16K     0K     0K] r-x/rwx SM=COW          /srv/a b",
	     "/srv/a b", 0x234, ""},
		/* Logs. */
		{"I0131 10:20:30.123456 789 maps.cc:12] 00401000-00402000 r-xp 00001000 08:01 7 /srv/x", "/srv/x", 0x1234, ""},
		{"E0131 10:20:30.123456 789 maps.cc:12]   401000-402000: /srv/x", "/srv/x", 0x234, ""},
		/* Variables. */
		{"build=/srv\n401000-402000: $build/x", "/srv/x", 0x234, ""},
		{"  build = /srv/a b \n401000-402000 r-xp 00001000 08:01 7 $build/x (deleted)", "/srv/a b/x", 0x1234, ""},
		{"b=/no\nbuild=/old\nbuild=/srv$b\n401000-402000: $build/$b$c/x", "/srv$b//no$c/x", 0x234, ""},
		{"f.cc:1] build=/srv\nf.cc:2] 401000-402000: $build/x", "/srv/x", 0x234, ""},
	};

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct profile *p = READ_MAP(shapes[i].text, 0x401234);
		const struct location *loc = &p->locs[1];
		const char *last = strrchr(shapes[i].text, '\n');

		assert_string_equal(file_of(p, 1), shapes[i].file);
		assert_int_equal(loc->offset, shapes[i].offset);
		assert_string_equal(profile_text(p, p->objects[loc->object.row].build_id), shapes[i].build_id);
		assert_int_equal(p->objects[loc->object.row].deleted, strstr(shapes[i].text, "(deleted)") != NULL);
		assert_false(loc->in_hole);
		last = last ? last + 1 : shapes[i].text;
		assert_true(maps_is_row((struct span){last, last + strlen(last)}));
		profile_free(p);
	}
}

static void lines_that_are_no_rows(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"",
		"MAPPED_LIBRARIES:",
		"401000",
		"401000-",
		"401000-402000",
		"401000-402000 r-xp",
		"401000-402000 r-xp 00001000",
		"401000-402000 r-xp 00001000 08:01",
		"401000-402000 r-xp 00001000 08:01 7a",
		"401000-402000/srv/x",
		"401000-402000 x",
		"402000-401000 r-xp 00001000 08:01 7 /srv/x",
		"401000-401000 r-xp 00001000 08:01 7 /srv/x",
		"10000000000401000-10000000000402000 r-xp 00001000 08:01 7 /srv/x",
		"401000-402000 (@1000)",
		"401000-402000:",
		"0x401000 0x402000 26 0 0xfffff80003 r-x 2 1 0x1000 vnode /srv/x",
		"__TEXT 00401000-00402000 r-x/rwx SM=COW /srv/x",
		"__TEXT 00401000-00402000 [16K] r-x/rwx SM=COW",
		"__DATA 00401000-00402000 [16K] rw-/rwx SM=COW /srv/x",
		"  19490304       27 @ 0xbccc97 0xc61202",
		"100 1000 @ 0xbccc97",
		"1: 100 [1: 100] @ 0x11 0x21",
		" 0x00000003 com.example.Foo (Foo.java:12)",
		"--- Memory map: ---",
		"cycles/second = 3201000000",
		"[x] f.cc:1] 401000-402000: /srv/x",
		"f.cc:] 401000-402000: /srv/x",
		"f.cc:1]401000-402000: /srv/x",
		":1] 401000-402000: /srv/x",
		"=x",
		"2024-06-01 12:00 all is well",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct profile *p = READ_MAP(lines[i], 0x401234);

		assert_int_equal(p->n_maps, 1);
		assert_int_equal(p->locs[1].object.row, 0);
		assert_false(maps_is_row((struct span){lines[i], lines[i] + strlen(lines[i])}));
		profile_free(p);
	}
}

/* A map may multiply its text by its variables, but not without an end. */
static void variables_are_bounded(void **state)
{
	(void)state;
	enum { VALUE = 1 << 20, ROWS = 100 };
	char *text = malloc(VALUE + ROWS * 40);
	char *at = text + sprintf(text, "v=");

	memset(at, 'y', VALUE);
	at += VALUE;
	for (int i = 0; i < ROWS; i++)
		at += sprintf(at, "\n%x000-%x000: /$v%d", i + 1, i + 2, i);
	struct profile *p = READ_MAP(text, 0x1000, (uint64_t)ROWS * 0x1000);
	size_t length = 0;

	assert_int_equal(strlen(file_of(p, 1)), PATH_MAX - 1);
	assert_string_equal(file_of(p, 2), "/$v99");
	for (uint32_t i = 0; i < p->n_strs; i++)
		length += p->strs[i].length;
	assert_true(length < (17 << 20));
	profile_free(p);
	free(text);
}

static void one_file_at_several_places(void **state)
{
	(void)state;
	struct profile *p = READ_MAP("10000-11000 r--p 00000000 08:01 7 /lib/x.so\n"
	                             "11000-12000 r-xp 00001000 08:01 7 /lib/x.so\n"
	                             "20000-21000 r--p 00000000 08:01 7 /lib/x.so\n"
	                             "21000-22000 r-xp 00001000 08:01 7 /lib/x.so\n"
	                             "31000-32000 r-xp 00003000 08:01 8 /opt/x.so\n",
	                             0x11010, 0x21020, 0x31030);

	assert_int_equal(p->locs[1].vaddr, 0x1010);
	assert_int_equal(p->locs[2].vaddr, 0x1020);
	assert_int_equal(p->locs[1].object.row, p->locs[2].object.row);
	assert_int_not_equal(p->locs[1].map.row, p->locs[2].map.row);
	assert_string_equal(file_of(p, 3), "/opt/x.so");
	assert_int_equal(p->locs[3].offset, 0x3030);
	profile_free(p);
}

/* Memory in a row of any kind, between, before and behind rows of the file. */
static void memory_is_placed_by_its_neighbours(void **state)
{
	(void)state;
	static const char *const kinds[] = {
		"00:00 0",
		"00:0f 9 /anon_hugepage",
		"00:0f 9 /anon_hugepage (deleted)",
		"00:01 9 /memfd:text (deleted)",
		"00:01 9 //anon",
		"00:01 9 /dev/zero (deleted)",
		"00:01 9 /SYSV00000000 (deleted)",
		"00:00 0 [anon:text]",
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char text[500];

		snprintf(text, sizeof text,
		         "10000-11000 r--p 00000000 08:01 7 /srv/x\n"
		         "11000-12000 r-xp 00000000 %s\n"
		         "12000-13000 r-xp 00002000 08:01 7 /srv/x\n"
		         "13000-14000 r-xp 00000000 %s\n"
		         "14000-15000 r-xp 00001000 00:00 0\n"
		         "15000-16000 r-xp 00005000 08:01 7 /srv/x\n"
		         "16000-17000 r-xp 00000000 %s\n"
		         "20000-21000 r-xp 00005000 00:00 0\n",
		         kinds[i], kinds[i], kinds[i]);
		struct profile *p = READ_MAP(text, 0x11010, 0x12010, 0x13010, 0x14010, 0x15010, 0x16010, 0x20010);
		for (uint32_t k = 1; k <= 6; k++) {
			assert_string_equal(file_of(p, k), "/srv/x");
			assert_int_equal(p->locs[k].offset, k * 0x1000 + 0x10);
			assert_int_equal(p->locs[k].vaddr, p->locs[k].offset);
			assert_int_equal(p->locs[k].in_hole, k != 2 && k != 5);
			assert_int_not_equal(p->locs[k].map.row, 0);
		}
		assert_int_equal(p->locs[7].object.row, 0);
		assert_int_equal(p->locs[7].offset, 0x20010);
		assert_false(p->locs[7].in_hole);
		profile_free(p);
	}
}

static void the_row_that_reaches_down_comes_first(void **state)
{
	(void)state;
	struct profile *p = READ_MAP("10000-11000 r-xp 00000000 08:01 7 /lib/low.so\n"
	                             "11000-14000 r-xp 00000000 00:00 0\n"
	                             "14000-15000 r-xp 00001000 08:01 8 /lib/high.so\n",
	                             0x12fff, 0x13000);

	assert_string_equal(file_of(p, 1), "/lib/low.so");
	assert_int_equal(p->locs[1].offset, 0x2fff);
	assert_string_equal(file_of(p, 2), "/lib/high.so");
	assert_int_equal(p->locs[2].offset, 0);
	profile_free(p);
}

/* The whole text is memory: the rows of data around it tell, if they are of one file and one distance. */
static void data_rows_place_the_memory_between_them(void **state)
{
	(void)state;
	static const char map[] = "10000-11000 r--p 00000000 08:01 7 /srv/x\n"
							  "11000-12000 r-xp 00000000 00:00 0\n"
							  "1%c000-13000 r--p 00002000 08:01 %c /srv/%c\n";
	char text[200];

	snprintf(text, sizeof text, map, '2', '7', 'x');
	struct profile *p = READ_MAP(text, 0x11010);
	assert_string_equal(file_of(p, 1), "/srv/x");
	assert_int_equal(p->locs[1].offset, 0x1010);
	assert_true(p->locs[1].in_hole);
	profile_free(p);
	snprintf(text, sizeof text, map, '2', '8', 'y');
	p = READ_MAP(text, 0x11010);
	assert_int_equal(p->locs[1].object.row, 0);
	profile_free(p);
}

static void memory_without_a_neighbour_is_its_own(void **state)
{
	(void)state;
	struct profile *p =
		READ_MAP("10000-11000 r-xp 00002000 00:01 9 /memfd:jit cache (deleted)\n"
	             "11000-12000 rwxp 00000000 00:00 0 [heap]\n"
	             "12000-13000 rwxp 00000000 00:00 0\n"
	             "20000-21000 r-xp 00000000 00:00 0 [vdso]\n"
	             "21000-22000 rwxp 00000000 00:00 0\n"
	             "30000-31000 r-xp 00000000 00:00 0 [uprobes]\n"
	             "40000-41000 --xp 00000000 00:00 0 [vsyscall]\n"
	             "50000-51000 r-xp 00000000 00:00 0 linux-vdso.so.1\n"
	             "60000-61000: linux-gate.so.1\n"
	             "70000-71000 r-xp 00000000 00:0f 9 anon_inode:[perf_event]\n"
	             "80000-81000 rw-p 00000000 00:00 0 [stack]\n",
	             0x10010, 0x11010, 0x12010, 0x20010, 0x21010, 0x30010, 0x40010, 0x50010, 0x60010, 0x70010, 0x80010);
	static const char *const files[] = {
		"/memfd:jit cache",
		"[heap]",
		"",
		"[vdso]",
		"",
		"[uprobes]",
		"[vsyscall]",
		"linux-vdso.so.1",
		"linux-gate.so.1",
		"anon_inode:[perf_event]",
		"",
	};

	for (uint32_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct location *loc = &p->locs[i + 1];

		assert_string_equal(file_of(p, i + 1), files[i]);
		assert_int_equal(p->objects[loc->object.row].fate, *files[i] ? OBJECT_SPECIAL : OBJECT_UNTRIED);
		assert_false(loc->in_hole);
	}
	assert_int_equal(p->locs[1].offset, 0x2010);
	profile_free(p);
}

static void a_missing_front_is_placed_by_the_row_above(void **state)
{
	(void)state;
	struct profile *p = READ_MAP("12000-13000 r-xp 00000000 00:00 0\n"
	                             "13000-14000 r-xp 00002000 08:01 7 /srv/x\n",
	                             0x10fff, 0x11000, 0x12000);

	assert_int_equal(p->locs[1].object.row, 0);
	assert_int_equal(p->locs[1].offset, 0x10fff);
	assert_string_equal(file_of(p, 2), "/srv/x");
	assert_int_equal(p->locs[2].offset, 0);
	assert_true(p->locs[2].in_hole);
	assert_int_equal(p->locs[3].offset, 0x1000);
	assert_true(p->locs[3].in_hole);
	profile_free(p);
}

static void rows_that_overlap_are_cut(void **state)
{
	(void)state;
	struct profile *p =
		READ_MAP("12000-14000 r-xp 00000000 08:01 8 /srv/y\n"
	             "10000-13000 r-xp 00000000 08:01 7 /srv/x\n"
	             "10000-13000 r-xp 00000000 08:01 7 /srv/x\n"
	             "11000-12000 r-xp 00000000 08:01 9 /srv/z\n"
	             "13000-13001 r-xp 00000000 08:01 9 /srv/z\n"
	             "fffffffffffff000-ffffffffffffffff r-xp fffffffffffff000 08:01 9 /srv/w\n",
	             0xffff, 0x10000, 0x11000, 0x12fff, 0x13000, 0x13fff, 0x14000, UINT64_MAX - 1, UINT64_MAX, 0);
	static const char *const files[] = {"",       "/srv/x", "/srv/x", "/srv/x", "/srv/y",
	                                    "/srv/y", "/srv/w", "/srv/w", "",       ""};

	for (uint32_t i = 0; i < sizeof files / sizeof *files; i++)
		assert_string_equal(file_of(p, i + 1), files[i]);
	assert_int_equal(p->locs[5].offset, 0x1000);
	assert_int_equal(p->n_maps, 4);
	for (uint32_t i = 2; i < p->n_maps; i++)
		assert_true(p->maps[i - 1].limit <= p->maps[i].start);
	profile_free(p);
}

static void large_maps_take_no_time(void **state)
{
	(void)state;
	enum { ROWS = 100000 };
	char *text = malloc((size_t)ROWS * 80);
	uint64_t *addrs = malloc(ROWS * sizeof *addrs);
	char *at = text;

	/* Memory between two files, in as many rows as there are: each address has to find both. */
	for (int i = 0; i < ROWS; i++) {
		uint64_t start = 0x10000 + (uint64_t)(ROWS - i) * 0x1000;

		at += sprintf(at, "%lx-%lx r-xp 00000000 00:00 0 %s\n", start, start + 0x1000,
		              i == 0 || i == ROWS - 1 ? "/srv/x" : "");
		addrs[i] = start + 0x10;
	}
	clock_t begin = clock();
	struct profile *p = read_map(text, addrs, ROWS);
	double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;

	assert_int_equal(p->n_maps, ROWS + 1);
	assert_int_equal(p->locs[ROWS / 2].in_hole, 1);
	print_message("%d rows and as many addresses: %.3f s\n", ROWS, seconds);
	assert_true(seconds < 5);
	profile_free(p);
	free(text);
	free(addrs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_every_shape),
		cmocka_unit_test(lines_that_are_no_rows),
		cmocka_unit_test(variables_are_bounded),
		cmocka_unit_test(one_file_at_several_places),
		cmocka_unit_test(memory_is_placed_by_its_neighbours),
		cmocka_unit_test(the_row_that_reaches_down_comes_first),
		cmocka_unit_test(data_rows_place_the_memory_between_them),
		cmocka_unit_test(memory_without_a_neighbour_is_its_own),
		cmocka_unit_test(a_missing_front_is_placed_by_the_row_above),
		cmocka_unit_test(rows_that_overlap_are_cut),
		cmocka_unit_test(large_maps_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

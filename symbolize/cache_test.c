#include "symbolize/cache.h"
#include "analyze/base/gzip.h"
#include "symbolize/cache_folder.h"
#include "symbolize/test_folder.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <utime.h>

#define N(array) (sizeof(array) / sizeof *(array))
#define ID "5f0c04730c8304d75fc8b5e2fc53b91092fd1e16"

/* ---- a cache folder for each test ---- */

struct fixture {
	struct cache_key key;
	struct diag diag;
	char folder[64];
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof *f);
	static int number;

	snprintf(f->folder, sizeof f->folder, "%s/%d/pprof", test_folder, number++);
	f->key = (struct cache_key){
		.folder = f->folder,
		.build_id = ID,
		.debug_build_id = ID,
		.object_bytes = 1000,
		.object_mtime_ns = 1700000000123456789,
		.debug_bytes = 5000,
		.debug_mtime_ns = 1700000000987654321,
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	diag_clear(&f->diag);
	free(f);
	return 0;
}

static const char *path_of(const struct fixture *f)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/" ID ".v1", f->folder);
	return path;
}

static uint8_t *load(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY);
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	uint8_t *bytes = mem_alloc((size_t)st.st_size, 1);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	*n = (size_t)st.st_size;
	return bytes;
}

/* Over the bytes that are there: a file system may wait for the disk where they are thrown away first. */
static void store(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	close(fd);
}

static uint32_t files_in(const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, NULL);

	assert_true(n >= 2);
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	return (uint32_t)n - 2; /* "." and ".." */
}

static bool has_note(const struct fixture *f, const char *text)
{
	for (uint32_t i = 0; i < f->diag.n; i++)
		if (strstr(f->diag.notes[i].text, text))
			return true;
	return false;
}

/* Nothing of it is said without -v. */
static void check_quiet(const struct fixture *f)
{
	for (uint32_t i = 0; i < f->diag.n; i++)
		assert_int_equal(f->diag.notes[i].level, NOTE_DETAIL);
}

/* ---- answers ---- */

static const struct cache_frame INLINED[] = {
	{"_ZN4pool4takeEv", "/src/pool.cc", 12, 3, 10},
	{"_ZN4pool7convertEi", "/src/pool.cc", 40, 9, 33},
	{"main", "/src/main.cc", 7, 0, 1},
};
static const struct cache_frame STRANGE[] = {{"\033[31m\n\xff\xfe\t ;\"<\\", "/s r\n/\x80", UINT32_MAX, UINT32_MAX, 0}};
static const struct cache_frame NAMELESS[] = {{NULL, NULL, 0, 0, 0}};
static const struct cache_frame OTHER[] = {{"_start", "", 0, 0, 0}};

static const struct cache_answer ANSWERS[] = {
	{0x401000, INLINED, N(INLINED)},   {0, OTHER, N(OTHER)}, {UINT64_MAX, STRANGE, N(STRANGE)}, {0x401100, NULL, 0},
	{0x401004, NAMELESS, N(NAMELESS)},
};

static void check_frame(struct cache_frame found, const struct cache_frame *expected)
{
	assert_string_equal(found.system_name, expected->system_name ? expected->system_name : "");
	assert_string_equal(found.file, expected->file ? expected->file : "");
	assert_int_equal(found.line, expected->line);
	assert_int_equal(found.column, expected->column);
	assert_int_equal(found.start_line, expected->start_line);
}

static void check_answer(const struct cache *cache, const struct cache_answer *answer)
{
	struct cache_span span;

	assert_true(cache_find(cache, answer->vaddr, &span));
	assert_int_equal(span.n, answer->n_frames);
	for (uint32_t i = 0; i < span.n; i++)
		check_frame(cache_frame_at(cache, span, i), &answer->frames[i]);
}

static struct cache *open_cache(struct fixture *f)
{
	diag_clear(&f->diag);
	struct cache *cache = cache_open(&f->key, &f->diag);
	check_quiet(f);
	return cache;
}

static void save(struct fixture *f, const struct cache *old, const struct cache_answer *answers, uint32_t n)
{
	diag_clear(&f->diag);
	cache_save(&f->key, old, answers, n, &f->diag);
	check_quiet(f);
}

static void save_all(struct fixture *f)
{
	save(f, NULL, ANSWERS, N(ANSWERS));
	assert_true(has_note(f, "Wrote symbol cache"));
}

static bool can_open(struct fixture *f)
{
	struct cache *cache = open_cache(f);

	cache_close(cache);
	return cache != NULL;
}

static void check_refused(struct fixture *f, const char *reason)
{
	assert_false(can_open(f));
	assert_true(has_note(f, reason));
}

static void check_holds_all(struct fixture *f)
{
	struct cache *cache = open_cache(f);

	assert_non_null(cache);
	for (size_t i = 0; i < N(ANSWERS); i++)
		check_answer(cache, &ANSWERS[i]);
	cache_close(cache);
}

/* ---- what is saved is found ---- */

static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct cache_span span;
	struct stat st;

	check_refused(f, ID ".v1: no such file");
	save_all(f);
	check_holds_all(f);
	struct cache *cache = open_cache(f);
	assert_true(has_note(f, "Using symbol cache"));
	assert_false(cache_find(cache, 1, &span));
	assert_false(cache_find(cache, 0x401001, &span));
	assert_false(cache_find(cache, UINT64_MAX - 1, &span));
	cache_close(cache);
	assert_int_equal(files_in(f->folder), 1);
	assert_int_equal(stat(path_of(f), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(f->folder, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
}

static void test_equal_texts_are_one(void **state)
{
	static char copy[] = "/src/pool.cc";
	const struct cache_frame frames[] = {INLINED[0], {"other", copy, 1, 1, 1}};
	const struct cache_answer answer = {1, frames, 2};
	struct fixture *f = *state;
	struct cache_span span;

	save(f, NULL, &answer, 1);
	struct cache *cache = open_cache(f);
	assert_true(cache_find(cache, 1, &span));
	assert_ptr_equal(cache_frame_at(cache, span, 0).file, cache_frame_at(cache, span, 1).file);
	cache_close(cache);
}

/* However the answers came about, the bytes are the same. */
static void test_merge(void **state)
{
	struct fixture *f = *state;
	size_t n, n_merged;

	save_all(f);
	uint8_t *whole = load(path_of(f), &n);
	unlink(path_of(f));
	for (size_t i = N(ANSWERS); i-- > 0;) {
		struct cache *old = open_cache(f);

		save(f, old, &ANSWERS[i], 1);
		cache_close(old);
	}
	check_holds_all(f);
	uint8_t *merged = load(path_of(f), &n_merged);
	assert_int_equal(n_merged, n);
	assert_memory_equal(merged, whole, n);
	free(merged);
	free(whole);
}

static void test_new_answer_wins(void **state)
{
	const struct cache_answer fresh[] = {{0x401000, OTHER, N(OTHER)}, {0x401000, INLINED, N(INLINED)}};
	struct fixture *f = *state;

	save_all(f);
	struct cache *old = open_cache(f);
	save(f, old, fresh, N(fresh));
	cache_close(old);
	struct cache *cache = open_cache(f);
	check_answer(cache, &fresh[0]);
	for (size_t i = 1; i < N(ANSWERS); i++)
		check_answer(cache, &ANSWERS[i]);
	cache_close(cache);
}

static void test_nothing_new(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	save(f, NULL, ANSWERS, 0);
	assert_int_equal(stat(f->folder, &st), -1);
}

/* ---- what is not of this key is not believed ---- */

static void check_other_key(struct fixture *f)
{
	check_refused(f, "made of other files");
}

static void test_other_key(void **state)
{
	struct fixture *f = *state;
	const struct cache_key key = f->key;

	save_all(f);
	f->key.object_bytes++;
	check_other_key(f);
	f->key = key;
	f->key.object_mtime_ns++;
	check_other_key(f);
	f->key = key;
	f->key.debug_bytes++;
	check_other_key(f);
	f->key = key;
	f->key.debug_mtime_ns++;
	check_other_key(f);
	f->key = key;
	f->key.debug_build_id = "abcdef";
	check_other_key(f);
	f->key.debug_build_id = NULL;
	check_other_key(f);
	f->key = key;
	check_holds_all(f);
}

/* The file of one object under the name of another. */
static void test_other_build_id(void **state)
{
	struct fixture *f = *state;
	char path[256];

	save_all(f);
	snprintf(path, sizeof path, "%s/abcdef.v1", f->folder);
	assert_int_equal(link(path_of(f), path), 0);
	f->key.build_id = "abcdef";
	check_other_key(f);
}

static void test_no_cache(void **state)
{
	static const char *const BAD[] = {"ab", "", "../../../x", "abcdeg", "ABCDEF", "ab/../c", NULL};
	struct fixture *f = *state;
	struct stat st;

	for (size_t i = 0; i < N(BAD); i++) {
		f->key.build_id = BAD[i];
		assert_false(can_open(f));
		save(f, NULL, ANSWERS, N(ANSWERS));
	}
	f->key.build_id = ID;
	f->key.folder = NULL;
	assert_false(can_open(f));
	save(f, NULL, ANSWERS, N(ANSWERS));
	f->key.folder = "";
	assert_false(can_open(f));
	save(f, NULL, ANSWERS, N(ANSWERS));
	assert_int_equal(stat(f->folder, &st), -1);
}

/* ---- damage ---- */

static void test_bit_flips(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	for (size_t i = 0; i < 8 * n; i++) {
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
		store(path_of(f), bytes, n);
		check_refused(f, "damaged");
		bytes[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	free(bytes);
}

static void test_cuts(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	bytes = mem_realloc(bytes, n + 1, 1);
	bytes[n] = '\0';
	for (size_t i = 0; i < n; i++) {
		store(path_of(f), bytes, i);
		check_refused(f, "damaged");
	}
	store(path_of(f), bytes, n + 1);
	check_refused(f, "damaged");
	free(bytes);
}

static void put_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof value);
}

/* Stores the bytes with a checksum that fits. */
static void forge(struct fixture *f, const uint8_t *bytes, size_t n)
{
	uint8_t *copy = mem_alloc(n, 1);

	memcpy(copy, bytes, n);
	put_u32(copy + 8, gzip_crc32(0, copy + 12, n - 12));
	store(path_of(f), copy, n);
	free(copy);
}

static void touch_frame(struct cache_frame frame)
{
	assert_true(strlen(frame.system_name) + strlen(frame.file) < 1000);
}

/* Reads whatever it says; there is no wrong answer here, but to leave the file's bytes. */
static void read_all(const struct cache *cache)
{
	struct cache_span span;

	for (size_t i = 0; i < N(ANSWERS); i++)
		if (cache_find(cache, ANSWERS[i].vaddr, &span))
			for (uint32_t k = 0; k < span.n; k++)
				touch_frame(cache_frame_at(cache, span, k));
}

/* Every number of the file is set to what it should not be. */
static void test_forged(void **state)
{
	static const uint32_t VALUES[] = {0, 1, 7, 1000, INT32_MAX, UINT32_MAX - 1, UINT32_MAX};
	struct fixture *f = *state;
	uint32_t n_believed = 0;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	forge(f, bytes, n);
	check_holds_all(f);
	for (size_t at = 12; at + 4 <= n; at += 4) {
		for (size_t i = 0; i < N(VALUES); i++) {
			uint32_t was;

			memcpy(&was, bytes + at, 4);
			put_u32(bytes + at, VALUES[i]);
			forge(f, bytes, n);
			put_u32(bytes + at, was);
			struct cache *cache = open_cache(f);
			if (cache)
				read_all(cache);
			n_believed += cache != NULL;
			cache_close(cache);
		}
	}
	assert_true(n_believed > 0);
	free(bytes);
}

static void test_forged_end(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	bytes[n - 1] = 'x';
	forge(f, bytes, n);
	check_refused(f, "damaged");
	free(bytes);
}

/* The first text is the build id of the tool that wrote it, which is this program. */
static void test_other_tool(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	uint8_t *object = memmem(bytes, n, ID, sizeof ID);
	assert_non_null(object);
	object[-2] ^= 1;
	forge(f, bytes, n);
	check_refused(f, "another build of this program");
	free(bytes);
}

static void test_other_version(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	uint8_t *bytes = load(path_of(f), &n);
	bytes[7]++;
	forge(f, bytes, n);
	check_refused(f, "not of this version");
	bytes[7]--;
	for (int i = 0; i < 2; i++) {
		uint8_t byte = bytes[12 + i];

		bytes[12 + i] = bytes[15 - i];
		bytes[15 - i] = byte;
	}
	forge(f, bytes, n);
	check_refused(f, "not of this version");
	save_all(f);
	check_holds_all(f);
	free(bytes);
}

/* ---- what lies in its place ---- */

static void test_link(void **state)
{
	struct fixture *f = *state;
	char target[256];
	size_t n;

	save_all(f);
	snprintf(target, sizeof target, "%s/target", f->folder);
	assert_int_equal(rename(path_of(f), target), 0);
	assert_int_equal(symlink("target", path_of(f)), 0);
	assert_false(can_open(f));
	save(f, NULL, ANSWERS, 1);
	assert_true(can_open(f));
	uint8_t *bytes = load(target, &n);
	assert_int_equal(memcmp(bytes, "symbols1", 8), 0);
	store(path_of(f), bytes, n);
	check_holds_all(f);
	free(bytes);
}

static void test_fifo(void **state)
{
	struct fixture *f = *state;

	save_all(f);
	unlink(path_of(f));
	assert_int_equal(mkfifo(path_of(f), 0600), 0);
	check_refused(f, "expected a regular file");
	save_all(f);
	check_holds_all(f);
}

static void test_folder_in_place(void **state)
{
	struct fixture *f = *state;

	save_all(f);
	unlink(path_of(f));
	assert_int_equal(mkdir(path_of(f), 0700), 0);
	check_refused(f, "expected a regular file");
	save(f, NULL, ANSWERS, N(ANSWERS));
	assert_false(can_open(f));
	assert_int_equal(files_in(f->folder), 1);
}

static void test_too_large(void **state)
{
	struct fixture *f = *state;

	save_all(f);
	assert_int_equal(truncate(path_of(f), CACHE_LARGEST_FILE + 1), 0);
	check_refused(f, "expected at most");
}

static void test_writable_by_others(void **state)
{
	struct fixture *f = *state;

	save_all(f);
	chmod(path_of(f), 0620);
	check_refused(f, "by this user alone");
	chmod(path_of(f), 0602);
	check_refused(f, "by this user alone");
	chmod(path_of(f), 0644);
	check_holds_all(f);
	chmod(f->folder, 0777);
	check_refused(f, "by this user alone");
	save(f, NULL, ANSWERS, 1);
	chmod(f->folder, 0700);
	check_holds_all(f);
}

static void test_of_another_user(void **state)
{
	struct fixture *f = *state;

	if (geteuid() != 0)
		skip();
	save_all(f);
	assert_int_equal(chown(path_of(f), 65534, 65534), 0);
	check_refused(f, "belong to this user");
	save_all(f);
	check_holds_all(f);
	assert_int_equal(chown(f->folder, 65534, 65534), 0);
	check_refused(f, "belong to this user");
}

/* ---- what cannot be written ---- */

/* 0: what the child did is as expected. */
static int status_of(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static _Noreturn void leave(bool is_good)
{
	_exit(is_good ? 0 : 1);
}

/* Root may write anywhere; somebody else takes the folder. */
static bool become_nobody(const char *folder)
{
	return geteuid() != 0 || (chown(folder, 65534, 65534) == 0 && chmod(test_folder, 0755) == 0 && setuid(65534) == 0);
}

static void test_read_only_folder(void **state)
{
	struct fixture *f = *state;
	char outer[64];

	save_all(f);
	snprintf(outer, sizeof outer, "%.*s", (int)(strrchr(f->folder, '/') - f->folder), f->folder);
	pid_t child = fork();
	if (child == 0) {
		bool is_good = chmod(outer, 0755) == 0 && chmod(f->folder, 0500) == 0 && become_nobody(f->folder);

		save(f, NULL, ANSWERS, 1);
		leave(is_good && has_note(f, strerror(EACCES)));
	}
	assert_int_equal(status_of(child), 0);
	assert_int_equal(files_in(f->folder), 1);
	chown(f->folder, geteuid(), getegid());
	chmod(f->folder, 0700);
	check_holds_all(f);
}

static void test_no_folder(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	write_file("plain", "", 0);
	f->key.folder = in_folder("plain/pprof");
	save(f, NULL, ANSWERS, N(ANSWERS));
	assert_true(has_note(f, "Not a directory"));
	f->key.folder = in_folder("missing/home/.cache/pprof");
	save(f, NULL, ANSWERS, N(ANSWERS));
	assert_true(has_note(f, "no such file"));
	assert_int_equal(stat(in_folder("missing"), &st), -1);
}

/* A disk that is full after so many bytes. */
static void test_full_disk(void **state)
{
	struct fixture *f = *state;
	size_t n;

	save_all(f);
	free(load(path_of(f), &n));
	for (size_t room = 0; room < n; room += 7) {
		pid_t child = fork();

		if (child == 0) {
			signal(SIGXFSZ, SIG_IGN);
			setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, RLIM_INFINITY});
			save(f, NULL, ANSWERS, N(ANSWERS));
			leave(has_note(f, strerror(EFBIG)));
		}
		assert_int_equal(status_of(child), 0);
		assert_int_equal(files_in(f->folder), 1);
	}
	check_holds_all(f);
}

/* ---- two writers ---- */

static pid_t write_often(struct fixture *f, const struct cache_answer *answers, uint32_t n)
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 50; i++)
			save(f, NULL, answers, n);
		leave(has_note(f, "Wrote symbol cache"));
	}
	return child;
}

static void test_two_writers(void **state)
{
	struct fixture *f = *state;

	save(f, NULL, ANSWERS, 1);
	pid_t first = write_often(f, ANSWERS, 1), second = write_often(f, ANSWERS, N(ANSWERS));
	for (int i = 0; i < 100; i++) {
		struct cache *cache = open_cache(f);

		assert_non_null(cache);
		check_answer(cache, &ANSWERS[0]);
		cache_close(cache);
	}
	assert_int_equal(status_of(first), 0);
	assert_int_equal(status_of(second), 0);
	assert_true(can_open(f));
	assert_int_equal(files_in(f->folder), 1);
}

/* ---- how much is kept ---- */

/* A file of so many bytes (none of them on the disk), that was written so many seconds ago. */
static void make_file(const struct fixture *f, const char *name, off_t size, int age)
{
	char path[256];
	time_t then = time(NULL) - age;

	snprintf(path, sizeof path, "%s/%s", f->folder, name);
	store(path, "", 0);
	assert_int_equal(truncate(path, size), 0);
	assert_int_equal(utime(path, &(struct utimbuf){then, then}), 0);
}

static bool is_there(const struct fixture *f, const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", f->folder, name);
	return lstat(path, &st) == 0;
}

static void test_oldest_go(void **state)
{
	struct fixture *f = *state;
	const off_t size = 200 << 20;

	save_all(f);
	make_file(f, "aaa1.v1", size, 300);
	make_file(f, "aaa2.v1", size, 500);
	make_file(f, "aaa3.v2", size, 400);
	make_file(f, "aaa4.v1", size, 200);
	make_file(f, "notes.txt", size, 900);
	make_file(f, "not_hex.v1", size, 900);
	make_file(f, "aaa5.v", size, 900);
	make_file(f, "aaa6.v1.bak", size, 900);
	save_all(f);
	assert_true(is_there(f, "aaa1.v1") && is_there(f, "aaa4.v1"));
	assert_false(is_there(f, "aaa2.v1") || is_there(f, "aaa3.v2"));
	assert_true(is_there(f, "notes.txt") && is_there(f, "not_hex.v1") && is_there(f, "aaa5.v") &&
	            is_there(f, "aaa6.v1.bak"));
	check_holds_all(f);
}

static void test_left_behind(void **state)
{
	struct fixture *f = *state;

	save_all(f);
	make_file(f, ID ".v1.0123abcd", 10, 7200);
	make_file(f, ID ".v1.4567abcd", 10, 60);
	save_all(f);
	assert_false(is_there(f, ID ".v1.0123abcd"));
	assert_true(is_there(f, ID ".v1.4567abcd"));
}

/* 40 MB of names each: old and new do not fit into one file. */
static void test_old_ones_are_dropped(void **state)
{
	struct fixture *f = *state;
	const size_t length = 40 << 20;
	char *names[2] = {mem_alloc(length + 1, 1), mem_alloc(length + 1, 1)};
	struct cache_frame frames[2];
	struct cache_answer answers[2];

	for (uint32_t i = 0; i < 2; i++) {
		memset(names[i], 'a' + (int)i, length);
		names[i][length] = '\0';
		frames[i] = (struct cache_frame){.system_name = names[i]};
		answers[i] = (struct cache_answer){i, &frames[i], 1};
	}
	save(f, NULL, &answers[0], 1);
	struct cache *old = open_cache(f);
	check_answer(old, &answers[0]);
	save(f, old, &answers[1], 1);
	cache_close(old);

	struct cache *cache = open_cache(f);
	struct cache_span span;
	check_answer(cache, &answers[1]);
	assert_false(cache_find(cache, 0, &span));
	cache_close(cache);
	save(f, NULL, answers, 2);
	assert_true(has_note(f, "not written: larger than"));
	free(names[0]);
	free(names[1]);
}

/* ---- where it lies ---- */

static void check_default(const char *cache, const char *home, const char *expected)
{
	struct arena *arena = arena_new();

	cache ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME");
	home ? setenv("HOME", home, 1) : unsetenv("HOME");
	const char *folder = cache_folder_default(arena);
	if (expected)
		assert_string_equal(folder, expected);
	else
		assert_null(folder);
	arena_free(arena);
}

static void test_default_folder(void **state)
{
	(void)state;
	check_default("/var/cache/me", "/home/me", "/var/cache/me/pprof");
	check_default("relative", "/home/me", "/home/me/.cache/pprof");
	check_default("", "/home/me", "/home/me/.cache/pprof");
	check_default(NULL, "/home/me", "/home/me/.cache/pprof");
	check_default(NULL, "", NULL);
	check_default(NULL, "home", NULL);
	check_default(NULL, NULL, NULL);
}

static int make_folder_of_tests(void **state)
{
	(void)state;
	test_folder_make();
	return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_equal_texts_are_one),
		TEST(test_merge),
		TEST(test_new_answer_wins),
		TEST(test_nothing_new),
		TEST(test_other_key),
		TEST(test_other_build_id),
		TEST(test_no_cache),
		TEST(test_bit_flips),
		TEST(test_cuts),
		TEST(test_forged),
		TEST(test_forged_end),
		TEST(test_other_tool),
		TEST(test_other_version),
		TEST(test_link),
		TEST(test_fifo),
		TEST(test_folder_in_place),
		TEST(test_too_large),
		TEST(test_writable_by_others),
		TEST(test_of_another_user),
		TEST(test_read_only_folder),
		TEST(test_no_folder),
		TEST(test_full_disk),
		TEST(test_two_writers),
		TEST(test_oldest_go),
		TEST(test_left_behind),
		TEST(test_old_ones_are_dropped),
		TEST(test_default_folder),
	};

	return cmocka_run_group_tests(tests, make_folder_of_tests, test_folder_remove);
}

#include "symbolize/cache_folder.h"

#include "analyze/base/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VERSION "1"

enum { LARGEST_FOLDER = 512 << 20, LONGEST_NAME = 256 };

/* ---- names ---- */

const char *cache_folder_default(struct arena *arena)
{
	return file_user_folder("XDG_CACHE_HOME", ".cache", arena);
}

static size_t hex_digits(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

const char *cache_folder_name(const char *build_id, struct arena *arena)
{
	size_t n = hex_digits(build_id);

	return n < 3 || n > 128 || build_id[n] ? NULL : arena_printf(arena, "%s.v" VERSION, build_id);
}

enum kind { KIND_OTHER, KIND_CACHE, KIND_TEMPORARY };

/* Caches of other versions are among ours: nobody else would remove them. */
static enum kind kind_of(const char *name)
{
	size_t n = hex_digits(name);

	if (n < 3 || n > 128 || strncmp(name + n, ".v", 2) != 0)
		return KIND_OTHER;
	name += n + 2;
	n = strspn(name, "0123456789");
	if (!n)
		return KIND_OTHER;
	if (!name[n])
		return KIND_CACHE;
	return name[n] == '.' && hex_digits(name + n + 1) == 8 && !name[n + 9] ? KIND_TEMPORARY : KIND_OTHER;
}

/* ---- who may write ---- */

static struct err *check_owner(const struct stat *st, const char *path)
{
	if (st->st_uid != geteuid())
		return err_new("%s: expected to belong to this user", path);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return err_new("%s: expected to be writable by this user alone", path);
	return NULL;
}

/* path is what is looked for there: whether another job has made the folder meanwhile is not to be told. */
static struct err *open_folder(const char *folder, const char *path, int *fd_ret)
{
	struct stat st;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(path);
	struct err *err = fstat(fd, &st) < 0 ? err_errno(folder) : check_owner(&st, folder);
	if (err)
		close(fd);
	else
		*fd_ret = fd;
	return err;
}

/* The caller frees. */
static char *join(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = mem_alloc(size, 1);

	snprintf(path, size, "%s/%s", folder, name);
	return path;
}

/* ---- reading ---- */

static struct err *check_file(int fd, const char *path, size_t *size_ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(path);
	if (!S_ISREG(st.st_mode))
		return err_new("%s: expected a regular file", path);
	if (st.st_size > CACHE_LARGEST_FILE)
		return err_new("%s: expected at most %d bytes", path, CACHE_LARGEST_FILE);
	*size_ret = (size_t)st.st_size;
	return check_owner(&st, path);
}

static struct err *read_file(int fd, const char *path, struct bytes *ret)
{
	size_t size = 0;
	struct err *err = check_file(fd, path, &size);

	if (err)
		return err;
	uint8_t *data = mem_alloc(size + 1, 1);
	if (file_read_open(fd, data, size) != size) {
		free(data);
		return err_new("%s: expected %zu bytes, found fewer", path, size);
	}
	data[size] = '\0';
	*ret = (struct bytes){.data = data, .size = size};
	return NULL;
}

struct err *cache_folder_read(const char *folder, const char *name, struct bytes *ret)
{
	char CLEANUP(mem_free_local) *path = join(folder, name);
	int dir;
	struct err *err = open_folder(folder, path, &dir);

	if (err)
		return err;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		err = err_errno(path);
	} else {
		err = read_file(fd, path, ret);
		close(fd);
	}
	close(dir);
	return err;
}

/* ---- removing ---- */

struct entry {
	char name[LONGEST_NAME];
	struct timespec time;
	uint64_t size;
};

struct entries {
	struct entry *items;
	uint32_t n, cap;
	uint64_t size;
};

static int by_age(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_entry(struct entries *entries, const char *name, const struct stat *st)
{
	MEM_GROW(entries->items, entries->n, entries->cap);
	struct entry *entry = &entries->items[entries->n++];

	*entry = (struct entry){.time = st->st_mtim, .size = (uint64_t)st->st_size};
	snprintf(entry->name, sizeof entry->name, "%s", name);
	entries->size += entry->size;
}

/* A writer takes milliseconds. */
static bool is_left_behind(const struct stat *st)
{
	return st->st_mtime + 3600 < time(NULL);
}

static void look_at(int dir, const char *name, struct entries *entries)
{
	enum kind kind = kind_of(name);
	struct stat st;

	if (kind == KIND_OTHER || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	if (kind == KIND_CACHE)
		add_entry(entries, name, &st);
	else if (is_left_behind(&st))
		unlinkat(dir, name, 0);
}

static void list_folder(int dir, struct entries *entries)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (const struct dirent *entry; (entry = readdir(stream));)
		look_at(dir, entry->d_name, entries);
	closedir(stream);
}

static void trim_folder(int dir, const char *keep)
{
	struct entries entries = {0};

	list_folder(dir, &entries);
	if (entries.size > LARGEST_FOLDER)
		qsort(entries.items, entries.n, sizeof *entries.items, by_age);
	for (uint32_t i = 0; i < entries.n && entries.size > LARGEST_FOLDER; i++) {
		if (strcmp(entries.items[i].name, keep) == 0)
			continue;
		unlinkat(dir, entries.items[i].name, 0);
		entries.size -= entries.items[i].size;
	}
	free(entries.items);
}

/* ---- writing ---- */

/* No more than the last two: a home that is not there is not for us to make. */
static void make_folder(const char *folder)
{
	char CLEANUP(mem_free_local) *parent = mem_strndup(folder, strlen(folder));
	char *slash = strrchr(parent, '/');

	if (slash && slash != parent) {
		*slash = '\0';
		mkdir(parent, 0700);
	}
	mkdir(folder, 0700);
}

static bool write_pieces(int fd, const struct iovec *pieces, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!file_write_all(fd, pieces[i].iov_base, pieces[i].iov_len))
			return false;
	return true;
}

static struct err *replace(int dir, const char *name, const char *path, const struct iovec *pieces, unsigned n)
{
	char temporary[LONGEST_NAME];

	snprintf(temporary, sizeof temporary, "%s.XXXXXXXX", name);
	int fd = unfinished_begin(dir, temporary);
	if (fd < 0)
		return err_errno(path);
	struct err *err = write_pieces(fd, pieces, n) ? NULL : err_errno(path);
	if (close(fd) < 0 && !err)
		err = err_errno(path);
	if (!err && renameat(dir, temporary, dir, name) < 0)
		err = err_errno(path);
	if (err)
		unlinkat(dir, temporary, 0);
	unfinished_end(temporary);
	return err;
}

struct err *cache_folder_write(const char *folder, const char *name, const struct iovec *pieces, unsigned n_pieces)
{
	char CLEANUP(mem_free_local) *path = join(folder, name);
	int dir;

	make_folder(folder);
	struct err *err = open_folder(folder, path, &dir);
	if (err)
		return err;
	err = replace(dir, name, path, pieces, n_pieces);
	if (!err)
		trim_folder(dir, name);
	close(dir);
	return err;
}

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is mapped ---- */

/* Never freed, and of its fields only start changes once it is in the list: a signal handler may walk there at any time.
 * So each file that was mapped costs its name. */
struct mapped {
	struct mapped *next;
	_Atomic uintptr_t start; /* 0: no longer mapped */
	size_t length;
	const char *name;
	struct arena *arena;
};

static struct mapped *_Atomic all_mapped;

static void remember_mapping(const uint8_t *data, size_t length, const char *path)
{
	struct mapped *mapped = mem_zalloc(1, sizeof *mapped);

	mapped->arena = arena_new();
	mapped->name = text_printable(arena_strndup(mapped->arena, path, strlen(path)), mapped->arena);
	mapped->length = length;
	atomic_init(&mapped->start, (uintptr_t)data);
	mapped->next = atomic_load(&all_mapped);
	while (!atomic_compare_exchange_weak(&all_mapped, &mapped->next, mapped))
		;
}

static struct mapped *mapped_at(uintptr_t address)
{
	struct mapped *at = atomic_load(&all_mapped);

	for (; at; at = at->next) {
		uintptr_t start = atomic_load(&at->start);

		if (start && address >= start && address - start < at->length)
			break;
	}
	return at;
}

const char *file_mapped_at(const void *address)
{
	const struct mapped *mapped = mapped_at((uintptr_t)address);

	return mapped ? mapped->name : NULL;
}

static void unmap(struct bytes *bytes)
{
	atomic_store(&mapped_at((uintptr_t)bytes->data)->start, 0);
	munmap(bytes->data, bytes->mapped);
}

void bytes_free(struct bytes *bytes)
{
	if (bytes->mapped)
		unmap(bytes);
	else
		free(bytes->data);
	*bytes = (struct bytes){0};
}

/* ---- what is open ---- */

static void close_local(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static ssize_t read_some(int fd, void *buffer, size_t size)
{
	ssize_t got;

	do
		got = read(fd, buffer, size);
	while (got < 0 && errno == EINTR);
	return got;
}

size_t file_read_open(int fd, void *data, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t got = read_some(fd, (char *)data + n, size - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return n;
}

/* Waits until a descriptor that does not block takes more. */
static bool wait_for_room(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

	return poll(&poll_fd, 1, -1) >= 0 || errno == EINTR;
}

bool file_write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n >= 0) {
			at += n;
			size -= (size_t)n;
		} else if (errno != EINTR && !(errno == EAGAIN && wait_for_room(fd))) {
			return false;
		}
	}
	return true;
}

/* ---- what the user typed ---- */

/* A device may never end. */
static const uint64_t LONGEST_STREAM = (uint64_t)4 << 30;
static const size_t LONGEST_HEAD = 16 << 20;

/* is_known: NULL: whatever it is, all of it is wanted. */
static struct err *read_all(int fd, const char *path, size_t expected, file_known_fn *is_known, struct bytes *ret)
{
	size_t cap = expected + 4096;
	size_t size = 0;
	uint8_t *data = mem_alloc(cap, 1);

	for (;;) {
		if (cap - size < 2)
			data = mem_realloc(data, cap *= 2, 1);
		ssize_t got = read_some(fd, data + size, cap - size - 1);
		if (got < 0) {
			free(data);
			return err_new("%s: %s", path, strerror(errno));
		}
		if (got == 0)
			break;
		size += (size_t)got;
		if (is_known && size >= LONGEST_HEAD) {
			if (!is_known(data, size))
				break;
			is_known = NULL;
		}
		if (size > LONGEST_STREAM) {
			free(data);
			return err_new("%s: expected at most %llu bytes from a pipe or a device", path,
			               (unsigned long long)LONGEST_STREAM);
		}
	}
	data[size] = '\0';
	*ret = (struct bytes){.data = data, .size = size};
	return NULL;
}

/* Maps the file over the front of empty pages, one more than it fills: so there is a NUL behind it. */
static bool map_all(int fd, const char *path, size_t size, struct bytes *ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t length = (size / page + 1) * page;
	uint8_t *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (data == MAP_FAILED)
		return false;
	if (mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
		munmap(data, length);
		return false;
	}
	remember_mapping(data, length, path);
	*ret = (struct bytes){data, size, length};
	return true;
}

static bool is_standard_input(const char *path)
{
	return strcmp(path, "-") == 0;
}

const char *file_shown(const char *path)
{
	return is_standard_input(path) ? "(standard input)" : path;
}

struct err *file_read_known(const char *path, file_known_fn *is_known, struct bytes *ret)
{
	const char *shown = file_shown(path);
	int fd = is_standard_input(path) ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	int CLEANUP(close_local) guard = fd;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(shown);
	if (S_ISDIR(st.st_mode))
		return err_new("%s: expected a profile, found a directory", shown);
	(void)guard;
	/* Where a file is read from its middle (standard input may be), only reading gives the rest. */
	if (S_ISREG(st.st_mode) && st.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0 &&
	    map_all(fd, shown, (size_t)st.st_size, ret))
		return NULL;
	return read_all(fd, shown, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, is_known, ret);
}

struct err *file_read(const char *path, struct bytes *ret)
{
	return file_read_known(path, NULL, ret);
}

/* ---- what other files name ---- */

static const char *kind_of(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISFIFO(mode))
		return "a FIFO";
	if (S_ISSOCK(mode))
		return "a socket";
	return "a device";
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static struct err *check_regular(const char *path, int fd)
{
	char real[64], target[4096];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(path);
	if (!S_ISREG(st.st_mode))
		return err_new("%s: expected a regular file, found %s", path, kind_of(st.st_mode));
	/* A link may lead there under any name; the kernel's own name for the open file tells. */
	snprintf(real, sizeof real, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(real, target, sizeof target - 1);
	if (length > 0) {
		target[length] = '\0';
		if (is_below(target, "/proc") || is_below(target, "/sys"))
			return err_new("%s: files below /proc and /sys are not opened", path);
	}
	return NULL;
}

struct err *file_open_regular(const char *path, int *fd_ret)
{
	int fd;

	if (is_below(path, "/proc") || is_below(path, "/sys"))
		return err_new("%s: files below /proc and /sys are not opened", path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENXIO ? err_new("%s: expected a regular file", path) : err_errno(path);

	struct err *err = check_regular(path, fd);
	if (err) {
		close(fd);
		return err;
	}
	*fd_ret = fd;
	return NULL;
}

struct err *file_read_regular(const char *path, size_t most, struct bytes *ret)
{
	int CLEANUP(close_local) fd = -1;
	struct stat st;
	struct err *err = file_open_regular(path, &fd);

	if (!err && fstat(fd, &st) < 0)
		err = err_errno(path);
	if (!err && (uint64_t)st.st_size > most)
		err = err_new("%s: expected at most %zu bytes, found %lld", path, most, (long long)st.st_size);
	return err ? err : read_all(fd, path, (size_t)st.st_size, NULL, ret);
}

bool bytes_are_elf(const uint8_t *data, size_t size)
{
	return size >= 4 && memcmp(data, "\177ELF", 4) == 0;
}

bool file_is_elf(const char *path)
{
	uint8_t head[4];
	struct stat st;

	/* Opened and closed, a FIFO would be lost to the program that waits to write into it. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int CLEANUP(close_local) guard = fd;
	(void)guard;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	return file_read_open(fd, head, sizeof head) == 4 && bytes_are_elf(head, 4);
}

const char *file_user_folder(const char *variable, const char *in_home, struct arena *arena)
{
	const char *folder = getenv(variable), *home = getenv("HOME");

	if (folder && *folder == '/')
		return arena_printf(arena, "%s/pprof", folder);
	return home && *home == '/' ? arena_printf(arena, "%s/%s/pprof", home, in_home) : NULL;
}

bool file_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *file_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool file_is_library(const char *path)
{
	const char *so = strstr(file_base(path), ".so");

	return so && (so[3] == '\0' || so[3] == '.');
}

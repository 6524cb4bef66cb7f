#include "analyze/base/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Read by a signal handler: path is set last, and taken away first. */
static struct slot {
	const char *_Atomic path; /* NULL: the slot is free */
	int dir;
	pid_t owner;
} slots[4];

enum { N_SLOTS = sizeof slots / sizeof *slots };

static atomic_int program, program_owner; /* 0: there is none */

/* ---- files ---- */

static void put_into_slot(int dir, const char *path)
{
	for (size_t i = 0; i < N_SLOTS; i++) {
		if (atomic_load(&slots[i].path))
			continue;
		slots[i].dir = dir;
		slots[i].owner = getpid();
		atomic_store(&slots[i].path, path);
		return;
	}
}

void unfinished_end(const char *path)
{
	for (size_t i = 0; i < N_SLOTS; i++)
		if (atomic_load(&slots[i].path) == path)
			atomic_store(&slots[i].path, NULL);
}

static uint64_t random_bits(void)
{
	uint64_t bits;
	struct timespec now;

	if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) == sizeof bits)
		return bits;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid() << 32;
}

/* The last row of Xs. */
static char *find_blank(char *path, size_t *length_ret)
{
	char *end = strrchr(path, 'X');
	char *start = end;

	while (start > path && start[-1] == 'X')
		start--;
	*length_ret = (size_t)(end - start) + 1;
	return start;
}

int unfinished_begin(int dir, char *path)
{
	enum { TRIES = 100 };
	size_t length;
	char *blank = find_blank(path, &length);
	int fd = -1;

	for (int i = 0; i < TRIES && fd < 0; i++) {
		uint64_t bits = random_bits();

		for (size_t k = 0; k < length; k++, bits >>= 4)
			blank[k] = "0123456789abcdef"[bits & 15];
		/* Before there is a file: a signal finds none that it does not know. */
		put_into_slot(dir, path);
		fd = openat(dir, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0)
			unfinished_end(path);
		if (fd < 0 && errno != EEXIST && errno != EINTR)
			return -1;
	}
	return fd;
}

/* ---- the program ---- */

void unfinished_set_program(pid_t pid)
{
	atomic_store(&program, 0);
	atomic_store(&program_owner, getpid());
	atomic_store(&program, pid);
}

void unfinished_forget_program(pid_t pid)
{
	if (atomic_load(&program) == pid)
		atomic_store(&program, 0);
}

/* ---- all ---- */

void unfinished_take_away(void)
{
	pid_t pid = atomic_load(&program);

	for (size_t i = 0; i < N_SLOTS; i++) {
		const char *path = atomic_load(&slots[i].path);

		if (path && slots[i].owner == getpid())
			unlinkat(slots[i].dir, path, 0);
	}
	if (pid && atomic_load(&program_owner) == getpid())
		kill(pid, SIGKILL);
}

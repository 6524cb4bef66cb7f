/* Makes the k-th call of one kind fail: preloaded into pprof by faults.py, which sets the variables below.
 *
 *   FAULTS_FILE   struct control: what was counted; shared with the processes that are forked
 *   FAULTS_KIND   a name of kinds[]; calls of all kinds are counted
 *   FAULTS_AT     k, from 1
 *   FAULTS_ERRNO  a number, or "short": half of the bytes are read or written
 *   FAULTS_MODE   "once", "on" (from then on), or "turns" (from then on each second call)
 *
 * Programs that are started run without it. Calls that libc makes inside itself are not seen, but for those of malloc. */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

/* ---- what fails ---- */

enum kind {
	MEMORY,
	MAP,
	READ,
	WRITE,
	OPEN,
	RENAME,
	UNLINK,
	STAT,
	SEEK,
	CLOSE,
	PROCESS,
	THREAD,
	WAIT,
	LIBRARY,
	N_KINDS
};
enum mode { ONCE, ON, TURNS };

static const char *const kinds[N_KINDS] = {"memory", "map",  "read",  "write",   "open",   "rename", "unlink",
                                           "stat",   "seek", "close", "process", "thread", "wait",   "library"};
static const char *const modes[] = {"once", "on", "turns"};

struct control {
	atomic_ullong n_failed;
	atomic_ullong calls[N_KINDS];
};

static struct control *control; /* NULL: nothing fails yet */
static enum kind chosen;
static enum mode mode;
static unsigned long long first;
static int failure; /* errno; 0: short counts */

static bool is_now(unsigned long long call)
{
	if (mode == ONCE)
		return call == first;
	return call >= first && (mode == ON || (call - first) % 2 == 0);
}

/* For a breakpoint too. */
__attribute__((noinline)) static bool fault_happens(void)
{
	atomic_fetch_add(&control->n_failed, 1);
	return true;
}

static bool is_due(enum kind kind)
{
	if (!control)
		return false;
	unsigned long long call = atomic_fetch_add(&control->calls[kind], 1) + 1;
	return kind == chosen && is_now(call) && fault_happens();
}

/* Whether the call ends here, with errno set. */
static bool fails(enum kind kind)
{
	if (!is_due(kind))
		return false;
	errno = failure;
	return true;
}

/* The same, for what moves bytes: else *size is what the call may move. */
static bool fails_or_cuts(enum kind kind, size_t *size)
{
	if (!is_due(kind))
		return false;
	if (!failure) {
		*size = *size > 1 ? *size / 2 : *size;
		return false;
	}
	errno = failure;
	return true;
}

/* ---- the start ---- */

static int number_of(const char *name, const char *const *names, int n)
{
	for (int i = 0; name && i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	fprintf(stderr, "faults: expected one of the names, found %s\n", name ? name : "nothing");
	_exit(99);
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "0";
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAULTS_FILE");
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;

	unsetenv("LD_PRELOAD");
	if (fd < 0)
		return;
	void *shared = (void *)syscall(SYS_mmap, NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	syscall(SYS_close, fd);
	if (shared == MAP_FAILED)
		_exit(99);
	chosen = (enum kind)number_of(getenv("FAULTS_KIND"), kinds, N_KINDS);
	mode = (enum mode)number_of(getenv("FAULTS_MODE"), modes, 3);
	first = strtoull(variable("FAULTS_AT"), NULL, 10);
	failure = (int)strtol(variable("FAULTS_ERRNO"), NULL, 10);
	control = shared;
}

/* ---- memory ---- */

/* The next definition of a function, which is libc's. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): it is the name of a function. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* pprof has a malloc of its own, for its libraries too, which gets its memory here. */
/* NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp): these are libc's. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
/* NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp) */

SEEN void *__libc_malloc(size_t size)
{
	return fails(MEMORY) ? NULL : NEXT(__libc_malloc)(size);
}

SEEN void *__libc_calloc(size_t n, size_t size)
{
	return fails(MEMORY) ? NULL : NEXT(__libc_calloc)(n, size);
}

SEEN void *__libc_realloc(void *old, size_t size)
{
	return fails(MEMORY) ? NULL : NEXT(__libc_realloc)(old, size);
}

SEEN void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset)
{
	if (fails(MAP))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

SEEN void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return mmap64(address, length, protection, flags, fd, offset);
}

/* ---- bytes ---- */

SEEN ssize_t read(int fd, void *data, size_t size)
{
	return fails_or_cuts(READ, &size) ? -1 : syscall(SYS_read, fd, data, size);
}

SEEN ssize_t pread64(int fd, void *data, size_t size, off64_t offset)
{
	return fails_or_cuts(READ, &size) ? -1 : syscall(SYS_pread64, fd, data, size, offset);
}

SEEN ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
	return pread64(fd, data, size, offset);
}

SEEN ssize_t readv(int fd, const struct iovec *pieces, int n)
{
	size_t size = n > 0 ? pieces[0].iov_len : 0, whole = size;

	if (fails_or_cuts(READ, &size))
		return -1;
	return size < whole ? syscall(SYS_read, fd, pieces[0].iov_base, size) : syscall(SYS_readv, fd, pieces, n);
}

SEEN ssize_t getrandom(void *data, size_t size, unsigned flags)
{
	return failure && failure != EINTR && fails(READ) ? -1 : syscall(SYS_getrandom, data, size, flags);
}

/* What is said to the user is not lost: it is by that that a run is judged. */
SEEN ssize_t write(int fd, const void *data, size_t size)
{
	return fd != STDERR_FILENO && fails_or_cuts(WRITE, &size) ? -1 : syscall(SYS_write, fd, data, size);
}

SEEN ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	return fails_or_cuts(WRITE, &size) ? -1 : syscall(SYS_pwrite64, fd, data, size, offset);
}

SEEN ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	return pwrite64(fd, data, size, offset);
}

SEEN ssize_t writev(int fd, const struct iovec *pieces, int n)
{
	size_t size = n > 0 ? pieces[0].iov_len : 0, whole = size;

	if (fails_or_cuts(WRITE, &size))
		return -1;
	return size < whole ? syscall(SYS_write, fd, pieces[0].iov_base, size) : syscall(SYS_writev, fd, pieces, n);
}

SEEN int fsync(int fd)
{
	return fails(WRITE) ? -1 : (int)syscall(SYS_fsync, fd);
}

SEEN int ftruncate64(int fd, off64_t length)
{
	return fails(WRITE) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

/* ---- files ---- */

static mode_t mode_argument(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPENS(name, before, ...) \
	SEEN int name(before const char *path, int flags, ...) \
	{ \
		va_list args; \
		va_start(args, flags); \
		mode_t rights = mode_argument(flags, args); \
		va_end(args); \
		return fails(OPEN) ? -1 : (int)syscall(SYS_openat, __VA_ARGS__, path, flags, rights); \
	}
#define FOLDER int folder,
OPENS(open, , AT_FDCWD)
OPENS(open64, , AT_FDCWD)
OPENS(openat, FOLDER, folder)
OPENS(openat64, FOLDER, folder)

SEEN FILE *fopen(const char *path, const char *how)
{
	return fails(OPEN) ? NULL : NEXT(fopen)(path, how);
}

SEEN FILE *fopen64(const char *path, const char *how)
{
	return fails(OPEN) ? NULL : NEXT(fopen64)(path, how);
}

SEEN FILE *fdopen(int fd, const char *how)
{
	return fails(OPEN) ? NULL : NEXT(fdopen)(fd, how);
}

SEEN DIR *opendir(const char *path)
{
	return fails(OPEN) ? NULL : NEXT(opendir)(path);
}

SEEN DIR *fdopendir(int fd)
{
	return fails(OPEN) ? NULL : NEXT(fdopendir)(fd);
}

SEEN int mkostemp64(char *path, int flags)
{
	return fails(OPEN) ? -1 : NEXT(mkostemp64)(path, flags);
}

SEEN int mkostemps64(char *path, int suffix, int flags)
{
	return fails(OPEN) ? -1 : NEXT(mkostemps64)(path, suffix, flags);
}

SEEN int mkdir(const char *path, mode_t rights)
{
	return fails(OPEN) ? -1 : (int)syscall(SYS_mkdir, path, rights);
}

SEEN int dup(int fd)
{
	return fails(OPEN) ? -1 : (int)syscall(SYS_dup, fd);
}

SEEN int dup2(int fd, int to)
{
	return fails(OPEN) ? -1 : (int)syscall(SYS_dup2, fd, to);
}

SEEN int rename(const char *from, const char *to)
{
	return fails(RENAME) ? -1 : (int)syscall(SYS_rename, from, to);
}

SEEN int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return fails(RENAME) ? -1 : (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

SEEN int unlink(const char *path)
{
	return fails(UNLINK) ? -1 : (int)syscall(SYS_unlink, path);
}

SEEN int unlinkat(int folder, const char *path, int flags)
{
	return fails(UNLINK) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): it is a type. */
#define STATS(name, type) \
	SEEN int name(const char *path, type *ret) \
	{ \
		return fails(STAT) ? -1 : NEXT(name)(path, ret); \
	}
STATS(stat, struct stat)
STATS(stat64, struct stat64)
STATS(lstat, struct stat)
STATS(lstat64, struct stat64)
/* NOLINTEND(bugprone-macro-parentheses) */

SEEN int fstat(int fd, struct stat *ret)
{
	return fails(STAT) ? -1 : (int)syscall(SYS_fstat, fd, ret);
}

SEEN int fstat64(int fd, struct stat64 *ret)
{
	return fails(STAT) ? -1 : (int)syscall(SYS_fstat, fd, ret);
}

SEEN int fstatat64(int folder, const char *path, struct stat64 *ret, int flags)
{
	return fails(STAT) ? -1 : NEXT(fstatat64)(folder, path, ret, flags);
}

SEEN int access(const char *path, int how)
{
	return fails(STAT) ? -1 : (int)syscall(SYS_access, path, how);
}

SEEN ssize_t readlink(const char *path, char *ret, size_t size)
{
	return fails(STAT) ? -1 : syscall(SYS_readlink, path, ret, size);
}

SEEN char *realpath(const char *path, char *ret)
{
	return fails(STAT) ? NULL : NEXT(realpath)(path, ret);
}

SEEN char *getcwd(char *ret, size_t size)
{
	return fails(STAT) ? NULL : NEXT(getcwd)(ret, size);
}

SEEN int fchmod(int fd, mode_t rights)
{
	return fails(STAT) ? -1 : (int)syscall(SYS_fchmod, fd, rights);
}

SEEN int chmod(const char *path, mode_t rights)
{
	return fails(STAT) ? -1 : (int)syscall(SYS_chmod, path, rights);
}

SEEN off64_t lseek64(int fd, off64_t offset, int from)
{
	return fails(SEEK) ? -1 : syscall(SYS_lseek, fd, offset, from);
}

SEEN off_t lseek(int fd, off_t offset, int from)
{
	return lseek64(fd, offset, from);
}

/* The kernel closes it whatever it says. */
SEEN int close(int fd)
{
	long result = syscall(SYS_close, fd);

	return fails(CLOSE) ? -1 : (int)result;
}

/* ---- processes and threads ---- */

SEEN pid_t fork(void)
{
	return fails(PROCESS) ? -1 : NEXT(fork)();
}

SEEN int pipe2(int ends[2], int flags)
{
	return fails(PROCESS) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

SEEN int pidfd_open(pid_t pid, unsigned flags)
{
	return fails(PROCESS) ? -1 : (int)syscall(SYS_pidfd_open, pid, flags);
}

SEEN int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const *argv, char *const *environment)
{
	return fails(PROCESS) ? failure : NEXT(posix_spawnp)(pid, file, actions, attributes, argv, environment);
}

SEEN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	return fails(THREAD) ? failure : NEXT(pthread_create)(thread, attributes, run, argument);
}

SEEN pid_t waitpid(pid_t pid, int *status, int options)
{
	return fails(WAIT) ? -1 : NEXT(waitpid)(pid, status, options);
}

SEEN int poll(struct pollfd *fds, nfds_t n, int ms)
{
	return fails(WAIT) ? -1 : NEXT(poll)(fds, n, ms);
}

SEEN int nanosleep(const struct timespec *time, struct timespec *rest)
{
	return fails(WAIT) ? -1 : NEXT(nanosleep)(time, rest);
}

SEEN void *dlopen(const char *path, int flags)
{
	return fails(LIBRARY) ? NULL : NEXT(dlopen)(path, flags);
}

#include "analyze/base/confine.h"

#include "analyze/base/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

static enum confine done; /* the last that was given up */
static bool is_never;

void confine_never(void)
{
	is_never = true;
}

#ifndef OUR_ARCH

bool confine_to(enum confine what)
{
	(void)what;
	errno = ENOSYS;
	return is_never;
}

#else

/* ---- system calls ---- */

static const uint16_t
	network
		[] =
			{
				SYS_socket,      SYS_socketpair,       SYS_connect,
				SYS_bind,        SYS_listen,           SYS_accept,
				SYS_accept4,     SYS_process_vm_readv, SYS_process_vm_writev,
				SYS_pidfd_getfd, SYS_io_uring_setup, /* which opens sockets by itself */
};

static const uint16_t programs[] = {SYS_execve, SYS_execveat};

/* What glibc, libgvc and its plugins, pango and fontconfig use. */
static const uint16_t layout[] = {
	SYS_read,
	SYS_pread64,
	SYS_readv,
	SYS_write,
	SYS_writev,
	SYS_close,
	SYS_lseek,
	SYS_fstat,
	SYS_newfstatat,
	SYS_statx,
	SYS_statfs,
	SYS_fstatfs,
	SYS_faccessat,
	SYS_faccessat2,
	SYS_readlinkat,
	SYS_getdents64,
	SYS_getcwd,
	SYS_fcntl,
	SYS_mmap,
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	SYS_brk,
	SYS_futex,
	SYS_clone,
	SYS_clone3,
	SYS_set_robust_list,
	SYS_rseq,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_prctl,
	SYS_prlimit64,
	SYS_getrandom,
	SYS_clock_gettime,
	SYS_clock_nanosleep,
	SYS_gettimeofday,
	SYS_getpid,
	SYS_gettid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_getrusage,
	SYS_sysinfo,
	SYS_uname,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_exit,
	SYS_exit_group,
#ifdef SYS_open
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
	SYS_poll,
#endif
};

/* ---- the filter ---- */

enum { MOST_STEPS = 200 };

struct filter {
	struct sock_filter steps[MOST_STEPS];
	uint16_t n;
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
	filter->steps[filter->n++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct filter *filter, size_t at)
{
	add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)at, 0, 0);
}

static void answer(struct filter *filter, uint32_t what)
{
	add(filter, BPF_RET | BPF_K, what, 0, 0);
}

static const uint32_t REFUSE = SECCOMP_RET_ERRNO | EPERM;

/* One system call has one answer, and the others go on. */
static void answer_call(struct filter *filter, uint32_t number, uint32_t what)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
	answer(filter, what);
}

static void answer_calls(struct filter *filter, const uint16_t *numbers, size_t n, uint32_t what)
{
	for (size_t i = 0; i < n; i++)
		answer_call(filter, numbers[i], what);
}

/* Calls by other conventions have other numbers: those of 32 bits, and of x32, which begin with this bit. */
static void begin(struct filter *filter)
{
	load(filter, offsetof(struct seccomp_data, arch));
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
	answer(filter, REFUSE);
	load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	add(filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
	answer(filter, REFUSE);
#endif
}

/* Both architectures keep the low half of an argument first. */
static void allow_reading(struct filter *filter)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4);
	load(filter, offsetof(struct seccomp_data, args[2]));
	add(filter, BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1);
	answer(filter, REFUSE);
	answer(filter, SECCOMP_RET_ALLOW);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void make_filter(enum confine what, struct filter *filter)
{
	filter->n = 0;
	begin(filter);
	if (what == CONFINE_LAYOUT) {
		answer_calls(filter, layout, COUNT(layout), SECCOMP_RET_ALLOW);
		allow_reading(filter);
		answer(filter, REFUSE);
		return;
	}
	answer_calls(filter, network, COUNT(network), REFUSE);
	if (!UNDER_ASAN) /* which looks for leaks by it */
		answer_call(filter, SYS_ptrace, REFUSE);
	if (what == CONFINE_PROGRAMS)
		answer_calls(filter, programs, COUNT(programs), REFUSE);
	answer(filter, SECCOMP_RET_ALLOW);
}

bool confine_to(enum confine what)
{
	struct filter filter;

	if (is_never || what <= done)
		return true;
	make_filter(what, &filter);
	struct sock_fprog program = {filter.n, filter.steps};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		return false;
	done = what;
	return true;
}

#endif

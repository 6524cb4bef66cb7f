/* Linked into what bench/coverage.sh builds, with --wrap=_exit and --wrap=raise: a process that ends itself by one of them
 * leaves its counts too, and one whose files are limited leaves them whole. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_raise(int number);
int __wrap_raise(int number);

/* Runs before gcov's own, whose priority is 100. */
__attribute__((destructor)) static void lift_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

void __wrap__exit(int status)
{
	lift_limit();
	__gcov_dump();
	__real__exit(status);
}

int __wrap_raise(int number)
{
	lift_limit();
	__gcov_dump();
	return __real_raise(number);
}

/* Linked into what bench/coverage.sh builds, with --wrap=_exit: a process that ends by _exit or by a signal leaves its counts
 * too, and one whose files are limited leaves them whole. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

static void end_by(int number)
{
	__gcov_dump();
	signal(number, SIG_DFL);
	raise(number);
}

/* Only in the place of the end that a signal is by default. */
__attribute__((constructor)) static void take_signals(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};

	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct sigaction action;

		if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
			signal(numbers[i], end_by);
	}
}

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

#include "cmd/signals.h"

#include "analyze/base/file.h"
#include "analyze/base/unfinished.h"
#include "cmd/run.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* ---- pages that are lost ---- */

static struct sigaction before_us; /* what SIGBUS did: a sanitizer tells more than the default */

static size_t append(char *line, size_t used, size_t size, const char *text)
{
	for (; *text && used < size; text++)
		line[used++] = *text;
	return used;
}

/* A profile is mapped, not read: when it gets shorter meanwhile, there is no page to give. */
static void end_for_lost_page(int number, siginfo_t *info, void *context)
{
	static const char END[] = ": became shorter while it was read\n";
	static atomic_flag is_told = ATOMIC_FLAG_INIT;
	char line[8192];
	const char *name = info->si_code > 0 ? file_mapped_at(info->si_addr) : NULL;

	(void)context;
	if (!name) {
		sigaction(number, &before_us, NULL);
		raise(number);
		return;
	}
	while (atomic_flag_test_and_set(&is_told)) /* by another thread, which ends the process */
		pause();
	size_t used = append(line, 0, sizeof line - sizeof END, "pprof: error: ");
	used = append(line, used, sizeof line - sizeof END, name);
	used = append(line, used, sizeof line, END);
	(void)!write(STDERR_FILENO, line, used);
	_exit(EXIT_ERROR);
}

static void name_lost_pages(void)
{
	struct sigaction action = {.sa_sigaction = end_for_lost_page, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before_us);
}

/* ---- the end ---- */

static void end(int number)
{
	unfinished_take_away();
	raise(number); /* its handler is the default again */
}

void signals_leave_nothing(void)
{
	static const int numbers[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGPIPE, SIGALRM,
	                              SIGPROF, SIGVTALRM, SIGXCPU, SIGUSR1, SIGUSR2};
	struct sigaction action = {.sa_handler = end, .sa_flags = SA_RESETHAND}, old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

void signals_take(void)
{
	signal(SIGXFSZ, SIG_IGN);
	name_lost_pages();
	signals_leave_nothing();
}

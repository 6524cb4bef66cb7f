#include "cmd/shell_job.h"

#include "analyze/base/child.h"
#include "cmd/pager.h"
#include "cmd/signals.h"
#include "cmd/term.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
	shell_job_fn *run;
	const void *context;
};

/* ---- in the process ---- */

static _Noreturn void run_job(const struct job *job, pid_t parent, int output, const sigset_t *signals)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	child_end_with(parent, SIGTERM);
	signal(SIGPIPE, SIG_DFL);
	signals_leave_nothing();
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO); /* the commands that are still to be read */
	if (output != STDOUT_FILENO)
		dup2(output, STDOUT_FILENO);
	struct err *err = job->run(job->context);
	if (err)
		term_error(err);
	_exit(0);
}

/* ---- in the shell ---- */

/* Ctrl-C waits until the process is ready to be ended by it. */
static pid_t fork_job(const struct job *job, int output)
{
	sigset_t held, before;

	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigprocmask(SIG_BLOCK, &held, &before);
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		run_job(job, parent, output, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static void wait_for(pid_t pid)
{
	int status = child_wait(pid);

	if (status < 0 || !WIFSIGNALED(status) || WTERMSIG(status) == SIGPIPE)
		return;
	if (WTERMSIG(status) == SIGINT)
		fputs("\n", stderr);
	else
		fprintf(stderr, "pprof: error: the command was ended by signal %d (%s)\n", WTERMSIG(status),
		        strsignal(WTERMSIG(status)));
}

struct err *shell_job_run(shell_job_fn *run, const void *context)
{
	pid_t pid = fork_job(&(struct job){run, context}, STDOUT_FILENO);

	if (pid < 0)
		return err_errno("a process");
	wait_for(pid);
	return NULL;
}

struct err *shell_job_page(shell_job_fn *run, const void *context)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno("a pipe");
	pid_t pid = fork_job(&(struct job){run, context}, ends[1]);
	struct err *err = pid < 0 ? err_errno("a process") : NULL;
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return err;
	}
	pager_show(ends[0]);
	wait_for(pid);
	return NULL;
}

#include "cmd/shell.h"

#include "analyze/base/child.h"
#include "analyze/base/file.h"
#include "cmd/edit.h"
#include "cmd/history.h"
#include "cmd/pager.h"
#include "cmd/sample_type.h"
#include "cmd/shell_command.h"
#include "cmd/shell_complete.h"
#include "cmd/shell_help.h"
#include "cmd/shell_settings.h"
#include "cmd/show.h"
#include "cmd/signals.h"
#include "cmd/term.h"
#include "render/header.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct shell {
	struct options settings;
	const struct profile *profile;
	const char *program; /* NULL: not given */
	struct arena *arena; /* of the line */
	struct edit *edit;
	const char *history; /* the file; NULL: none */
	bool has_pager;      /* somebody sits there, who can turn pages */
	bool is_done;
};

/* ---- in a process of its own ---- */

/* What a command does: a report, or a list of settings. */
struct job {
	struct shell *shell;
	const struct shell_line *line;
	struct show show;
	struct err *(*run)(struct job *job);
};

static _Noreturn void run_job(struct job *job, int output, const sigset_t *signals)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	signals_leave_nothing();
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO); /* the commands that are still to be read */
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	struct err *err = job->run(job);
	if (err)
		term_error(err);
	_exit(0);
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

/* Ctrl-C waits until the process is ready to be ended by it. */
static pid_t fork_job(struct job *job, int output)
{
	sigset_t held, before;

	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigprocmask(SIG_BLOCK, &held, &before);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		run_job(job, output, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* The profile is there in the child too, so the command starts at once; and whatever happens to it, Ctrl-C or the end of
 * the memory, happens to it alone. */
static struct err *start_job(struct job *job, bool is_paged)
{
	int ends[2] = {-1, -1};

	if (is_paged && pipe2(ends, O_CLOEXEC) < 0)
		return err_errno("a pipe");
	pid_t pid = fork_job(job, ends[1]);
	if (is_paged)
		close(ends[1]);
	if (pid < 0) {
		struct err *err = err_errno("a process");

		if (is_paged)
			close(ends[0]);
		return err;
	}
	if (is_paged)
		pager_show(ends[0]);
	wait_for(pid);
	return NULL;
}

/* ---- commands ---- */

static struct err *run_report(struct job *job)
{
	return show_all(&job->show);
}

/* A page that nobody wants in a file is for the browser, as in google/pprof's and gperftools' shells. */
static bool wants_browser(const struct show *show, const struct options *options)
{
	return show->on_terminal && !options->output && strcmp(show->renderer->ext, "html") == 0;
}

static struct viewer choose_viewer(const struct show *show)
{
	struct viewer viewer = show->viewer ? *show->viewer : *viewer_find("web");

	viewer.name = show->options->report;
	viewer.renderer = show->renderer;
	viewer.stays_behind = isatty(STDIN_FILENO);
	return viewer;
}

static struct err *report(struct shell *shell, const struct shell_line *line)
{
	struct options options;
	struct diag diag = {0};
	struct job job = {.shell = shell, .line = line, .run = run_report};
	struct err *err = command_options(line, &shell->settings, &options);

	if (!err)
		err = show_prepare(&options, shell->profile, shell->program, &diag, &job.show);
	if (err)
		return err;
	struct viewer viewer = choose_viewer(&job.show);
	if (job.show.viewer || wants_browser(&job.show, &options))
		job.show.viewer = &viewer;
	return start_job(&job, shell->has_pager && !options.output && !job.show.viewer && !job.show.renderer->binary);
}

static struct err *run_help(struct job *job)
{
	struct out *out = out_fd(STDOUT_FILENO, "standard output");
	struct err *err = NULL;

	if (job->line->n_words)
		err = shell_help_on(job->line->words[0].text, out);
	else
		shell_help(out);
	if (!err)
		return out_close(out);
	out_discard(out);
	return err;
}

static struct err *run_options(struct job *job)
{
	struct out *out = out_fd(STDOUT_FILENO, "standard output");

	setting_list(&job->shell->settings, job->shell->profile, out);
	return out_close(out);
}

static struct err *help(struct shell *shell, const struct shell_line *line)
{
	struct job job = {.shell = shell, .line = line, .run = run_help};

	return start_job(&job, shell->has_pager);
}

static struct err *show_options(struct shell *shell, const struct shell_line *line)
{
	struct job job = {.shell = shell, .line = line, .run = run_options};

	return start_job(&job, shell->has_pager);
}

static struct err *clear(struct shell *shell, const struct shell_line *line)
{
	(void)line;
	settings_clear_filters(&shell->settings);
	return NULL;
}

static struct err *quit(struct shell *shell, const struct shell_line *line)
{
	(void)line;
	shell->is_done = true;
	return NULL;
}

static const struct builtin {
	const char *name;
	struct err *(*run)(struct shell *shell, const struct shell_line *line);
} builtins[] = {
	{"help", help}, {"o", show_options}, {"options", show_options}, {":", clear}, {"q", quit},
	{"quit", quit}, {"exit", quit},
};

static const struct builtin *find_builtin(const char *name)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

static struct err *unknown(const struct shell_line *line)
{
	const struct opt_row *row = opt_find(line->name);
	bool has_value = row ? setting_is_known(row) : setting_is_group(line->name);

	if (has_value && line->n_words)
		return err_new("did you mean: %s=%s", row ? row->name : line->name, line->words[0].text);
	return setting_unknown("command", line->name);
}

static bool is_setting(const struct shell *shell, const char *name)
{
	return opt_find(name) || setting_is_group(name) || opt_find_negated(name) || setting_is_type(shell->profile, name);
}

static struct err *obey(struct shell *shell, const struct shell_line *line)
{
	const struct builtin *builtin = find_builtin(line->name);

	if (!*line->name)
		return NULL;
	if (line->is_setting)
		return setting_set(&shell->settings, shell->profile, line->name, line->value);
	if (builtin)
		return builtin->run(shell, line);
	if (command_find(line->name))
		return report(shell, line);
	if (!line->n_words && is_setting(shell, line->name))
		return setting_set(&shell->settings, shell->profile, line->name, NULL);
	return unknown(line);
}

static void obey_text(struct shell *shell, const char *text)
{
	struct shell_line line;
	struct err *err = shell_line_parse(text, shell->arena, &line);

	if (!err)
		err = obey(shell, &line);
	if (!err)
		return;
	term_error(err);
	err_free(err);
}

/* ---- the session ---- */

static void write_labels_of(const struct report *report, struct out *out)
{
	const struct profile *profile = report->profile;

	header_profile(report, out);
	if (report->divisor_of_all == 0 && profile->n_samples && profile->n_types > 1)
		out_text(out, "All values of this type are 0; sample_index=TYPE shows another\n");
}

/* What google/pprof's reports begin with, and those of the shell do not. */
static struct err *write_labels(const struct shell *shell, struct out *out)
{
	struct options options = shell->settings;
	struct report *report = NULL;
	struct view *view = NULL;
	struct diag diag = {0};
	struct show show;

	options.report = "top";
	options.rows.compact_labels = false;
	struct err *err = show_prepare(&options, shell->profile, shell->program, &diag, &show);
	show.view.thread = NULL;
	if (!err)
		err = view_new(shell->profile, &show.view, &view);
	if (!err)
		err = report_build(view, &show.rows, 0, &report);
	if (!err)
		write_labels_of(report, out);
	report_free(report);
	view_free(view);
	return err;
}

static void greet(const struct shell *shell)
{
	struct out *out = out_fd(STDERR_FILENO, "standard error");
	struct err *err = write_labels(shell, out);

	if (err)
		term_error(err);
	err_free(err);
	out_text(out, "Entering interactive mode (type \"help\" for commands, \"o\" for options)\n");
	err_free(out_close(out));
}

static void ignore_signal(int number)
{
	(void)number;
}

/* Ctrl-C is for the command that runs; where a line is read, it breaks off what waits. */
static void take_signals(void)
{
	struct sigaction action = {.sa_handler = ignore_signal};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void take_old_line(void *shell, const char *line)
{
	edit_remember(((struct shell *)shell)->edit, line);
}

static void remember(const struct shell *shell, const char *line)
{
	if (!*line || !shell->history)
		return;
	edit_remember(shell->edit, line);
	history_add(shell->history, line);
}

static void read_commands(struct shell *shell)
{
	const char *text;

	while (!shell->is_done && (text = edit_line(shell->edit))) {
		shell->arena = arena_new();
		text = shell_line_trim(text, shell->arena);
		remember(shell, text);
		obey_text(shell, text);
		arena_free(shell->arena);
	}
}

static void begin(struct shell *shell, bool is_typed)
{
	if (is_typed) {
		take_signals();
		shell->history = history_path(shell->settings.arena);
		if (!shell->settings.quiet)
			greet(shell);
	}
	if (shell->history)
		history_read(shell->history, take_old_line, shell);
}

struct err *shell_run(const struct options *options, const struct profile *profile, const char *program)
{
	struct shell shell = {.settings = *options, .profile = profile, .program = program};
	struct shell_completer *completer = completer_new(profile);
	struct edit_completer edit_completer = {completer, completer_complete};
	bool is_typed = isatty(STDIN_FILENO);

	shell.has_pager = is_typed && isatty(STDOUT_FILENO);
	shell.settings.replaces = true;
	shell.settings.interactive = false;
	shell.settings.rows.compact_labels = true; /* as google/pprof's; who asks again and again knows the profile */
	shell.edit = edit_open("(pprof) ", &edit_completer);
	begin(&shell, is_typed);
	read_commands(&shell);
	if (is_typed && !shell.is_done)
		fputs("\n", stderr);
	edit_close(shell.edit);
	completer_free(completer);
	return NULL;
}

#include "cmd/shell.h"

#include "cmd/edit.h"
#include "cmd/history.h"
#include "cmd/shell_command.h"
#include "cmd/shell_complete.h"
#include "cmd/shell_help.h"
#include "cmd/shell_job.h"
#include "cmd/shell_settings.h"
#include "cmd/show.h"
#include "cmd/term.h"
#include "render/header.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
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

/* ---- commands ---- */

/* Pages are for somebody who turns them. */
static struct err *start(const struct shell *shell, shell_job_fn *run, const void *context)
{
	return (shell->has_pager ? shell_job_page : shell_job_run)(run, context);
}

static struct err *run_report(const void *show)
{
	struct show copy = *(const struct show *)show;

	return show_all(&copy);
}

/* What nobody reads on a terminal is for the browser where no file is named, as in google/pprof's and gperftools'
 * shells. */
static bool wants_browser(const struct show *show, const struct options *options)
{
	return show->on_terminal && !options->output && show->renderer->for_browser;
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
	struct show show;
	struct err *err = command_options(line, &shell->settings, &options);

	if (!err)
		err = show_prepare(&options, shell->profile, shell->program, &diag, &show);
	if (err)
		return err;
	struct viewer viewer = choose_viewer(&show);
	if (show.viewer || wants_browser(&show, &options))
		show.viewer = &viewer;
	if (options.output || show.viewer || show.renderer->binary)
		return shell_job_run(run_report, &show);
	return start(shell, run_report, &show);
}

static struct err *run_help(const void *context)
{
	const struct shell_line *line = context;
	struct out *out = out_fd(STDOUT_FILENO, "standard output");
	struct err *err = NULL;

	if (line->n_words)
		err = shell_help_on(line->words[0].text, out);
	else
		shell_help(out);
	if (!err)
		return out_close(out);
	out_discard(out);
	return err;
}

static struct err *run_options(const void *context)
{
	const struct shell *shell = context;
	struct out *out = out_fd(STDOUT_FILENO, "standard output");

	setting_list(&shell->settings, shell->profile, out);
	return out_close(out);
}

static struct err *help(struct shell *shell, const struct shell_line *line)
{
	return start(shell, run_help, line);
}

static struct err *show_options(struct shell *shell, const struct shell_line *line)
{
	(void)line;
	return start(shell, run_options, shell);
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

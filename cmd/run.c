#include "cmd/run.h"

#include "cmd/load.h"
#include "cmd/sandbox.h"
#include "cmd/shell.h"
#include "cmd/show.h"
#include "cmd/term.h"

#include <unistd.h>

static bool lost_something(const struct options *options, const struct diag *diag)
{
	for (uint32_t i = 0; i < diag->n; i++) {
		if (options->strict >= STRICT_LOSS && diag->notes[i].kind == NOTE_LOSS)
			return true;
		if (options->strict == STRICT_SYMBOLS && diag->notes[i].kind == NOTE_UNSYMBOLIZED)
			return true;
	}
	return false;
}

static struct err *report(const struct options *options, const struct profile *profile, const char *program,
                          struct diag *diag, enum exit_code *code_ret)
{
	struct show show;
	struct err *err = show_prepare(options, profile, program, diag, &show);

	if (!err)
		err = show_all(&show);
	if (!err)
		*code_ret = show.n_offenders ? EXIT_GATE : show_found_nothing(&show) ? EXIT_NO_MATCH : EXIT_GOOD;
	return err;
}

/* The shell tells of each command by itself, and of what was read here. */
static struct err *shell(const struct options *options, const struct profile *profile, const char *program,
                         struct diag *diag, enum exit_code *code_ret)
{
	term_notes(diag, 0, options->quiet, options->verbose);
	*code_ret = EXIT_GOOD;
	return shell_run(options, profile, program);
}

/* Nobody asked for a report, and somebody sits there who can. */
static bool wants_shell(const struct options *options)
{
	const struct gate_opts gate = options_gate(options);
	bool is_asked = options_report(options) || options->trend != TREND_OFF || options->output || gate_is_wanted(&gate);

	return options->interactive || (!is_asked && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

struct err *run(const struct options *given, enum exit_code *code_ret)
{
	struct options asked = *given, *options = &asked;
	struct profile *profile = NULL;
	struct diag diag = {0};
	const char *program;
	bool partial = false;

	options->interactive = wants_shell(given);
	options->symbolize.want_full_names |= options->interactive; /* for filters that are asked for later */
	sandbox_enter(options, &diag);
	struct err *err = load(options, &profile, &program, &partial);
	if (err) {
		diag_clear(&diag);
		return err;
	}
	if (options->has_debuginfod)
		diag_add(&diag, NOTE_DETAIL, NOTE_PLAIN, "DEBUGINFOD_URLS is ignored: nothing is fetched from the network");
	if (options->config_path)
		diag_add(&diag, NOTE_DETAIL, NOTE_PLAIN, "Using the options of %s.", options->config_path);
	diag_append(&diag, &profile->notes);
	err = (options->interactive ? shell : report)(options, profile, program, &diag, code_ret);
	if (!err && *code_ret != EXIT_GATE && (partial || lost_something(options, &diag)))
		*code_ret = EXIT_PARTIAL;
	diag_clear(&diag);
	profile_free(profile);
	return err;
}

#include "cmd/run.h"

#include "cmd/load.h"
#include "cmd/show.h"

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
		*code_ret = show_found_nothing(&show) ? EXIT_NO_MATCH : EXIT_GOOD;
	return err;
}

struct err *run(const struct options *options, enum exit_code *code_ret)
{
	struct profile *profile = NULL;
	struct diag diag = {0};
	const char *program;
	bool partial = false;
	struct err *err = load(options, &profile, &program, &partial);

	if (err)
		return err;
	if (options->has_debuginfod)
		diag_add(&diag, NOTE_DETAIL, NOTE_PLAIN, "DEBUGINFOD_URLS is ignored: nothing is fetched from the network");
	if (options->config_path)
		diag_add(&diag, NOTE_DETAIL, NOTE_PLAIN, "Using the options of %s.", options->config_path);
	diag_append(&diag, &profile->notes);
	err = report(options, profile, program, &diag, code_ret);
	if (!err && (partial || lost_something(options, &diag)))
		*code_ret = EXIT_PARTIAL;
	diag_clear(&diag);
	profile_free(profile);
	return err;
}

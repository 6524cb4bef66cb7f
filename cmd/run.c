#include "cmd/run.h"

#include "analyze/base/file.h"
#include "cmd/load.h"
#include "cmd/sample_type.h"
#include "cmd/show.h"
#include "render/render.h"

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

static enum exit_code exit_code(const struct show *show, bool partial)
{
	bool has_filter = view_drops_samples(&show->view);

	if (partial || lost_something(show->options, show->diag))
		return EXIT_PARTIAL;
	return show->no_match || (has_filter && !show->n_kept) ? EXIT_NO_MATCH : EXIT_GOOD;
}

static struct show make_show(const struct options *options, const struct profile *profile, const char *program,
                             struct diag *diag)
{
	const char *name = options->report ? options->report : "text";
	const struct viewer *viewer = viewer_find(name);
	struct show show = {
		.options = options,
		.profile = profile,
		.viewer = viewer,
		.renderer = viewer ? viewer->renderer : renderer_find(name),
		.view = options->view,
		.rows = options->rows,
		.diag = diag,
	};

	show.view.thread = options->read.thread;
	show.rows.pattern_option = name;
	show.rows.path = program;
	show.rows.program = program ? file_base(program) : profile_program(profile);
	return show;
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
	struct show show = make_show(options, profile, program, &diag);
	err = sample_type_choose(options, profile, show.renderer, &show.view);
	if (!err)
		err = show_all(&show);
	if (!err)
		*code_ret = exit_code(&show, partial);
	diag_clear(&diag);
	profile_free(profile);
	return err;
}

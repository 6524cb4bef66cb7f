#include "cmd/run.h"

#include "analyze/base/file.h"
#include "analyze/base/pool.h"
#include "cmd/term.h"
#include "cmd/view_file.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- arguments ---- */

/* "host:8080" or "host:8080/pprof/heap", as the peers fetch it. */
static bool looks_like_server(const char *text)
{
	const char *colon = strchr(text, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

	return digits && (colon[1 + digits] == '\0' || colon[1 + digits] == '/') &&
	       !memchr(text, '/', (size_t)(colon - text)) && access(text, F_OK) != 0;
}

static bool looks_like_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0 || looks_like_server(text);
}

/* The first of several arguments is the program when it is an ELF file. */
static struct err *split_inputs(const struct options *options, const char **program_ret, struct strings *profiles_ret)
{
	const struct strings *inputs = &options->inputs;
	bool has_program = inputs->n && file_is_elf(inputs->items[0]);

	if (!inputs->n)
		return err_new("expected [PROGRAM] PROFILE... (--help shows how)");
	if (has_program && inputs->n == 1)
		return err_new("%s: expected a profile after the program", inputs->items[0]);
	for (uint32_t i = 0; i < inputs->n; i++)
		if (looks_like_url(inputs->items[i]))
			return err_new("%s: nothing is fetched from the network; use curl -o FILE '%s', then give FILE",
			               inputs->items[i], inputs->items[i]);
	*program_ret = has_program ? inputs->items[0] : NULL;
	*profiles_ret = (struct strings){inputs->items + has_program, inputs->n - has_program, 0};
	return NULL;
}

/* ---- reading ---- */

struct reading {
	const struct options *options;
	struct strings paths;
	struct build **builds; /* NULL: could not be read */
	struct err **errors;
};

static struct err *read_job(void *context, uint32_t job)
{
	struct reading *reading = context;

	reading->errors[job] = profile_read(reading->paths.items[job], &reading->options->read, &reading->builds[job]);
	return NULL;
}

static struct err *read_all(const struct options *options, struct strings paths, struct reading *ret)
{
	*ret = (struct reading){.options = options, .paths = paths};
	ret->builds = mem_zalloc(paths.n, sizeof *ret->builds);
	ret->errors = mem_zalloc(paths.n, sizeof *ret->errors);
	return pool_run((unsigned)options->jobs, paths.n, read_job, ret);
}

static void free_reading(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		build_free(reading->builds[i]);
		err_free(reading->errors[i]);
	}
	free(reading->builds);
	free(reading->errors);
}

static struct err *take_error(struct reading *reading, uint32_t at)
{
	struct err *err = reading->errors[at];

	reading->errors[at] = NULL;
	return err;
}

/* The error that leaves nothing to go on with, or NULL: the only profile is bad, or all are, or the first one that may
 * have been meant as the program. */
static struct err *take_fatal_error(struct reading *reading, bool has_program)
{
	uint32_t n_bad = 0;

	for (uint32_t i = 0; i < reading->paths.n; i++)
		n_bad += reading->errors[i] != NULL;
	if (reading->errors[0] && !has_program && reading->paths.n > 1)
		return err_wrap(take_error(reading, 0), "expected a program (an ELF file) or a profile first");
	return n_bad == reading->paths.n ? take_error(reading, 0) : NULL;
}

/* Adds the profiles up; one that cannot be read costs its part only. */
static struct err *sum_profiles(struct reading *reading, bool has_program, struct build **ret, bool *partial_ret)
{
	struct err *err = take_fatal_error(reading, has_program);
	struct build *sum = NULL;

	for (uint32_t i = 0; i < reading->paths.n && !err; i++) {
		if (!reading->builds[i])
			continue;
		if (sum) {
			err = build_append(sum, build_profile(reading->builds[i]), SET_MAIN);
		} else {
			sum = reading->builds[i];
			reading->builds[i] = NULL;
		}
	}
	if (err) {
		build_free(sum);
		return err;
	}
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		if (!reading->errors[i])
			continue;
		*partial_ret = true;
		diag_add(build_notes(sum), NOTE_WARNING, NOTE_LOSS, "%s; the other profiles are used",
		         err_text(reading->errors[i]));
	}
	*ret = sum;
	return NULL;
}

static struct err *subtract_bases(struct reading *reading, struct build *build)
{
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		struct err *err = take_error(reading, i);

		if (!err)
			err = build_append(build, build_profile(reading->builds[i]), SET_BASE);
		if (err)
			return err_wrap(err, "reading the base profile");
	}
	return NULL;
}

/* Sums of one process's snapshots count what lived long again and again. */
static void note_summed_snapshots(struct build *build)
{
	const struct profile *p = build_profile(build);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_sources; i++)
		n +=
			p->sources[i].set == SET_MAIN && p->sources[i].n_maps && p->sources[i].maps_hash == p->sources[0].maps_hash;
	if (n > 1)
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN,
		         "%u snapshots of one process summed: --base compares two, --trend reads them in time", n);
}

static struct err *read_profiles(const struct options *options, bool has_program, struct strings paths,
                                 struct build **ret, bool *partial_ret)
{
	struct reading profiles, bases;
	struct build *build = NULL;
	struct err *err = read_all(options, paths, &profiles);

	if (!err)
		err = sum_profiles(&profiles, has_program, &build, partial_ret);
	free_reading(&profiles);
	if (err)
		return err;
	note_summed_snapshots(build);
	err = read_all(options, options->bases, &bases);
	if (!err)
		err = subtract_bases(&bases, build);
	free_reading(&bases);
	if (err)
		build_free(build);
	else
		*ret = build;
	return err;
}

/* ---- from addresses to a report ---- */

static struct err *load(const struct options *options, struct profile **ret, const char **program_ret,
                        bool *partial_ret)
{
	struct symbolize_opts symbols = options->symbolize;
	struct strings paths = {0};
	struct build *build = NULL;
	struct err *err = split_inputs(options, &symbols.program, &paths);

	if (!err)
		err = read_profiles(options, symbols.program != NULL, paths, &build, partial_ret);
	if (err)
		return err;
	err = symbolize(build, &symbols);
	if (err) {
		build_free(build);
		return err;
	}
	*ret = build_finish(build);
	*program_ret = symbols.program;
	return NULL;
}

static struct err *unknown_type(const struct profile *profile, const char *name)
{
	struct arena *arena = arena_new();
	const char *types = "";

	for (uint32_t i = 0; i < profile->n_types; i++)
		types = arena_printf(arena, "%s%s %s", types, i ? "," : "", profile_text(profile, profile->types[i].type));
	struct err *err = err_new("--%s: the profile has not got it; its types are%s", name, types);
	arena_free(arena);
	return err;
}

static struct err *choose_type(const struct options *options, const struct profile *profile, uint32_t *ret)
{
	*ret = options->type ? profile_find_type(profile, options->type) : profile->default_type;
	return *ret < profile->n_types ? NULL : unknown_type(profile, options->type);
}

static void note_filters(const struct view *view, const struct report *report, struct diag *diag)
{
	char kept[UNITS_TEXT], all[UNITS_TEXT], share[UNITS_TEXT];
	const char *first = report->filters[0], *gap = report->n_filters > 1 ? " " : "",
			   *second = report->n_filters > 1 ? report->filters[1] : "";

	diag_add(diag, NOTE_INFO, NOTE_PLAIN, "After focus: %s of %s %s (%s)",
	         units_number(kept, &report->classic, view->kept.sum), units_number(all, &report->classic, view->all.sum),
	         report->classic.name, units_percent(share, view->kept.sum, report->divisor_of_all));
	if (!view->n_kept)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s%s%s: no stack is left", first, gap, second);
	if (view->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s%s%s: %u names took too long to match and count as no match", first,
		         gap, second, view->n_given_up);
}

static void note_view(const struct view *view, const struct report *report, struct diag *diag)
{
	char share[UNITS_TEXT];

	if (report->n_filters)
		note_filters(view, report, diag);
	if (view->kept.sum_abs > view->in_rows.sum_abs)
		diag_add(
			diag, NOTE_WARNING, NOTE_PLAIN,
			"%s of the total has no stack: the program may lack frame pointers, the allocator an unwinder, or stacks "
			"were off",
			units_percent(share, view->kept.sum_abs - view->in_rows.sum_abs, view->kept.sum_abs));
	if (view->is_rounded)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "values above 2^53 (9007199254740992) are rounded to 53 bits");
}

static struct err *write_report(const struct options *options, const struct renderer *renderer,
                                const struct report *report)
{
	struct out *out = NULL;
	struct err *err = NULL;

	if (renderer->binary && !options->output && isatty(STDOUT_FILENO))
		return err_new("--%s writes binary data: expected -o FILE or a redirection, not a terminal", renderer->name);
	if (options->output)
		err = out_file(options->output, &out);
	else
		out = out_fd(STDOUT_FILENO, "standard output");
	if (err)
		return err;
	err = renderer->write(report, out);
	if (err) {
		out_discard(out);
		return err;
	}
	bool reader_is_gone = out_reader_is_gone(out);
	err = out_close(out);
	if (err && reader_is_gone) {
		err_free(err);
		err = NULL;
	}
	return err;
}

static struct err *show(const struct options *options, const struct view *view, const struct report_opts *rows,
                        struct diag *diag)
{
	const char *name = options->report ? options->report : "text";
	const struct viewer *viewer = viewer_find(name);
	const struct renderer *renderer = viewer ? viewer->renderer : renderer_find(name);
	struct report *report;
	struct err *err = report_build(view, rows, renderer->parts, &report);

	if (err)
		return err;
	note_view(view, report, diag);
	term_notes(diag, 0, options->quiet, options->verbose);
	uint32_t n_told = diag->n;
	err = viewer ? viewer_show(viewer, report, diag) : write_report(options, renderer, report);
	term_notes(diag, n_told, options->quiet, options->verbose);
	report_free(report);
	return err;
}

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

struct err *run(const struct options *options, enum exit_code *code_ret)
{
	struct profile *profile = NULL;
	struct view *view = NULL;
	struct view_opts view_opts = options->view;
	struct report_opts rows = options->rows;
	struct diag diag = {0};
	const char *program;
	bool partial = false;
	struct err *err = load(options, &profile, &program, &partial);

	if (err)
		return err;
	if (options->has_debuginfod)
		diag_add(&diag, NOTE_DETAIL, NOTE_PLAIN, "DEBUGINFOD_URLS is ignored: nothing is fetched from the network");
	rows.program = program ? file_base(program) : profile_program(profile);
	diag_append(&diag, &profile->notes);
	err = choose_type(options, profile, &view_opts.type);
	if (!err)
		err = view_new(profile, &view_opts, &view);
	if (!err)
		err = show(options, view, &rows, &diag);
	if (!err) {
		bool no_match = (view_opts.focus || view_opts.ignore) && !view->n_kept;

		*code_ret = partial || lost_something(options, &diag) ? EXIT_PARTIAL : no_match ? EXIT_NO_MATCH : EXIT_GOOD;
	}
	diag_clear(&diag);
	view_free(view);
	profile_free(profile);
	return err;
}

#include "cmd/run.h"

#include "analyze/base/file.h"
#include "analyze/base/pool.h"
#include "analyze/threads.h"
#include "cmd/term.h"
#include "cmd/view_file.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each is a report, and the profile may be hostile. */
enum { MOST_THREADS = 1000 };

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

/* What is asked one by one comes from standard input, unless a file is given. */
static bool asks_standard_input(const struct options *options)
{
	const struct renderer *renderer = options->report ? renderer_find(options->report) : NULL;

	return renderer && renderer->asks;
}

/* The first of several arguments is the program when it is an ELF file. */
static struct err *split_inputs(const struct options *options, const char **program_ret, struct strings *profiles_ret)
{
	static const char *standard_input[] = {"-"};
	const struct strings *inputs = &options->inputs;
	bool has_program = inputs->n && file_is_elf(inputs->items[0]);
	bool is_asked = inputs->n == has_program && asks_standard_input(options);

	if (!inputs->n && !is_asked)
		return err_new("expected [PROGRAM] PROFILE... (--help shows how)");
	if (has_program && inputs->n == 1 && !is_asked)
		return err_new("%s: expected a profile after the program", inputs->items[0]);
	for (uint32_t i = 0; i < inputs->n; i++)
		if (looks_like_url(inputs->items[i]))
			return err_new("%s: nothing is fetched from the network; use curl -o FILE '%s', then give FILE",
			               inputs->items[i], inputs->items[i]);
	*program_ret = has_program ? inputs->items[0] : NULL;
	*profiles_ret = is_asked ? (struct strings){standard_input, 1, 0}
	                         : (struct strings){inputs->items + has_program, inputs->n - has_program, 0};
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
		n += p->sources[i].set == SET_MAIN && p->sources[i].n_maps && p->sources[i].maps_hash &&
		     p->sources[i].maps_hash == p->sources[0].maps_hash;
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

/* ---- which values ---- */

/* "alloc_objects, alloc_space": names of a list, of a long one the first ten. */
static const char *join(struct arena *arena, const char *const *names, uint32_t n)
{
	const char *text = "";

	for (uint32_t i = 0; i < n && i < 10; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
	return n > 10 ? arena_printf(arena, "%s and %" PRIu32 " more", text, n - 10) : text;
}

static const char *join_types(struct arena *arena, const struct profile *profile)
{
	const char **names = arena_alloc(arena, profile->n_types, sizeof *names);

	for (uint32_t i = 0; i < profile->n_types; i++)
		names[i] = profile_text(profile, profile->types[i].type);
	return join(arena, names, profile->n_types);
}

static struct err *unknown_type(const struct options *options, const struct profile *profile)
{
	if (!profile->n_types)
		return err_new("%s: expected a profile with sample types, found none",
		               profile_text(profile, profile->sources[0].name));
	struct arena *arena = arena_new();
	const char *types = join_types(arena, profile);
	struct err *err;

	if (options->type)
		err = err_new("--%s: the profile has not got it; its types are %s", options->type, types);
	else
		err = err_new("--sample_index=%s: expected a number from 0 to %" PRIu32 " or one of %s", options->sample_index,
		              profile->n_types - 1, types);
	arena_free(arena);
	return err;
}

/* A number counts from 0, as in google/pprof, where "inuse_x" is also what is called "x". */
static uint32_t find_indexed_type(const struct profile *profile, const char *index)
{
	uint32_t found = profile_find_type(profile, index);
	char *end;

	if (found < profile->n_types)
		return found;
	if (strncmp(index, "inuse_", 6) == 0)
		return profile_find_type(profile, index + 6);
	unsigned long number = strtoul(index, &end, 10);
	return *end || *index < '0' || *index > '9' || number >= profile->n_types ? profile->n_types : (uint32_t)number;
}

/* gperftools' reports of a CPU profile count samples; google/pprof's show time. */
static uint32_t default_type(const struct profile *profile, const struct renderer *renderer)
{
	uint32_t samples = profile_find_type(profile, "samples");
	bool is_classic = renderer->parts & (PART_TABLE | PART_GRAPH);

	return is_classic && profile_family(profile) == FAMILY_CPU && samples < profile->n_types ? samples
	                                                                                         : profile->default_type;
}

static struct err *choose_type(const struct options *options, const struct profile *profile,
                               const struct renderer *renderer, uint32_t *ret)
{
	if (options->type)
		*ret = profile_find_type(profile, options->type);
	else if (options->sample_index)
		*ret = find_indexed_type(profile, options->sample_index);
	else
		*ret = default_type(profile, renderer);
	return *ret < profile->n_types ? NULL : unknown_type(options, profile);
}

/* ---- notes about the values ---- */

static const char *join_filters(const struct report *report)
{
	return join(report->arena, report->filters, report->n_filters);
}

static void note_filters(const struct view *view, const struct report *report, struct diag *diag)
{
	char kept[UNITS_TEXT], all[UNITS_TEXT], share[UNITS_TEXT];

	diag_add(diag, NOTE_INFO, NOTE_PLAIN, "After focus: %s of %s %s (%s)",
	         units_number(kept, &report->classic, view->kept.sum), units_number(all, &report->classic, view->all.sum),
	         report->classic.name, units_percent(share, view->kept.sum, report->divisor_of_all));
	if (!view->n_kept)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s: no stack is left", join_filters(report));
	if (view->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: %u names took too long to match and count as no match",
		         join_filters(report), view->n_given_up);
}

static void note_view(const struct view *view, const struct report *report, struct diag *diag)
{
	char share[UNITS_TEXT];

	if (view->opts.focus || view->opts.ignore)
		note_filters(view, report, diag);
	if (report->no_match)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "--peek=%s: no row matches", report->opts.pattern);
	if (report->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "--peek=%s: %u rows took too long to match and count as no match",
		         report->opts.pattern, report->n_given_up);
	if (view->kept.sum_abs > view->in_rows.sum_abs)
		diag_add(
			diag, NOTE_WARNING, NOTE_PLAIN,
			"%s of the total has no stack: the program may lack frame pointers, the allocator an unwinder, or stacks "
			"were off",
			units_percent(share, view->kept.sum_abs - view->in_rows.sum_abs, view->kept.sum_abs));
	diag_append(diag, &view->notes);
}

/* ---- from values to reports ---- */

/* What the reports of one run share. */
struct show {
	const struct options *options;
	const struct profile *profile;
	const struct renderer *renderer;
	const struct viewer *viewer; /* NULL: the reports are written */
	struct view_opts view;
	struct report_opts rows;
	struct diag *diag;
	uint32_t n_told; /* of the notes */
	uint32_t n_kept; /* samples that passed the filters */
	bool no_match;   /* the report's pattern matched no row */
};

static void tell(struct show *show)
{
	term_notes(show->diag, show->n_told, show->options->quiet, show->options->verbose);
	show->n_told = show->diag->n;
}

static void add_notes(struct diag *diag, const struct diag *notes, const char *thread)
{
	for (uint32_t i = 0; i < notes->n; i++) {
		const struct note *note = &notes->notes[i];

		diag_add(diag, note->level, note->kind, "%s%s%s", thread ? thread : "", thread ? ": " : "", note->text);
	}
}

static struct err *show_report(struct show *show, struct out *out)
{
	struct report *report = NULL;
	struct view *view = NULL;
	struct diag notes = {0};
	struct err *err = view_new(show->profile, &show->view, &view);

	if (!err)
		err = report_build(view, &show->rows, show->renderer->parts, &report);
	if (!err) {
		show->n_kept += view->n_kept;
		show->no_match |= report->no_match;
		note_view(view, report, &notes);
		add_notes(show->diag, &notes, report->thread);
		tell(show);
		err = show->viewer ? viewer_show(show->viewer, report, show->diag) : show->renderer->write(report, out);
		tell(show);
	}
	diag_clear(&notes);
	report_free(report);
	view_free(view);
	return err;
}

/* ---- threads ---- */

static bool wants_each_thread(const struct show *show)
{
	const char *thread = show->options->read.thread;

	return thread && strcmp(thread, "*") == 0;
}

/* A profile.proto has the threads as labels, so one holds all of them. */
static bool keeps_threads_apart(const struct show *show)
{
	return show->renderer == &render_proto;
}

static struct err *check_thread(const struct profile *profile, const char *thread, const char *const *threads,
                                uint32_t n, struct arena *arena)
{
	bool CLEANUP(mem_free_local) *found = threads_find(profile, thread);

	for (uint32_t i = 0; i < profile->n_label_sets; i++)
		if (found[i])
			return NULL;
	return err_new("--thread=%s: expected a thread of the profile: %s", thread, join(arena, threads, n));
}

static struct err *check_threads(const struct show *show, const char *const *threads, uint32_t n, struct arena *arena)
{
	const char *thread = show->options->read.thread;

	if (!n)
		return err_new("--thread=%s: the profile does not tell threads apart: no sample has the label \"thread\"",
		               thread);
	if (!wants_each_thread(show))
		return check_thread(show->profile, thread, threads, n, arena);
	if (keeps_threads_apart(show))
		return NULL;
	if (show->viewer || show->renderer != &render_text)
		return err_new("--thread=*: a report for each thread needs --text");
	if (n > MOST_THREADS)
		return err_new("--thread=*: expected at most %d threads, found %" PRIu32 "; choose one", MOST_THREADS, n);
	return NULL;
}

static struct err *show_threads(struct show *show, struct out *out)
{
	struct arena *arena = arena_new();
	uint32_t n;
	const char **threads = threads_list(show->profile, arena, &n);
	struct err *err = check_threads(show, threads, n, arena);

	bool one_each = wants_each_thread(show) && !keeps_threads_apart(show);
	if (wants_each_thread(show))
		show->view.thread = NULL;
	if (!err && !one_each)
		err = show_report(show, out);
	for (uint32_t i = 0; !err && one_each && i < n && !out_has_failed(out); i++) {
		show->view.thread = threads[i];
		err = show_report(show, out);
	}
	arena_free(arena);
	return err;
}

/* ---- where reports go ---- */

static struct err *open_output(const struct show *show, struct out **ret)
{
	const char *path = show->options->output;

	if (show->renderer->binary && !path && isatty(STDOUT_FILENO))
		return err_new("--%s writes binary data: expected -o FILE or a redirection, not a terminal",
		               show->renderer->name);
	if (path)
		return out_file(path, ret);
	*ret = out_fd(STDOUT_FILENO, "standard output");
	return NULL;
}

static struct err *close_output(struct out *out)
{
	bool reader_is_gone = out_reader_is_gone(out);
	struct err *err = out_close(out);

	if (err && reader_is_gone) {
		err_free(err);
		err = NULL;
	}
	return err;
}

static struct err *show_all(struct show *show)
{
	struct out *out = NULL;
	struct err *err = show->viewer ? NULL : open_output(show, &out);

	if (!err)
		err = show->options->read.thread ? show_threads(show, out) : show_report(show, out);
	if (!out)
		return err;
	if (!err)
		return close_output(out);
	out_discard(out);
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

static enum exit_code exit_code(const struct show *show, bool partial)
{
	bool has_filter = show->view.focus || show->view.ignore;

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
	diag_append(&diag, &profile->notes);
	struct show show = make_show(options, profile, program, &diag);
	err = choose_type(options, profile, show.renderer, &show.view.type);
	if (!err)
		err = show_all(&show);
	if (!err)
		*code_ret = exit_code(&show, partial);
	diag_clear(&diag);
	profile_free(profile);
	return err;
}

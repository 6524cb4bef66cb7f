#include "cmd/show.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"
#include "analyze/threads.h"
#include "cmd/gates.h"
#include "cmd/listings.h"
#include "cmd/sample_type.h"
#include "cmd/sandbox.h"
#include "cmd/tag_options.h"
#include "cmd/term.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Each is a report, and the profile may be hostile: all of them together look at so many samples. */
enum { MOST_THREADS = 1000, MOST_THREAD_SAMPLES = 100000000 };

/* ---- what is asked for ---- */

static struct err *read_suppressions(const struct options *options, struct show *ret)
{
	struct suppressions *list = options->suppressions ? arena_alloc(options->arena, 1, sizeof *list) : NULL;

	ret->suppressions = list;
	return list ? suppressions_read(options->suppressions, options->arena, list) : NULL;
}

struct err *show_prepare(const struct options *options, const struct profile *profile, const char *program,
                         struct diag *diag, struct show *ret)
{
	const char *asked = options_report(options), *name = asked ? asked : "text";
	const struct viewer *viewer = viewer_find(name);
	const struct renderer *renderer = viewer ? viewer->renderer : renderer_find(name);

	if (options->trend != TREND_OFF && (viewer || !renderer->trend))
		return err_new("--trend: expected --text, --json, --csv, --svg, --html or none of the reports, not --%s", name);
	if (options->trend != TREND_OFF && options->rows.by_stack && renderer->trend->parts & PART_FLAME)
		return err_new(
			"--by=stack: expected --text, --json, --csv or --svg, found --%s, whose rows stand in a call tree", name);
	*ret = (struct show){
		.options = options,
		.profile = profile,
		.viewer = viewer,
		.renderer = options->trend != TREND_OFF ? renderer->trend : renderer,
		.view = options->view,
		.rows = options->rows,
		.diag = diag,
		.on_terminal = isatty(STDOUT_FILENO),
		.look = term_look((enum color)options->color),
	};
	ret->view.thread = options->read.thread;
	ret->rows.pattern_option = name;
	ret->rows.growth_count = options->trend;
	if (options->trend >= 0 && !(ret->renderer->parts & PART_FLAME))
		ret->rows.node_count = options->trend;
	ret->rows.path = program;
	ret->rows.program = program ? file_base(program) : profile_program(profile);
	struct err *err = read_suppressions(options, ret);
	if (!err)
		err = sample_type_choose(options, profile, ret->renderer, &ret->view);
	return err ? err : sample_type_columns(options, profile, ret->renderer, &ret->view, &ret->rows.columns);
}

bool show_found_nothing(const struct show *show)
{
	return show->no_match || (view_drops_samples(&show->view) && !show->n_kept);
}

/* ---- notes about the values ---- */

static const char *join_filters(const struct report *report)
{
	return text_join(report->arena, report->filters, report->n_filters);
}

static void note_kept(const struct view *view, const struct report *report, struct diag *diag)
{
	char kept[UNITS_TEXT], all[UNITS_TEXT], share[UNITS_TEXT];
	bool is_focus = view->opts.focus || view->opts.ignore;
	const char *after = is_focus ? "focus" : "filters";
	double whole = view->opts.is_relative ? view_divisor(&view->all) : report->divisor_of_all;

	if (!is_focus && view->kept.sum == view->all.sum && view->kept.sum_abs == view->all.sum_abs)
		return;
	units_number(kept, &report->classic, view_shown(view, view->kept.sum, view->kept.count));
	units_number(all, &report->classic, view_shown(view, view->all.sum, view->all.count));
	if (view->opts.mean)
		diag_add(diag, NOTE_INFO, NOTE_PLAIN, "After %s: a mean of %s, of all %s %s", after, kept, all,
		         report->classic.name);
	else
		diag_add(diag, NOTE_INFO, NOTE_PLAIN, "After %s: %s of %s %s (%s)", after, kept, all, report->classic.name,
		         units_percent(share, view->kept.sum, whole));
}

static void note_filters(const struct view *view, const struct report *report, struct diag *diag)
{
	note_kept(view, report, diag);
	if (!view->n_kept)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s: no stack is left", join_filters(report));
	if (view->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: %u names took too long to match and count as no match",
		         join_filters(report), view->n_given_up);
}

static void note_namesakes(const struct report *report, struct diag *diag)
{
	char more[32] = "";

	if (report->n_namesakes > 1)
		snprintf(more, sizeof more, " and %" PRIu32 " more", report->n_namesakes - 1);
	if (report->n_namesakes)
		diag_add(diag, NOTE_INFO, NOTE_PLAIN,
		         "%s%s: functions of this name in different files are one row; --filefunctions or --lines tells them "
		         "apart",
		         report->namesakes[0], more);
}

static void note_view(const struct view *view, const struct report *report, struct diag *diag)
{
	char share[UNITS_TEXT];

	if (view_drops_samples(&view->opts))
		note_filters(view, report, diag);
	note_namesakes(report, diag);
	if (report->no_match)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "--%s=%s: %s", report->opts.pattern_option, report->opts.pattern,
		         report->code.n_wanted && !report->code.by_address ? "no code of what matches can be shown"
		                                                           : "nothing matches");
	if (report->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "--%s=%s: %u names took too long to match and count as no match",
		         report->opts.pattern_option, report->opts.pattern, report->n_given_up);
	if (view->kept.sum_abs > view->in_rows.sum_abs)
		diag_add(
			diag, NOTE_WARNING, NOTE_PLAIN,
			"%s of the total has no stack: the program may lack frame pointers, the allocator an unwinder, or stacks "
			"were off",
			units_percent(share, view->kept.sum_abs - view->in_rows.sum_abs, view->kept.sum_abs));
	diag_append(diag, &view->notes);
	diag_append(diag, &report->notes);
}

/* ---- notes, and what stands beside ---- */

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

/* The source in a page is a listing beside its own report. */
static struct err *add_source(const struct show *show, struct report *report, struct diag *notes)
{
	if (!show->renderer->has_source || !show->options->embed_source)
		return NULL;
	struct err *err = report_build(report->view, &show->rows, PART_LISTING, &report->source);
	return err ? err : listings_read(show->options, report->source, PART_LISTING, notes);
}

/* ---- one report ---- */

static struct err *write_report(struct show *show, const struct report *report, struct out *out)
{
	if (show->viewer)
		return viewer_show(show->viewer, show->options->gv_scale, report, show->diag);
	return show->renderer->write(report, out);
}

static struct err *show_report(struct show *show, struct out *out)
{
	struct report *report = NULL;
	struct view *view = NULL;
	struct gates gates = {0};
	struct diag notes = {0};
	struct view_opts opts = show->view;

	opts.both_sides = show->renderer->both_sides;
	opts.suppressions = gates_count_in(show) ? show->suppressions : NULL;
	struct err *err = view_new(show->profile, &opts, &view);

	if (!err)
		err = report_build(view, &show->rows, show->renderer->parts, &report);
	if (!err)
		err = listings_read(show->options, report, show->renderer->parts, &notes);
	if (!err)
		err = add_source(show, report, &notes);
	if (!err)
		err = gates_check(show, report, &gates);
	if (!err) {
		if (!show->viewer)
			sandbox_close(show->diag);
		show->n_kept += view->n_kept;
		show->no_match |= report->no_match;
		note_view(view, report, &notes);
		gates_note(&gates, report, &notes);
		add_notes(show->diag, &notes, report->thread);
		if (!show->n_reports++)
			diag_append(show->diag, &view->filter_notes);
		tell(show);
		report->told = show->diag;
		err = write_report(show, report, out);
		tell(show);
	}
	if (!err)
		gates_answer(report, &show->answers);
	diag_clear(&notes);
	gates_clear(&gates);
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

/* A profile.proto has the threads as labels, and other reports may have them as frames: so one holds all of them. */
static bool keeps_threads_apart(const struct show *show)
{
	return show->renderer == &render_proto || tag_options_make_frames_of(show->options, "thread");
}

static struct err *check_thread(const struct profile *profile, const char *thread, const char *const *threads,
                                uint32_t n, struct arena *arena)
{
	bool CLEANUP(mem_free_local) *found = threads_find(profile, thread);

	for (uint32_t i = 0; i < profile->n_label_sets; i++)
		if (found[i])
			return NULL;
	return err_new("--thread=%s: expected a thread of the profile: %s", thread, text_join(arena, threads, n));
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
	if ((uint64_t)n * show->profile->n_samples > MOST_THREAD_SAMPLES)
		return err_new("--thread=*: %" PRIu32 " threads of %" PRIu32 " samples are too many reports; choose one", n,
		               show->profile->n_samples);
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

	if (show->renderer->binary && !path && show->on_terminal)
		return err_new("--%s writes %s: expected -o FILE or a redirection, not a terminal", show->renderer->name,
		               show->renderer->for_browser ? "a page for a browser" : "binary data");
	struct err *err = path ? out_file(path, ret) : NULL;
	if (err)
		return err;
	if (!path)
		*ret = out_fd(STDOUT_FILENO, "standard output");
	out_set_look(*ret, path ? term_look_of_file((enum color)show->options->color) : show->look);
	return NULL;
}

static struct err *end_output(struct out *out, struct err *err)
{
	if (!err)
		return out_close(out);
	out_discard(out);
	return err;
}

struct err *show_all(struct show *show)
{
	struct out *out = NULL;
	struct profile *tagged = NULL;
	struct err *err = tag_options_apply(show, &tagged);

	if (!err && !show->viewer)
		err = open_output(show, &out);
	if (!err)
		err = show->options->read.thread ? show_threads(show, out) : show_report(show, out);
	profile_free(tagged);
	if (out)
		err = end_output(out, err);
	if (!err)
		term_notes(&show->answers, 0, false, false);
	diag_clear(&show->answers);
	return err;
}

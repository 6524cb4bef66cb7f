#include "cmd/gates.h"

#include "analyze/base/text.h"

#include <inttypes.h>

enum { MOST_TOLD = 100 }; /* lines on one limit */

static struct err *build_beside(const struct show *show, const struct report *report, struct gates *ret)
{
	struct view_opts opts = report->view->opts;

	opts.both_sides = true;
	opts.suppressions = show->suppressions;
	struct err *err = view_new(show->profile, &opts, &ret->view);
	return err ? err : report_build(ret->view, &show->rows, PART_SERIES, &ret->report);
}

bool gates_count_in(const struct show *show)
{
	return show->renderer->parts & PART_SERIES;
}

struct err *gates_check(struct show *show, struct report *report, struct gates *ret)
{
	struct gate_opts opts = options_gate(show->options);
	const struct report *of = report;
	struct err *err = NULL;

	if (!gate_is_wanted(&opts))
		return NULL;
	if (report->view->opts.mean)
		return err_new("--fail-growth and --fail-above: expected values that add up, found means");
	if (!gates_count_in(show)) {
		err = build_beside(show, report, ret);
		of = ret->report;
	}
	if (!err)
		err = gate_build(&of->table, &of->series, &opts, report->arena, &ret->gate);
	if (err)
		return err;
	report->gate = &ret->gate;
	show->n_offenders += ret->gate.n_offenders;
	return NULL;
}

static void note_unused(const struct view *view, struct diag *diag)
{
	const struct suppressions *list = view->opts.suppressions;
	struct arena *arena = arena_new();
	const char **unused = arena_alloc(arena, list->n, sizeof *unused);
	uint32_t n = 0;

	for (uint32_t i = 0; i < list->n; i++)
		if (!view->suppressed.is_used[i])
			unused[n++] = list->items[i].pattern;
	if (n)
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s: no frame is matched by %s", list->path,
		         text_join(arena, unused, n));
	arena_free(arena);
}

static void note_suppressed(const struct report *report, struct diag *diag)
{
	const struct view *view = report->view;
	const struct suppressions *list = view->opts.suppressions;
	char value[UNITS_TEXT];

	if (!list)
		return;
	diag_add(diag, NOTE_INFO, NOTE_PLAIN,
	         "%" PRIu32 " of %" PRIu32 " suppressions of %s left out %" PRIu32 " stack%s, %s%s",
	         view->suppressed.n_used, list->n, list->path, view->n_left_out, view->n_left_out == 1 ? "" : "s",
	         report_label_alone(value, report, view_hold(view->left_out.sum)), view->has_base ? " of growth" : "");
	if (view->suppressed.n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: %" PRIu32 " names took too long to match and count as no match",
		         list->path, view->suppressed.n_given_up);
	note_unused(view, diag);
}

static void note_gate(const struct gate *gate, struct diag *diag)
{
	for (uint32_t i = 0; i < gate->n_limits; i++)
		if (gate->limits[i].is_of_nothing)
			diag_add(diag, NOTE_INFO, NOTE_PLAIN, "%s: the first total is 0, so any growth is beyond the limit",
			         gate->limits[i].option);
	if (gate->n_given_up)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "--fail-above: %u names took too long to match and count as no match",
		         gate->n_given_up);
}

void gates_note(const struct gates *gates, const struct report *report, struct diag *diag)
{
	note_suppressed(gates->report ? gates->report : report, diag);
	if (report->gate)
		note_gate(report->gate, diag);
	if (gates->report)
		diag_append(diag, &gates->report->notes);
}

static void answer(const struct report *report, const struct offender *offender, struct diag *answers)
{
	const struct gate_limit *limit = offender->limit;
	char value[UNITS_TEXT], most[UNITS_TEXT];

	diag_add(answers, NOTE_INFO, NOTE_PLAIN, "%s%s%s: %s %s %s (limit %s)", report->thread ? report->thread : "",
	         report->thread ? ": " : "", limit->option, gate_name(report->gate, offender, report->arena),
	         limit->is_growth ? "grew by" : "has", report_label_alone(value, report, offender->value),
	         report_label_alone(most, report, limit->value));
}

void gates_answer(const struct report *report, struct diag *answers)
{
	const struct gate *gate = report->gate;

	for (uint32_t i = 0; gate && i < gate->n_limits; i++) {
		const struct gate_limit *limit = &gate->limits[i];

		for (uint32_t k = 0; k < limit->n && k < MOST_TOLD; k++)
			answer(report, &gate->offenders[limit->first + k], answers);
		if (limit->n > MOST_TOLD)
			diag_add(answers, NOTE_INFO, NOTE_PLAIN, "%s: and %" PRIu32 " more; --json has all", limit->option,
			         limit->n - MOST_TOLD);
	}
}

void gates_clear(struct gates *gates)
{
	report_free(gates->report);
	view_free(gates->view);
}

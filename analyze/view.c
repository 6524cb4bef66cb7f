#include "analyze/view.h"

#include "analyze/base/regex.h"
#include "analyze/threads.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

struct view_lines view_frame_lines(const struct view *view, stack_id stack, uint32_t frame)
{
	const struct profile *p = view->profile;
	const struct frames_start *start = &view->starts[stack.row];
	const struct location *loc = &p->locs[p->frames[p->stacks[stack.row].first + frame].row];
	uint32_t skipped = frame == start->frame ? start->line : 0;

	if (!view_has_frame(view, stack, frame))
		return (struct view_lines){0};
	return (struct view_lines){loc->first_line + skipped, loc->first_line + loc->n_lines};
}

/* ---- filters ---- */

enum { UNKNOWN, NO, YES };

/* Which lines and locations a pattern matches; each text is matched once. */
struct filter {
	const struct profile *p;
	struct regex *regex;
	bool sees_addresses; /* a pattern that begins 0x matches addresses, any other never does */
	uint8_t *of_str;
	bool *of_line, *of_loc;
};

static bool match_str(struct filter *filter, str_id id)
{
	if (!id.row)
		return false;
	if (filter->of_str[id.row] == UNKNOWN)
		filter->of_str[id.row] = regex_match(filter->regex, profile_text(filter->p, id)) ? YES : NO;
	return filter->of_str[id.row] == YES;
}

static bool match_place(struct filter *filter, const struct function *func, uint32_t line)
{
	const char *file = profile_text(filter->p, func->file);
	size_t size = strlen(file) + 16;

	if (!*file || !line)
		return false;
	char CLEANUP(mem_free_local) *text = mem_alloc(size, 1);
	snprintf(text, size, "%s:%" PRIu32, file, line);
	return regex_match(filter->regex, text);
}

static bool match_line(struct filter *filter, const struct line *line)
{
	const struct function *func = &filter->p->funcs[line->func.row];

	return match_str(filter, func->name) || match_str(filter, func->full_name) || match_str(filter, func->file) ||
	       match_place(filter, func, line->line);
}

static bool match_loc(struct filter *filter, const struct location *loc)
{
	char addr[24];

	if (match_str(filter, filter->p->objects[loc->object.row].file))
		return true;
	if (!filter->sees_addresses)
		return false;
	snprintf(addr, sizeof addr, "0x%" PRIx64, loc->addr);
	return regex_match(filter->regex, addr);
}

static void filter_free(struct filter *filter)
{
	regex_free(filter->regex);
	free(filter->of_str);
	free(filter->of_line);
	free(filter->of_loc);
}

/* pattern NULL: the filter has no regex and matches nothing. */
static struct err *filter_init(struct filter *filter, const struct profile *p, const char *option, const char *pattern)
{
	*filter = (struct filter){.p = p};
	if (!pattern)
		return NULL;
	struct err *err = regex_new(option, pattern, &filter->regex);
	if (err)
		return err;
	filter->sees_addresses = strncmp(pattern, "0x", 2) == 0;
	filter->of_str = mem_zalloc(p->n_strs, 1);
	filter->of_line = mem_zalloc(p->n_lines, sizeof *filter->of_line);
	filter->of_loc = mem_zalloc(p->n_locs, sizeof *filter->of_loc);
	for (uint32_t i = 0; i < p->n_lines; i++)
		filter->of_line[i] = match_line(filter, &p->lines[i]);
	for (uint32_t i = 1; i < p->n_locs; i++)
		filter->of_loc[i] = match_loc(filter, &p->locs[i]);
	return NULL;
}

static bool match_sample(const struct view *view, const struct filter *filter, stack_id id)
{
	const struct profile *p = view->profile;
	const struct stack *stack = &p->stacks[id.row];

	for (uint32_t i = view->starts[id.row].frame; i < stack->n; i++) {
		struct view_lines lines = view_frame_lines(view, id, i);

		if (!view_has_frame(view, id, i))
			continue;
		if (filter->of_loc[p->frames[stack->first + i].row])
			return true;
		for (uint32_t k = lines.first; k < lines.end; k++)
			if (filter->of_line[k])
				return true;
	}
	return false;
}

/* ---- values ---- */

static void add(struct view_total *total, double value)
{
	total->has_gain |= value > 0;
	total->has_loss |= value < 0;
	total->sum += value;
	total->sum_abs += fabs(value);
}

double view_divisor(const struct view_total *total)
{
	return total->has_gain && total->has_loss ? total->sum_abs : fabs(total->sum);
}

double view_hold(double sum)
{
	return fabs(sum) <= VIEW_MOST ? sum : copysign(VIEW_MOST, sum);
}

static const double EXACT = 0x1p53; /* from here on, a whole number may have been rounded to this one */

/* What happened to values that a double, or 63 bits, cannot hold. */
struct limits {
	double largest; /* of single values, by size */
	bool is_rounded, is_held;
};

static double hold(double sum, struct limits *limits)
{
	double held = view_hold(sum);

	limits->is_held |= held != sum;
	limits->is_rounded |= fabs(held) >= EXACT;
	return held;
}

static void hold_total(struct view_total *total, struct limits *limits)
{
	/* 2^63 is what one value of 2^63-1 is as a double, and what two may add up to. */
	limits->is_held |= total->sum_abs >= VIEW_MOST && total->sum_abs > limits->largest;
	total->sum = hold(total->sum, limits);
	total->sum_abs = hold(total->sum_abs, limits);
}

static double sample_value(const struct view *view, uint32_t sample, struct limits *limits)
{
	const struct profile *p = view->profile;
	double value = hold(profile_value(p, sample, SET_MAIN, view->opts.type), limits);

	if (view->has_base)
		value = hold(value - hold(profile_value(p, sample, SET_BASE, view->opts.type), limits), limits);
	limits->largest = fmax(limits->largest, fabs(value));
	return view->opts.drop_negative && value < 0 ? 0 : value;
}

double view_value(const struct view *view, uint32_t sample, uint32_t type)
{
	double value = profile_value(view->profile, sample, SET_MAIN, type);

	if (view->has_base)
		value -= profile_value(view->profile, sample, SET_BASE, type);
	return view->opts.drop_negative && value < 0 ? 0 : view_hold(value);
}

static bool is_unchanged(const struct view *view, uint32_t sample)
{
	for (uint32_t i = 0; i < view->profile->n_types; i++)
		if (view_value(view, sample, i) != 0)
			return false;
	return view->has_base;
}

static void note_limits(struct view *view, const struct limits *limits)
{
	if (limits->is_held)
		diag_add(&view->notes, NOTE_WARNING, NOTE_LOSS, "sums above 2^63-1 (9223372036854775807) are held there");
	if (limits->is_rounded)
		diag_add(&view->notes, NOTE_WARNING, NOTE_LOSS,
		         "values from 2^53 (9007199254740992) on are rounded to 53 bits");
}

static void fill_values(struct view *view, const struct filter *focus, const struct filter *ignore)
{
	const struct profile *p = view->profile;
	bool *of_thread = view->opts.thread ? threads_find(p, view->opts.thread) : NULL;
	struct limits limits = {0};

	view->values = mem_zalloc(p->n_samples, sizeof *view->values);
	view->passes = mem_zalloc(p->n_samples, sizeof *view->passes);
	for (uint32_t i = 0; i < p->n_samples; i++) {
		stack_id stack = p->sample_stacks[i];

		if (of_thread && !of_thread[p->sample_labels[i].row])
			continue;
		double value = sample_value(view, i, &limits);
		add(&view->all, value);
		if (focus->regex && !match_sample(view, focus, stack))
			continue;
		if (ignore->regex && match_sample(view, ignore, stack))
			continue;
		view->values[i] = value;
		view->passes[i] = !is_unchanged(view, i);
		view->n_kept++;
		add(&view->kept, value);
		if (p->stacks[stack.row].n)
			add(&view->in_rows, value);
	}
	free(of_thread);
	hold_total(&view->all, &limits);
	hold_total(&view->kept, &limits);
	hold_total(&view->in_rows, &limits);
	note_limits(view, &limits);
}

struct err *view_new(const struct profile *profile, const struct view_opts *opts, struct view **ret)
{
	struct filter focus = {0}, ignore = {0};
	struct err *err = filter_init(&focus, profile, "focus", opts->focus);

	if (!err)
		err = filter_init(&ignore, profile, "ignore", opts->ignore);
	if (!err) {
		struct view *view = mem_zalloc(1, sizeof *view);

		view->profile = profile;
		view->opts = *opts;
		view->has_base = profile->n_sets > SET_BASE;
		view->starts = opts->all_frames ? mem_zalloc(profile->n_stacks, sizeof *view->starts)
		                                : frames_find_starts(profile, &view->notes);
		fill_values(view, &focus, &ignore);
		view->n_given_up =
			(focus.regex ? regex_n_given_up(focus.regex) : 0) + (ignore.regex ? regex_n_given_up(ignore.regex) : 0);
		*ret = view;
	}
	filter_free(&focus);
	filter_free(&ignore);
	return err;
}

void view_free(struct view *view)
{
	if (!view)
		return;
	free(view->values);
	free(view->passes);
	free(view->starts);
	diag_clear(&view->notes);
	free(view);
}

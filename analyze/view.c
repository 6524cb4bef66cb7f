#include "analyze/view.h"

#include "analyze/allocators.h"
#include "analyze/base/regex.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the allocator's frames ---- */

enum { UNKNOWN, NO, YES };

struct allocators {
	const struct profile *p;
	uint8_t *of_func, *of_object;
};

static bool is_allocator_func(struct allocators *a, func_id func, bool inlined)
{
	const char *name = profile_text(a->p, a->p->funcs[func.row].name);

	if (a->of_func[func.row] == UNKNOWN)
		a->of_func[func.row] = allocator_has_function(name) ? YES : NO;
	return a->of_func[func.row] == YES || (inlined && allocator_has_inlined_function(name));
}

static bool is_allocator_object(struct allocators *a, object_id object)
{
	if (a->of_object[object.row] == UNKNOWN)
		a->of_object[object.row] = allocator_has_object(profile_text(a->p, a->p->objects[object.row].file)) ? YES : NO;
	return a->of_object[object.row] == YES;
}

/* How many of the location's lines, from the inner end, are the allocator's. */
static uint32_t count_allocator_lines(struct allocators *a, const struct location *loc)
{
	uint32_t n = 0;

	if (is_allocator_object(a, loc->object))
		return loc->n_lines;
	while (n < loc->n_lines && is_allocator_func(a, a->p->lines[loc->first_line + n].func, n + 1 < loc->n_lines))
		n++;
	return n;
}

/* Walks from the leaf while the frames are the allocator's; the last frame of a stack always stays. */
static struct view_start find_start(struct allocators *a, const struct stack *stack)
{
	struct view_start last = {0};

	for (uint32_t i = 0; i < stack->n; i++) {
		const struct location *loc = &a->p->locs[a->p->frames[stack->first + i].row];
		uint32_t n = count_allocator_lines(a, loc);

		if (n < loc->n_lines || !(n || is_allocator_object(a, loc->object)))
			return (struct view_start){i, n};
		last = (struct view_start){i, n ? n - 1 : 0};
	}
	return last;
}

static void find_starts(struct view *view)
{
	const struct profile *p = view->profile;
	struct allocators a = {.p = p};

	view->starts = mem_zalloc(p->n_stacks, sizeof *view->starts);
	if (view->opts.all_frames)
		return;
	a.of_func = mem_zalloc(p->n_funcs, 1);
	a.of_object = mem_zalloc(p->n_objects, 1);
	for (uint32_t i = 0; i < p->n_stacks; i++)
		view->starts[i] = find_start(&a, &p->stacks[i]);
	free(a.of_func);
	free(a.of_object);
}

struct view_lines view_frame_lines(const struct view *view, stack_id stack, uint32_t frame)
{
	const struct profile *p = view->profile;
	const struct view_start *start = &view->starts[stack.row];
	const struct location *loc = &p->locs[p->frames[p->stacks[stack.row].first + frame].row];
	uint32_t skipped = frame == start->frame ? start->line : 0;

	return (struct view_lines){loc->first_line + skipped, loc->first_line + loc->n_lines};
}

/* ---- filters ---- */

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

static const double EXACT = 0x1p53; /* whole numbers up to here are exact */

static double sample_value(struct view *view, uint32_t sample)
{
	const struct profile *p = view->profile;
	double value = profile_value(p, sample, SET_MAIN, view->opts.type);

	view->is_rounded |= fabs(value) > EXACT;
	if (view->has_base) {
		double base = profile_value(p, sample, SET_BASE, view->opts.type);

		view->is_rounded |= fabs(base) > EXACT;
		value -= base;
	}
	return view->opts.drop_negative && value < 0 ? 0 : value;
}

static void fill_values(struct view *view, const struct filter *focus, const struct filter *ignore)
{
	const struct profile *p = view->profile;

	view->values = mem_zalloc(p->n_samples, sizeof *view->values);
	for (uint32_t i = 0; i < p->n_samples; i++) {
		double value = sample_value(view, i);
		stack_id stack = p->sample_stacks[i];

		add(&view->all, value);
		if (focus->regex && !match_sample(view, focus, stack))
			continue;
		if (ignore->regex && match_sample(view, ignore, stack))
			continue;
		view->values[i] = value;
		view->n_kept++;
		add(&view->kept, value);
		if (p->stacks[stack.row].n)
			add(&view->in_rows, value);
	}
	view->is_rounded |= view->all.sum_abs > EXACT;
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
		find_starts(view);
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
	free(view->starts);
	free(view);
}

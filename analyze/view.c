#include "analyze/view_filters.h"

#include "analyze/threads.h"

#include <math.h>
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

/* ---- values ---- */

static void add(struct view_total *total, double value, double count)
{
	total->count += count;
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

static bool is_scaled(const struct view *view)
{
	return view->opts.normalize && view->ratios;
}

/* Each of a million samples may be off by 2^-53 of its value. */
static const double RESIDUE = 0x1p-36;

bool view_is_residue(const struct view *view, double sum, double sum_abs)
{
	return is_scaled(view) && fabs(sum) <= RESIDUE * sum_abs;
}

double view_row_sum(const struct view *view, double sum)
{
	return view_is_residue(view, sum, view->all.sum_abs) ? 0 : view_hold(sum);
}

void values_add(struct values *to, const struct values *values)
{
	to->flat += values->flat;
	to->cum += values->cum;
	to->flat_count += values->flat_count;
	to->cum_count += values->cum_count;
}

struct values view_values(const struct view *view, uint32_t sample)
{
	double value = view->values[sample], count = view->counts ? view->counts[sample] : 0;

	return (struct values){value, value, count, count};
}

void view_finish_values(const struct view *view, struct values *values)
{
	values->flat = view_shown(view, view_row_sum(view, values->flat), values->flat_count);
	values->cum = view_shown(view, view_row_sum(view, values->cum), values->cum_count);
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

static double main_value(const struct view *view, uint32_t sample, uint32_t type)
{
	double value = profile_value(view->profile, sample, SET_MAIN, type);

	return is_scaled(view) ? ratio_apply(&view->ratios[type], value) : value;
}

static double subtract(const struct view *view, double value, double base)
{
	return is_scaled(view) ? ratio_difference(value, base) : value - base;
}

static double divide(const struct view *view, double value)
{
	return view->opts.divide_by == 0 ? value : view_hold(value / view->opts.divide_by);
}

static double sample_value(const struct view *view, uint32_t sample, struct limits *limits)
{
	const struct profile *p = view->profile;
	double value = hold(main_value(view, sample, view->opts.type), limits);

	if (view->has_base)
		value = hold(subtract(view, value, hold(profile_value(p, sample, SET_BASE, view->opts.type), limits)), limits);
	limits->largest = fmax(limits->largest, fabs(value));
	return view->opts.drop_negative && value < 0 ? 0 : divide(view, value);
}

double view_value(const struct view *view, uint32_t sample, uint32_t type)
{
	double value = main_value(view, sample, type);

	if (view->has_base)
		value = subtract(view, value, profile_value(view->profile, sample, SET_BASE, type));
	return view->opts.drop_negative && value < 0 ? 0 : view_hold(value);
}

double view_divided_value(const struct view *view, uint32_t sample, uint32_t type)
{
	return divide(view, view_value(view, sample, type));
}

double view_side_value(const struct view *view, uint32_t sample, uint32_t set, uint32_t type)
{
	if (set > SET_BASE)
		return divide(view, view_hold(profile_value(view->profile, sample, set, type)));

	double value = main_value(view, sample, type);
	double base = view->has_base ? profile_value(view->profile, sample, SET_BASE, type) : 0;

	if (view->opts.drop_negative && value < base)
		base = value = view->has_base ? value : 0;
	if (view->has_base && subtract(view, value, base) == 0)
		value = base;
	return divide(view, view_hold(set == SET_BASE ? base : value));
}

static double base_value(const struct view *view, uint32_t sample)
{
	return view->has_base ? divide(view, profile_value(view->profile, sample, SET_BASE, view->opts.type)) : 0;
}

static double sample_count(const struct view *view, uint32_t sample)
{
	return view->opts.mean ? view_value(view, sample, view->opts.count_type) : 0;
}

void view_labels(const struct view *view, uint32_t sample, struct label_list *list)
{
	labels_of_sample(view->profile, sample, list);
	tag_keys_keep(view->tag_keys, list);
}

static bool is_unchanged(const struct view *view, uint32_t sample)
{
	for (uint32_t i = 0; view->has_base && i < view->profile->n_types; i++)
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

static bool is_of_thread(const struct view *view, uint32_t sample)
{
	return !view->of_thread || view->of_thread[view->profile->sample_labels[sample].row];
}

/* Whether suppressions leave the sample out; seen says of which stacks they did. */
static bool leave_out(struct view *view, uint32_t sample, bool *seen)
{
	stack_id stack = view->profile->sample_stacks[sample];

	if (!view->suppressed.of_stack || !view->suppressed.of_stack[stack.row])
		return false;
	add(&view->left_out, view_divided_value(view, sample, view->opts.type), 0);
	view->n_left_out += !seen[stack.row];
	return seen[stack.row] = true;
}

static void choose_samples(struct view *view, const struct view_filters *filters, struct cut *cut)
{
	const struct profile *p = view->profile;
	bool needs_stack = cut_drops_stacks(&filters->of_frames);
	bool *CLEANUP(mem_free_local) seen = mem_zalloc(p->n_stacks, sizeof *seen);

	view->passes = mem_zalloc(p->n_samples, sizeof *view->passes);
	for (uint32_t i = 0; i < p->n_samples; i++) {
		stack_id stack = p->sample_stacks[i];

		if (!is_of_thread(view, i) || !view_filters_pass(filters, view, i))
			continue;
		uint32_t n_frames = cut ? cut_stack(cut, stack) : p->stacks[stack.row].n;
		if ((!n_frames && needs_stack) || leave_out(view, i, seen))
			continue;
		view->n_kept++;
		view->passes[i] = view->opts.both_sides || !is_unchanged(view, i);
	}
}

static void add_sample(struct view *view, uint32_t sample, double value, double count)
{
	view->values[sample] = value;
	if (view->counts)
		view->counts[sample] = count;
	add(&view->kept, value, count);
	if (view->profile->stacks[view->profile->sample_stacks[sample].row].n)
		add(&view->in_rows, value, count);
}

static void fill_values(struct view *view)
{
	uint32_t n = view->profile->n_samples;
	struct limits limits = {0};

	view->values = mem_zalloc(n, sizeof *view->values);
	view->counts = view->opts.mean ? mem_zalloc(n, sizeof *view->counts) : NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (!is_of_thread(view, i))
			continue;
		double value = sample_value(view, i, &limits), count = sample_count(view, i);
		add(&view->all, value, count);
		add(&view->base, base_value(view, i), 0);
		if (view->passes[i])
			add_sample(view, i, value, count);
	}
	hold_total(&view->all, &limits);
	hold_total(&view->kept, &limits);
	hold_total(&view->in_rows, &limits);
	view->base.sum = view_hold(view->base.sum);
	view->base.sum_abs = view_hold(view->base.sum_abs);
	view->all.sum = view_row_sum(view, view->all.sum);
	view->kept.sum = view_row_sum(view, view->kept.sum);
	view->in_rows.sum = view_row_sum(view, view->in_rows.sum);
	note_limits(view, &limits);
}

/* From here on, the stacks are what the filters left of them. */
static void adopt(struct view *view, struct cut *cut)
{
	view->profile = view->own = cut_finish(cut);
	memset(view->starts, 0, view->profile->n_stacks * sizeof *view->starts);
}

static struct view *make_view(const struct profile *profile, const struct view_opts *opts,
                              const struct view_filters *filters)
{
	struct view *view = mem_zalloc(1, sizeof *view);

	view->profile = profile;
	view->opts = *opts;
	view->has_base = profile->n_sets > SET_BASE;
	view->ratios = view->has_base && (opts->normalize || opts->both_sides) ? normalize_ratios(profile) : NULL;
	view->starts = opts->all_frames ? mem_zalloc(profile->n_stacks, sizeof *view->starts)
	                                : frames_find_starts(profile, &view->filter_notes);
	view->of_thread = opts->thread ? threads_find(profile, opts->thread) : NULL;
	view->suppressed = suppressions_find(opts->suppressions, profile);
	struct cut *cut = cut_is_needed(&filters->of_frames) ? cut_new(profile, view->starts, &filters->of_frames) : NULL;
	choose_samples(view, filters, cut);
	view_filters_note(filters, view);
	view->tag_keys = filters->tag_keys;
	if (cut)
		adopt(view, cut);
	fill_values(view);
	return view;
}

struct err *view_new(const struct profile *profile, const struct view_opts *opts, struct view **ret)
{
	struct view_filters filters = {0};
	struct err *err = view_filters_init(&filters, profile, opts);

	if (!err)
		*ret = make_view(profile, opts, &filters);
	view_filters_clear(&filters);
	return err;
}

static struct view *share(const struct view *of, const struct view_opts *opts)
{
	struct view *view = mem_alloc(1, sizeof *view);

	*view = *of;
	view->is_shared = true;
	view->opts = *opts;
	view->all = view->kept = view->base = view->in_rows = (struct view_total){0};
	view->notes = view->filter_notes = (struct diag){0};
	fill_values(view);
	return view;
}

struct view *view_of_type(const struct view *of, uint32_t type)
{
	struct view_opts opts = of->opts;

	opts.type = type;
	return share(of, &opts);
}

struct view *view_of_mean(const struct view *of, uint32_t type, uint32_t count_type)
{
	struct view_opts opts = of->opts;

	opts.type = type;
	opts.mean = true;
	opts.count_type = count_type;
	return share(of, &opts);
}

struct view *view_scaled(const struct view *of, uint32_t type)
{
	struct view_opts opts = of->opts;

	opts.type = type;
	opts.normalize = true;
	return share(of, &opts);
}

/* What views of other types share. */
static void free_choice(struct view *view)
{
	free(view->ratios);
	free(view->of_thread);
	free(view->passes);
	free(view->starts);
	suppressed_free(&view->suppressed);
	tag_keys_free(view->tag_keys);
	cut_free(view->own);
	diag_clear(&view->filter_notes);
}

void view_free(struct view *view)
{
	if (!view)
		return;
	if (!view->is_shared)
		free_choice(view);
	free(view->values);
	free(view->counts);
	diag_clear(&view->notes);
	free(view);
}

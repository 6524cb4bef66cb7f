#include "analyze/view_filters.h"

#include <stdlib.h>

static struct err *match_patterns(struct view_filters *filters, const struct profile *p, const struct view_opts *opts)
{
	static struct err *(*const make[N_FILTERS])(const struct profile *, const char *, const char *,
	                                            struct filter **) = {
		[PRUNE_FROM] = filter_new_plain,
		[RETAIN] = filter_new_outermost,
		[EXCLUDE] = filter_new_outermost,
	};
	const struct {
		const char *option, *pattern;
	} wanted[N_FILTERS] = {
		[FOCUS] = {"focus", opts->focus},
		[IGNORE] = {"ignore", opts->ignore},
		[HIDE] = {"hide", opts->hide},
		[SHOW] = {"show", opts->show},
		[SHOW_FROM] = {"show_from", opts->show_from},
		[PRUNE_FROM] = {"prune_from", opts->prune_from},
		[RETAIN] = {"retain", opts->retain},
		[EXCLUDE] = {"exclude", opts->exclude},
	};
	struct err *err = NULL;

	for (size_t i = 0; !err && i < N_FILTERS; i++)
		err = (make[i] ? make[i] : filter_new)(p, wanted[i].option, wanted[i].pattern, &filters->by[i]);
	return err;
}

struct err *view_filters_init(struct view_filters *filters, const struct profile *p, const struct view_opts *opts)
{
	struct err *err = match_patterns(filters, p, opts);

	filters->of_frames = (struct cut_filters){
		.retain = filters->by[RETAIN],
		.exclude = filters->by[EXCLUDE],
		.hide = filters->by[HIDE],
		.show = filters->by[SHOW],
		.show_from = filters->by[SHOW_FROM],
		.prune_from = filters->by[PRUNE_FROM],
		.outermost_only = opts->no_inlines,
	};
	if (!err)
		err = tag_filter_find(p, &opts->tags, &filters->tag_notes, &filters->has_tags);
	return err ? err : tag_keys_new(p, &opts->tags, &filters->tag_notes, &filters->tag_keys);
}

void view_filters_clear(struct view_filters *filters)
{
	for (size_t i = 0; i < N_FILTERS; i++)
		filter_free(filters->by[i]);
	free(filters->has_tags);
	diag_clear(&filters->tag_notes);
}

bool view_drops_samples(const struct view_opts *opts)
{
	return opts->focus || opts->ignore || opts->retain || opts->exclude || opts->hide || opts->show ||
	       opts->show_from || opts->tags.focus || opts->tags.ignore;
}

static bool match_frame(const struct view *view, const struct filter *filter, stack_id stack, uint32_t frame)
{
	const struct profile *p = view->profile;
	struct view_lines lines = view_frame_lines(view, stack, frame);

	if (filter->of_loc[p->frames[p->stacks[stack.row].first + frame].row])
		return true;
	for (uint32_t k = lines.first; k < lines.end; k++)
		if (filter->of_line[k])
			return true;
	return false;
}

static bool match_stack(const struct view *view, const struct view_filters *filters, const struct filter *filter,
                        stack_id id)
{
	const struct profile *p = view->profile;
	const struct stack *stack = &p->stacks[id.row];

	for (uint32_t i = view->starts[id.row].frame; i < stack->n; i++)
		if (view_has_frame(view, id, i) && cut_keeps_frame(&filters->of_frames, p->frames[stack->first + i]) &&
		    match_frame(view, filter, id, i))
			return true;
	return false;
}

bool view_filters_pass(const struct view_filters *filters, const struct view *view, uint32_t sample)
{
	const struct filter *focus = filters->by[FOCUS], *ignore = filters->by[IGNORE];
	stack_id stack = view->profile->sample_stacks[sample];

	if (filters->has_tags && !filters->has_tags[sample])
		return false;
	return !(focus && !match_stack(view, filters, focus, stack)) &&
	       !(ignore && match_stack(view, filters, ignore, stack));
}

/* A pattern that matches nothing is a slip of the user, but where it is the only one, that no stack is left says so. */
void view_filters_note(const struct view_filters *filters, struct view *view)
{
	uint32_t n = 0;

	for (size_t i = 0; i < N_FILTERS; i++) {
		const struct filter *filter = filters->by[i];

		view->n_given_up += filter ? filter->n_given_up : 0;
		n += filter != NULL;
	}
	for (size_t i = 0; i < N_FILTERS && (view->n_kept || n > 1); i++) {
		const struct filter *filter = filters->by[i];

		if (filter && !filter->has_match)
			diag_add(&view->filter_notes, NOTE_WARNING, NOTE_PLAIN, "--%s=%s: no frame matches", filter->option,
			         filter->pattern);
	}
	diag_append(&view->filter_notes, &filters->tag_notes);
}

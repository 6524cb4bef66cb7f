#include "analyze/info.h"

#include "analyze/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- totals ---- */

static void add_types(const struct profile *p, struct info *info)
{
	info->types = mem_zalloc(p->n_types, sizeof *info->types);
	for (uint32_t i = 0; i < p->n_samples; i++)
		for (uint32_t type = 0; type < p->n_types; type++) {
			info->types[type].total += profile_value(p, i, SET_MAIN, type);
			if (p->n_sets > SET_BASE)
				info->types[type].base += profile_value(p, i, SET_BASE, type);
		}
	for (uint32_t type = 0; type < p->n_types; type++) {
		info->types[type].total = view_hold(info->types[type].total);
		info->types[type].base = view_hold(info->types[type].base);
	}
}

/* ---- which objects ---- */

/* Lists those that frames of a sample lie in, dropped frames too; at[row] becomes one more than the number in the list.
 */
static uint32_t *list_objects(const struct profile *p, struct info *info)
{
	uint32_t *at = mem_zalloc(p->n_objects, sizeof *at);

	for (uint32_t i = 0; i < p->n_frames; i++)
		if (!p->locs[p->frames[i].row].is_tag)
			at[p->locs[p->frames[i].row].object.row] = 1;
	info->objects = mem_zalloc(p->n_objects, sizeof *info->objects);
	for (uint32_t row = 0; row < p->n_objects; row++) {
		if (!at[row]) {
			info->n_unused += row != 0;
			continue;
		}
		info->objects[info->n_objects++].object.row = row;
		at[row] = info->n_objects;
	}
	return at;
}

/* ---- shares ---- */

static void add_sample(const struct view *view, struct info *info, const uint32_t *at, uint32_t *last, uint32_t sample)
{
	const struct profile *p = view->profile;
	stack_id id = p->sample_stacks[sample];
	const struct stack *stack = &p->stacks[id.row];
	double value = fabs(view->values[sample]);
	bool is_leaf = true;

	if (!stack->n) {
		info->no_stack += value;
		return;
	}
	for (uint32_t i = view->starts[id.row].frame; i < stack->n; i++) {
		const struct location *loc = &p->locs[p->frames[stack->first + i].row];

		if (!view_has_frame(view, id, i) || loc->is_tag)
			continue;
		uint32_t number = at[loc->object.row] - 1;
		struct info_object *object = &info->objects[number];
		if (is_leaf)
			object->leaf += value;
		if (is_leaf && loc->n_lines)
			object->named += value;
		if (last[number] != sample + 1)
			object->cum += value;
		last[number] = sample + 1;
		is_leaf = false;
	}
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void add_shares(const struct view *view, struct info *info, const uint32_t *at)
{
	uint32_t *last = mem_zalloc(info->n_objects, sizeof *last); /* one more than the sample that added to it last */
	double total = 0;

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		if (view->values[i] == 0)
			continue;
		total += fabs(view->values[i]);
		add_sample(view, info, at, last, i);
	}
	for (uint32_t i = 0; i < info->n_objects; i++) {
		struct info_object *object = &info->objects[i];

		object->named = percent(object->named, object->leaf);
		object->leaf = percent(object->leaf, total);
		object->cum = percent(object->cum, total);
	}
	info->no_stack = percent(info->no_stack, total);
	free(last);
}

/* ---- advice ---- */

static const char *advise(const struct profile *p, const struct info_object *row, struct arena *arena)
{
	const struct object *object = &p->objects[row->object.row];
	bool is_named = row->named >= 99.95; /* what is shown as 100.0% */

	if (is_named && !row->object.row)
		return NULL;
	if (object->fate == OBJECT_FOUND && !object->is_doubtful && (is_named || row->leaf == 0))
		return NULL;
	return advice_on_object(p, row->object, arena);
}

/* ---- all together ---- */

static int by_leaf(const void *x, const void *y, void *context)
{
	const struct profile *p = context;
	const struct info_object *a = x, *b = y;
	int order = a->leaf > b->leaf ? -1 : a->leaf < b->leaf;

	if (!order)
		order =
			strcmp(profile_text(p, p->objects[a->object.row].file), profile_text(p, p->objects[b->object.row].file));
	return order ? order : a->object.row < b->object.row ? -1 : a->object.row > b->object.row;
}

void info_build(const struct view *view, struct arena *arena, struct info *ret)
{
	const struct profile *p = view->profile;

	*ret = (struct info){0};
	add_types(p, ret);
	uint32_t *at = list_objects(p, ret);
	add_shares(view, ret, at);
	free(at);
	for (uint32_t i = 0; i < ret->n_objects; i++)
		ret->objects[i].advice = advise(p, &ret->objects[i], arena);
	if (ret->n_objects)
		qsort_r(ret->objects, ret->n_objects, sizeof *ret->objects, by_leaf, (void *)(uintptr_t)p);
}

void info_free(struct info *info)
{
	free(info->types);
	free(info->objects);
	*info = (struct info){0};
}

/* Finds locations of one place, and makes them one row. */
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

struct place_key {
	const struct profile *p;
	const struct location *loc;
	const struct line *lines;
};

static bool same_place(const void *context, uint32_t row)
{
	const struct place_key *key = context;
	const struct location *loc = &key->p->locs[row];

	return loc->object.row == key->loc->object.row && loc->offset == key->loc->offset;
}

static bool same_lines(const struct line *a, const struct line *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].func.row != b[i].func.row || a[i].line != b[i].line || a[i].column != b[i].column)
			return false;
	return true;
}

static bool same_place_and_lines(const void *context, uint32_t row)
{
	const struct place_key *key = context;
	const struct location *loc = &key->p->locs[row];

	return same_place(context, row) && loc->n_lines == key->loc->n_lines &&
	       same_lines(key->p->lines + loc->first_line, key->lines, loc->n_lines);
}

static uint64_t hash_place(const struct location *loc)
{
	return hash_pair(loc->object.row, loc->offset);
}

static uint64_t hash_lines(const struct location *loc, const struct line *lines)
{
	uint64_t hash = hash_place(loc);

	for (uint32_t i = 0; i < loc->n_lines; i++)
		hash = hash_pair(hash, hash_pair(lines[i].func.row, (uint64_t)lines[i].line << 32 | lines[i].column));
	return hash;
}

/* Names that a text profile brings along do not tell two places apart, and neither do those that one side lacks: the
 * address does. Where there is no address (0, in profiles of interpreted languages) the names are all there is. */
uint32_t build_find_place(const struct build *build, const struct location *loc, const struct line *lines)
{
	struct place_key key = {build->p, loc, lines};
	uint32_t row = index_find(&build->line_index, hash_lines(loc, lines), same_place_and_lines, &key);

	if (row != INDEX_NONE || !loc->offset)
		return row;
	row = index_find(&build->place_index, hash_place(loc), same_place, &key);
	if (row == INDEX_NONE)
		return INDEX_NONE;
	const struct location *first = &build->p->locs[row];
	return loc->is_hint || first->is_hint || !loc->n_lines || !first->n_lines ? row : INDEX_NONE;
}

void build_add_place(struct build *build, uint32_t row)
{
	const struct location *loc = &build->p->locs[row];
	const struct line *lines = build->p->lines + loc->first_line;
	struct place_key key = {build->p, loc, lines};

	index_add(&build->line_index, hash_lines(loc, lines), row);
	/* The first of a place stands for it. */
	if (index_find(&build->place_index, hash_place(loc), same_place, &key) == INDEX_NONE)
		index_add(&build->place_index, hash_place(loc), row);
}

/* Any lines are better than none, and others better than hints. */
bool build_prefers_lines(const struct location *loc, const struct location *other)
{
	return other->n_lines && (!loc->n_lines || (loc->is_hint && !other->is_hint));
}

static void adopt_lines(struct profile *p, uint32_t row, uint32_t from)
{
	struct location *to = &p->locs[row];
	const struct location *loc = &p->locs[from];

	if (!build_prefers_lines(to, loc))
		return;
	to->first_line = loc->first_line;
	to->n_lines = loc->n_lines;
	to->is_hint = loc->is_hint;
}

/* Stacks are interned by their frames, so frames that changed mean new stacks; the samples move along. */
static void refold(struct build *build, const uint32_t *loc_to)
{
	struct profile *p = build->p;
	struct profile old = *p;
	size_t width = (size_t)p->n_sets * p->n_types;

	p->frames = NULL;
	p->stacks = NULL;
	p->sample_stacks = NULL;
	p->sample_labels = NULL;
	p->values = NULL;
	p->block_sizes = NULL;
	p->n_frames = p->n_stacks = p->n_samples = 0;
	build->caps.frames = build->caps.stacks = build->caps.samples = 0;
	index_free(&build->stack_index);
	index_free(&build->sample_index);
	free(build->plain_sample);
	build->plain_sample = NULL;
	build->plain_cap = 0;
	build_stack(build, NULL, 0);
	for (uint32_t i = 0; i < old.n_frames; i++)
		old.frames[i].row = loc_to[old.frames[i].row];
	for (uint32_t i = 0; i < old.n_samples; i++) {
		const struct stack *stack = &old.stacks[old.sample_stacks[i].row];

		double *sum =
			build_values(build, build_stack(build, old.frames + stack->first, stack->n), old.sample_labels[i]);
		for (size_t k = 0; k < width; k++)
			sum[k] += old.values[i * width + k];
		build_block_size(build, old.block_sizes ? old.block_sizes[i] : 0);
	}
	free(old.frames);
	free(old.stacks);
	free(old.sample_stacks);
	free(old.sample_labels);
	free(old.values);
	free(old.block_sizes);
}

void build_fold(struct build *build)
{
	struct profile *p = build->p;
	uint32_t *loc_to = mem_alloc(p->n_locs, sizeof *loc_to);
	bool any = false;

	index_free(&build->line_index);
	index_free(&build->place_index);
	for (uint32_t row = 0; row < p->n_locs; row++) {
		const struct location *loc = &p->locs[row];
		uint32_t found = build_find_place(build, loc, p->lines + loc->first_line);

		loc_to[row] = row && found != INDEX_NONE ? found : row;
		any |= loc_to[row] != row;
		if (loc_to[row] != row)
			adopt_lines(p, loc_to[row], row);
		else if (row)
			build_add_place(build, row);
	}
	if (any)
		refold(build, loc_to);
	free(loc_to);
	build->places_are_known = true;
}

void build_join_objects(struct build *build, const bool *joined, object_id into)
{
	struct profile *p = build->p;
	bool any = false;

	for (uint32_t i = 1; i < p->n_locs; i++) {
		object_id *object = &p->locs[i].object;

		if (!joined[object->row] || object->row == into.row)
			continue;
		*object = into;
		any = true;
	}
	for (uint32_t i = 1; i < p->n_maps; i++)
		if (joined[p->maps[i].object.row])
			p->maps[i].object = into;
	if (any)
		build_fold(build);
}

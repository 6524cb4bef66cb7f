/* Adds one profile to another. */
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

/* Row numbers of the other profile to ours. */
struct translation {
	str_id *strs;
	object_id *objects;
	loc_id *locs;
	uint32_t *types; /* by our type: the other's */
	uint32_t first_map;
};

static struct err *match_types(const struct profile *ours, const struct profile *other, uint32_t *types)
{
	for (uint32_t i = 0; i < ours->n_types; i++) {
		const char *name = profile_text(ours, ours->types[i].type);
		const char *unit = profile_text(ours, ours->types[i].unit);

		types[i] = profile_find_type(other, name);
		if (types[i] == other->n_types || strcmp(profile_text(other, other->types[types[i]].unit), unit) != 0)
			return err_new("%s and %s cannot be combined: one has %s (%s), the other has not",
			               profile_text(ours, ours->sources[0].name), profile_text(other, other->sources[0].name), name,
			               unit);
	}
	return NULL;
}

static void append_objects(struct build *build, const struct profile *other, struct translation *to)
{
	for (uint32_t i = 1; i < other->n_objects; i++) {
		const struct object *object = &other->objects[i];

		to->objects[i] = build_object(build, to->strs[object->file.row], to->strs[object->build_id.row]);
		build_object_facts(build, to->objects[i], object->deleted, object->inode);
		if (object->fate == OBJECT_SPECIAL)
			build_object_fate(build, to->objects[i], OBJECT_SPECIAL, (str_id){0});
	}
}

static void append_maps(struct build *build, const struct profile *other, struct translation *to, uint32_t set)
{
	struct profile *p = build->p;

	to->first_map = p->n_maps;
	for (uint32_t i = 1; i < other->n_maps; i++) {
		struct mapping map = other->maps[i];

		map.object = to->objects[map.object.row];
		MEM_GROW(p->maps, p->n_maps, build->caps.maps);
		p->maps[p->n_maps++] = map;
	}
	for (uint32_t i = 0; i < other->n_sources; i++) {
		struct source source = other->sources[i];

		source.name = to->strs[source.name.row];
		source.format = to->strs[source.format.row];
		source.first_map += to->first_map - 1;
		source.set = set;
		MEM_GROW(p->sources, p->n_sources, build->caps.sources);
		p->sources[p->n_sources++] = source;
	}
}

static void append_locs(struct build *build, const struct profile *other, struct translation *to)
{
	for (uint32_t i = 1; i < other->n_locs; i++) {
		struct location loc = other->locs[i];

		loc.object = to->objects[loc.object.row];
		uint32_t row = build_find_key(build, loc.object, loc.offset);
		if (row == INDEX_NONE) {
			if (loc.map.row)
				loc.map.row += to->first_map - 1;
			row = build_push_loc(build, &loc);
			build_add_key(build, row);
		}
		to->locs[i] = (loc_id){row};
	}
}

/* [sample][type] becomes [sample][set][type]; from the last sample to the first, since rows move up. */
static void widen_to_base(struct build *build)
{
	struct profile *p = build->p;
	size_t row = p->n_types * sizeof *p->values;

	if (p->n_sets == N_SETS)
		return;
	p->n_sets = N_SETS;
	if (!build->caps.samples)
		return;
	p->values = mem_realloc(p->values, build->caps.samples, N_SETS * row);
	for (uint32_t i = p->n_samples; i-- > 0;) {
		double *wide = p->values + (size_t)i * N_SETS * p->n_types;

		memmove(wide, p->values + (size_t)i * p->n_types, row);
		memset(wide + p->n_types, 0, row);
	}
}

static void append_samples(struct build *build, const struct profile *other, const struct translation *to, uint32_t set)
{
	struct profile *p = build->p;
	loc_id *frames = NULL;
	uint32_t cap = 0;

	for (uint32_t i = 0; i < other->n_samples; i++) {
		const struct stack *stack = &other->stacks[other->sample_stacks[i].row];

		if (stack->n > cap)
			frames = mem_realloc(frames, cap = stack->n, sizeof *frames);
		for (uint32_t k = 0; k < stack->n; k++)
			frames[k] = to->locs[other->frames[stack->first + k].row];
		double *sum = build_values(build, build_stack(build, frames, stack->n)) + (size_t)set * p->n_types;
		for (uint32_t t = 0; t < p->n_types; t++)
			sum[t] += profile_value(other, i, SET_MAIN, to->types[t]);
	}
	free(frames);
}

struct err *build_append(struct build *build, const struct profile *other, enum profile_set set)
{
	struct profile *p = build->p;
	struct translation to = {.types = mem_zalloc(p->n_types, sizeof *to.types)};
	struct err *err = match_types(p, other, to.types);

	if (err) {
		free(to.types);
		return err;
	}
	if (!build->keys_are_known)
		build_fold_locations(build);
	if (set == SET_BASE)
		widen_to_base(build);
	to.strs = mem_zalloc(other->n_strs, sizeof *to.strs);
	to.objects = mem_zalloc(other->n_objects, sizeof *to.objects);
	to.locs = mem_zalloc(other->n_locs, sizeof *to.locs);
	for (uint32_t i = 0; i < other->n_strs; i++)
		to.strs[i] = build_str(build, other->strs[i].text, other->strs[i].length);
	append_objects(build, other, &to);
	append_maps(build, other, &to, set);
	append_locs(build, other, &to);
	append_samples(build, other, &to, set);
	diag_append(&p->notes, &other->notes);
	free(to.strs);
	free(to.objects);
	free(to.locs);
	free(to.types);
	return NULL;
}

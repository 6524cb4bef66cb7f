/* Adds one profile to another. */
#include "analyze/base/text.h"
#include "analyze/build_private.h"
#include "analyze/units.h"

#include <stdlib.h>
#include <string.h>

/* A type that both profiles have: by our number and the other's, and what the other's values are multiplied by. */
struct common_type {
	uint32_t ours, others;
	double factor;
};

/* Row numbers of the other profile to ours. */
struct translation {
	str_id *strs;
	object_id *objects;
	func_id *funcs;
	loc_id *locs;
	labels_id *labels;
	struct common_type *types; /* by our type */
	uint32_t n_types;
	uint32_t first_map;
};

/* ---- sample types ---- */

static const char *unit_of(const struct profile *p, uint32_t type)
{
	return profile_text(p, p->types[type].unit);
}

static void match_types(const struct profile *ours, const struct profile *other, struct translation *to)
{
	to->types = mem_alloc(ours->n_types, sizeof *to->types);
	for (uint32_t i = 0; i < ours->n_types; i++) {
		uint32_t found = profile_find_type(other, profile_text(ours, ours->types[i].type));
		double factor;

		if (found < other->n_types && units_factor(unit_of(other, found), unit_of(ours, i), &factor))
			to->types[to->n_types++] = (struct common_type){i, found, factor};
	}
}

static const char *list_types(const struct profile *p, struct arena *arena)
{
	const char *list = "none";

	for (uint32_t i = 0; i < p->n_types; i++) {
		const char *type = text_printable(profile_text(p, p->types[i].type), arena);

		list = i ? arena_printf(arena, "%s, %s", list, type) : type;
	}
	return list;
}

static struct err *no_common_type(const struct profile *ours, const struct profile *other)
{
	struct arena *arena = arena_new();
	struct err *err = err_new("%s and %s cannot be combined: the sample types of one are %s, those of the other %s",
	                          profile_text(ours, ours->sources[0].name), profile_text(other, other->sources[0].name),
	                          list_types(ours, arena), list_types(other, arena));

	arena_free(arena);
	return err;
}

/* Types that the other profile lacks have no sum, so they go. */
static void drop_other_types(struct build *build, const struct profile *other, struct translation *to)
{
	struct profile *p = build->p;
	uint32_t old_n = p->n_types, default_type = 0;

	if (to->n_types == old_n)
		return;
	for (uint32_t i = 0; i < to->n_types; i++) {
		if (to->types[i].ours == p->default_type)
			default_type = i;
		p->types[i] = p->types[to->types[i].ours];
	}
	/* Kept values move down, never past one that is still to be read. */
	for (size_t row = 0; row < (size_t)p->n_samples * p->n_sets; row++)
		for (uint32_t i = 0; i < to->n_types; i++)
			p->values[row * to->n_types + i] = p->values[row * old_n + to->types[i].ours];
	for (uint32_t i = 0; i < to->n_types; i++)
		to->types[i].ours = i;
	p->n_types = to->n_types;
	p->default_type = default_type;
	struct arena *arena = arena_new();
	diag_add(&p->notes, NOTE_INFO, NOTE_PLAIN, "%s: only the sample types that all profiles have are shown: %s",
	         profile_text(other, other->sources[0].name), list_types(p, arena));
	arena_free(arena);
}

/* ---- rows ---- */

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
		source.header = to->strs[source.header.row];
		source.rule = to->strs[source.rule.row];
		source.first_map += to->first_map - 1;
		source.set = set;
		MEM_GROW(p->sources, p->n_sources, build->caps.sources);
		p->sources[p->n_sources++] = source;
	}
}

static void append_funcs(struct build *build, const struct profile *other, struct translation *to)
{
	for (uint32_t i = 1; i < other->n_funcs; i++) {
		struct function func = other->funcs[i];

		func.name = to->strs[func.name.row];
		func.rule_name = to->strs[func.rule_name.row];
		func.full_name = to->strs[func.full_name.row];
		func.system_name = to->strs[func.system_name.row];
		func.file = to->strs[func.file.row];
		to->funcs[i] = build_func(build, &func);
	}
}

/* The location's lines in our rows; good until the next call. */
static const struct line *translate_lines(const struct profile *other, const struct location *loc,
                                          const struct translation *to, struct line **buffer, uint32_t *cap)
{
	if (loc->n_lines > *cap)
		*buffer = mem_realloc(*buffer, *cap = loc->n_lines, sizeof **buffer);
	for (uint32_t i = 0; i < loc->n_lines; i++) {
		(*buffer)[i] = other->lines[loc->first_line + i];
		(*buffer)[i].func = to->funcs[(*buffer)[i].func.row];
	}
	return *buffer;
}

static void write_lines(struct build *build, uint32_t row, const struct location *loc, const struct line *lines)
{
	if (loc->is_hint)
		build_hint(build, (loc_id){row}, lines, loc->n_lines);
	else if (loc->n_lines)
		build_lines(build, (loc_id){row}, lines, loc->n_lines);
}

static uint32_t append_loc(struct build *build, struct location loc, const struct line *lines)
{
	uint32_t row = build_find_place(build, &loc, lines);

	if (row == INDEX_NONE) {
		struct location bare = loc;

		bare.n_lines = 0;
		row = build_push_loc(build, &bare);
		write_lines(build, row, &loc, lines);
		build_add_place(build, row);
	} else if (build_prefers_lines(&build->p->locs[row], &loc)) {
		write_lines(build, row, &loc, lines);
	}
	build->p->locs[row].is_return |= loc.is_return;
	return row;
}

static void append_locs(struct build *build, const struct profile *other, struct translation *to)
{
	uint32_t cap = 16;
	struct line *buffer = mem_alloc(cap, sizeof *buffer);

	for (uint32_t i = 1; i < other->n_locs; i++) {
		struct location loc = other->locs[i];
		const struct line *lines = translate_lines(other, &loc, to, &buffer, &cap);

		loc.object = to->objects[loc.object.row];
		if (loc.map.row)
			loc.map.row += to->first_map - 1;
		to->locs[i] = (loc_id){append_loc(build, loc, lines)};
	}
	free(buffer);
}

static void append_labels(struct build *build, const struct profile *other, struct translation *to)
{
	uint32_t cap = 16;
	struct label *labels = mem_alloc(cap, sizeof *labels);

	for (uint32_t i = 0; i < other->n_label_sets; i++) {
		const struct label_set *set = &other->label_sets[i];

		if (set->n > cap)
			labels = mem_realloc(labels, cap = set->n, sizeof *labels);
		for (uint32_t k = 0; k < set->n; k++) {
			labels[k] = other->labels[set->first + k];
			labels[k].key = to->strs[labels[k].key.row];
			labels[k].text = to->strs[labels[k].text.row];
			labels[k].unit = to->strs[labels[k].unit.row];
		}
		to->labels[i] = build_labels(build, labels, set->n);
	}
	free(labels);
}

/* [sample][type] becomes [sample][set][type]; from the last sample to the first, since rows move up. */
void build_widen(struct build *build, uint32_t n_sets, uint32_t set)
{
	struct profile *p = build->p;
	size_t row = p->n_types * sizeof *p->values;

	p->n_sets = n_sets;
	for (uint32_t i = 0; i < p->n_sources; i++)
		p->sources[i].set = set;
	if (!build->caps.samples)
		return;
	p->values = mem_realloc(p->values, build->caps.samples, n_sets * row);
	for (uint32_t i = p->n_samples; i-- > 0;) {
		double *wide = p->values + (size_t)i * n_sets * p->n_types;

		memmove(wide + (size_t)set * p->n_types, p->values + (size_t)i * p->n_types, row);
		for (uint32_t k = 0; k < n_sets; k++)
			if (k != set)
				memset(wide + (size_t)k * p->n_types, 0, row);
	}
}

/* Rows move down, never past one that is still to be read. */
void build_narrow(struct build *build, uint32_t n_sets, uint32_t main_set)
{
	struct profile *p = build->p;
	size_t row = p->n_types * sizeof *p->values;

	for (uint32_t i = 0; i < p->n_sources; i++)
		if (p->sources[i].set == main_set)
			p->sources[i].set = SET_MAIN;
	for (uint32_t i = 0; i < p->n_samples; i++) {
		double *wide = p->values + (size_t)i * p->n_sets * p->n_types;

		memcpy(wide, wide + (size_t)main_set * p->n_types, row);
		memmove(p->values + (size_t)i * n_sets * p->n_types, wide, n_sets * row);
	}
	p->n_sets = n_sets;
}

static void append_samples(struct build *build, const struct profile *other, const struct translation *to, uint32_t set)
{
	struct profile *p = build->p;
	uint32_t cap = 64;
	loc_id *frames = mem_alloc(cap, sizeof *frames);

	for (uint32_t i = 0; i < other->n_samples; i++) {
		const struct stack *stack = &other->stacks[other->sample_stacks[i].row];

		if (stack->n > cap)
			frames = mem_realloc(frames, cap = stack->n, sizeof *frames);
		for (uint32_t k = 0; k < stack->n; k++)
			frames[k] = to->locs[other->frames[stack->first + k].row];
		double *sum =
			build_values(build, build_stack(build, frames, stack->n), to->labels[other->sample_labels[i].row]) +
			(size_t)set * p->n_types;
		build_block_size(build, other->block_sizes ? other->block_sizes[i] : 0);
		for (uint32_t t = 0; t < to->n_types; t++)
			sum[to->types[t].ours] += to->types[t].factor * profile_value(other, i, SET_MAIN, to->types[t].others);
	}
	free(frames);
}

/* ---- what is true of the whole ---- */

/* The period is the largest, the time the earliest, the duration the sum: as google/pprof does. */
static void append_header(struct build *build, const struct profile *other, const struct translation *to)
{
	struct profile *p = build->p;

	if (other->period > p->period)
		p->period = other->period;
	if (other->time_nanos && (!p->time_nanos || other->time_nanos < p->time_nanos))
		p->time_nanos = other->time_nanos;
	if (__builtin_add_overflow(p->duration_nanos, other->duration_nanos, &p->duration_nanos))
		p->duration_nanos = INT64_MAX;
	for (uint32_t i = 0; i < other->n_comments; i++)
		build_comment(build, to->strs[other->comments[i].row]);
	if (!p->doc_url.row)
		p->doc_url = to->strs[other->doc_url.row];
	if (!p->drop_frames.row && !p->keep_frames.row)
		build_set_frame_filters(build, to->strs[other->drop_frames.row], to->strs[other->keep_frames.row]);
}

static void free_translation(struct translation *to)
{
	free(to->strs);
	free(to->objects);
	free(to->funcs);
	free(to->locs);
	free(to->labels);
	free(to->types);
}

struct err *build_append(struct build *build, const struct profile *other, uint32_t set)
{
	struct translation to = {0};

	match_types(build->p, other, &to);
	if (!to.n_types) {
		free_translation(&to);
		return no_common_type(build->p, other);
	}
	drop_other_types(build, other, &to);
	if (!build->places_are_known)
		build_fold(build);
	if (set == SET_BASE && build->p->n_sets == 1)
		build_widen(build, N_SETS, SET_MAIN);
	to.strs = mem_zalloc(other->n_strs, sizeof *to.strs);
	to.objects = mem_zalloc(other->n_objects, sizeof *to.objects);
	to.funcs = mem_zalloc(other->n_funcs, sizeof *to.funcs);
	to.locs = mem_zalloc(other->n_locs, sizeof *to.locs);
	to.labels = mem_zalloc(other->n_label_sets, sizeof *to.labels);
	for (uint32_t i = 0; i < other->n_strs; i++)
		to.strs[i] = build_str(build, other->strs[i].text, other->strs[i].length);
	append_objects(build, other, &to);
	append_maps(build, other, &to, set);
	append_funcs(build, other, &to);
	append_locs(build, other, &to);
	append_labels(build, other, &to);
	append_samples(build, other, &to, set);
	build->p->hides_blocks &= other->hides_blocks;
	if (set != SET_BASE)
		append_header(build, other, &to);
	diag_append(&build->p->notes, &other->notes);
	free_translation(&to);
	return NULL;
}

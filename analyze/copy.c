/* Begins a profile as a copy of another. */
#include "analyze/build_private.h"

#include <string.h>

static void *copy(const void *column, size_t n, size_t size)
{
	void *to = mem_alloc(n, size);

	if (n)
		memcpy(to, column, n * size);
	return to;
}

#define COPY(build, other, column, n) ((build)->p->column = copy((other)->column, n, sizeof *(other)->column))
#define COPY_GROWING(build, other, name) \
	(COPY(build, other, name, (other)->n_##name), (build)->caps.name = (other)->n_##name)

static void copy_columns(struct build *build, const struct profile *other)
{
	COPY_GROWING(build, other, strs);
	COPY_GROWING(build, other, types);
	COPY_GROWING(build, other, objects);
	COPY_GROWING(build, other, maps);
	COPY_GROWING(build, other, locs);
	COPY_GROWING(build, other, lines);
	COPY_GROWING(build, other, funcs);
	COPY_GROWING(build, other, labels);
	COPY_GROWING(build, other, label_sets);
	COPY_GROWING(build, other, sources);
	COPY_GROWING(build, other, comments);
}

static void copy_samples(struct build *build, const struct profile *other)
{
	struct profile *p = build->p;

	p->sample_stacks = mem_zalloc(other->n_samples, sizeof *p->sample_stacks);
	COPY(build, other, sample_labels, other->n_samples);
	COPY(build, other, values, (size_t)other->n_samples * other->n_sets * other->n_types);
	if (other->block_sizes)
		COPY(build, other, block_sizes, other->n_samples);
	build->caps.samples = other->n_samples;
}

struct build *build_copy(const struct profile *other)
{
	struct build *build = mem_zalloc(1, sizeof *build);
	struct profile *p = build->p = mem_alloc(1, sizeof *p);

	*p = *other;
	p->arena = arena_new();
	p->notes = (struct diag){0};
	diag_append(&p->notes, &other->notes);
	copy_columns(build, other);
	copy_samples(build, other);
	for (uint32_t i = 0; i < p->n_strs; i++)
		index_add(&build->str_index, hash_bytes(p->strs[i].text, p->strs[i].length), i);
	p->frames = NULL;
	p->stacks = NULL;
	p->n_frames = p->n_stacks = 0;
	build_stack(build, NULL, 0);
	return build;
}

void build_set_stack(struct build *build, uint32_t sample, stack_id stack)
{
	build->p->sample_stacks[sample] = stack;
}

loc_id build_tag_loc(struct build *build)
{
	return (loc_id){build_push_loc(build, &(struct location){.is_tag = true})};
}

/* Interns locations, stacks, labels and samples. */
#include "analyze/build_private.h"

#include <stdlib.h>
#include <string.h>

uint32_t build_push_loc(struct build *build, const struct location *loc)
{
	struct profile *p = build->p;

	MEM_GROW(p->locs, p->n_locs, build->caps.locs);
	p->locs[p->n_locs] = *loc;
	return p->n_locs++;
}

loc_id build_loc(struct build *build, uint64_t addr)
{
	uint32_t number = addrs_number(&build->addrs, addr);

	if (number == build->n_loc_of_addr) {
		MEM_GROW(build->loc_of_addr, build->n_loc_of_addr, build->loc_of_addr_cap);
		build->loc_of_addr[build->n_loc_of_addr++] =
			build_push_loc(build, &(struct location){.addr = addr, .offset = addr, .vaddr = addr});
	}
	return (loc_id){build->loc_of_addr[number]};
}

void build_mark_return(struct build *build, loc_id loc)
{
	build->p->locs[loc.row].is_return = true;
}

struct stack_key {
	const struct profile *p;
	const loc_id *frames;
	uint32_t n;
};

static bool same_stack(const void *context, uint32_t row)
{
	const struct stack_key *key = context;
	const struct stack *stack = &key->p->stacks[row];

	return stack->n == key->n &&
	       (!key->n || memcmp(key->p->frames + stack->first, key->frames, key->n * sizeof *key->frames) == 0);
}

stack_id build_stack(struct build *build, const loc_id *frames, uint32_t n)
{
	struct profile *p = build->p;
	struct stack_key key = {p, frames, n};
	uint64_t hash = hash_bytes(n ? (const void *)frames : "", n * sizeof *frames);
	uint32_t row = index_find(&build->stack_index, hash, same_stack, &key);

	if (row != INDEX_NONE)
		return (stack_id){row};
	MEM_GROW(p->stacks, p->n_stacks, build->caps.stacks);
	p->stacks[p->n_stacks] = (struct stack){p->n_frames, n};
	/* Also without a frame there is a column: the span of an empty stack points at it. */
	MEM_GROW(p->frames, p->n_frames, build->caps.frames);
	for (uint32_t i = 0; i < n; i++) {
		MEM_GROW(p->frames, p->n_frames, build->caps.frames);
		p->frames[p->n_frames++] = frames[i];
	}
	index_add(&build->stack_index, hash, p->n_stacks);
	return (stack_id){p->n_stacks++};
}

struct labels_key {
	const struct profile *p;
	const struct label *labels;
	uint32_t n;
};

static bool same_label(const struct label *a, const struct label *b)
{
	return a->key.row == b->key.row && a->text.row == b->text.row && a->number == b->number &&
	       a->unit.row == b->unit.row;
}

static bool same_labels(const void *context, uint32_t row)
{
	const struct labels_key *key = context;
	const struct label_set *set = &key->p->label_sets[row];

	if (set->n != key->n)
		return false;
	for (uint32_t i = 0; i < key->n; i++)
		if (!same_label(&key->p->labels[set->first + i], &key->labels[i]))
			return false;
	return true;
}

labels_id build_labels(struct build *build, const struct label *labels, uint32_t n)
{
	struct profile *p = build->p;
	struct labels_key key = {p, labels, n};
	uint64_t hash = n;

	for (uint32_t i = 0; i < n; i++)
		hash = hash_pair(hash_pair(hash, labels[i].key.row), hash_pair(labels[i].text.row, (uint64_t)labels[i].number));
	uint32_t row = index_find(&build->labels_index, hash, same_labels, &key);
	if (row != INDEX_NONE)
		return (labels_id){row};
	MEM_GROW(p->label_sets, p->n_label_sets, build->caps.label_sets);
	p->label_sets[p->n_label_sets] = (struct label_set){p->n_labels, n};
	MEM_GROW(p->labels, p->n_labels, build->caps.labels);
	for (uint32_t i = 0; i < n; i++) {
		MEM_GROW(p->labels, p->n_labels, build->caps.labels);
		p->labels[p->n_labels++] = labels[i];
	}
	index_add(&build->labels_index, hash, p->n_label_sets);
	return (labels_id){p->n_label_sets++};
}

struct sample_key {
	const struct profile *p;
	stack_id stack;
	labels_id labels;
};

static bool same_sample(const void *context, uint32_t row)
{
	const struct sample_key *key = context;

	return key->p->sample_stacks[row].row == key->stack.row && key->p->sample_labels[row].row == key->labels.row;
}

static uint32_t push_sample(struct build *build, stack_id stack, labels_id labels)
{
	struct profile *p = build->p;
	size_t width = (size_t)p->n_sets * p->n_types;

	if (p->n_samples == build->caps.samples) {
		build->caps.samples = mem_next_cap(p->n_samples);
		p->sample_stacks = mem_realloc(p->sample_stacks, build->caps.samples, sizeof *p->sample_stacks);
		p->sample_labels = mem_realloc(p->sample_labels, build->caps.samples, sizeof *p->sample_labels);
		p->values = mem_realloc(p->values, build->caps.samples, width * sizeof *p->values);
		if (p->block_sizes)
			p->block_sizes = mem_realloc(p->block_sizes, build->caps.samples, sizeof *p->block_sizes);
	}
	if (p->block_sizes)
		p->block_sizes[p->n_samples] = 0;
	p->sample_stacks[p->n_samples] = stack;
	p->sample_labels[p->n_samples] = labels;
	memset(p->values + p->n_samples * width, 0, width * sizeof *p->values);
	return p->n_samples++;
}

/* Most samples have no labels, and their stacks number them: that costs a quarter of an index. */
static uint32_t find_plain_sample(struct build *build, stack_id stack)
{
	while (stack.row >= build->plain_cap) {
		uint32_t old = build->plain_cap;

		build->plain_sample = mem_realloc(build->plain_sample, build->plain_cap = mem_next_cap(old), sizeof(uint32_t));
		memset(build->plain_sample + old, 0xff, (build->plain_cap - old) * sizeof(uint32_t));
	}
	if (build->plain_sample[stack.row] == INDEX_NONE)
		build->plain_sample[stack.row] = push_sample(build, stack, (labels_id){0});
	return build->plain_sample[stack.row];
}

static uint32_t find_labelled_sample(struct build *build, stack_id stack, labels_id labels)
{
	struct sample_key key = {build->p, stack, labels};
	uint64_t hash = hash_pair(stack.row, labels.row);
	uint32_t row = index_find(&build->sample_index, hash, same_sample, &key);

	if (row == INDEX_NONE) {
		row = push_sample(build, stack, labels);
		index_add(&build->sample_index, hash, row);
	}
	return row;
}

double *build_values(struct build *build, stack_id stack, labels_id labels)
{
	uint32_t n_before = build->p->n_samples;
	uint32_t row = labels.row ? find_labelled_sample(build, stack, labels) : find_plain_sample(build, stack);

	build->last_sample = row;
	build->last_is_new = row == n_before;
	return build->p->values + (size_t)row * build->p->n_sets * build->p->n_types;
}

void build_sample(struct build *build, stack_id stack, labels_id labels, const double *values)
{
	double *sum = build_values(build, stack, labels);

	for (uint32_t i = 0; i < build->p->n_types; i++)
		sum[i] += values[i];
}

void build_block_size(struct build *build, int64_t size)
{
	struct profile *p = build->p;

	if (!p->block_sizes && size)
		p->block_sizes = mem_zalloc(build->caps.samples, sizeof *p->block_sizes);
	if (p->block_sizes && (build->last_is_new || p->block_sizes[build->last_sample] != size))
		p->block_sizes[build->last_sample] = build->last_is_new ? size : 0;
}

void build_hide_blocks(struct build *build)
{
	build->p->hides_blocks = true;
}

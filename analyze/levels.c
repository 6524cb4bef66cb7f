/* Bounds what inlined functions make of the stacks: each frame stands for all the lines of its location. */
#include "analyze/build_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* Compilers inline a few levels. A file can make a thousand of a byte, so beyond FREE_STEPS the mean counts. */
enum { USUAL_LEVELS = 16, MOST_LEVELS = 32, FREE_STEPS = 64 << 20, MOST_STEPS_OF_STACK = 1 << 20 };

struct steps {
	uint64_t n_frames, sum, longest;
};

static uint32_t most_levels(const struct profile *p)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < p->n_locs; i++)
		if (p->locs[i].n_lines > most)
			most = p->locs[i].n_lines;
	return most;
}

static uint64_t count_steps(const struct profile *p, const struct stack *stack)
{
	uint64_t n = 0;

	for (uint32_t i = stack->first; i < stack->first + stack->n; i++) {
		uint32_t n_lines = p->locs[p->frames[i].row].n_lines;

		n += n_lines ? n_lines : 1;
	}
	return n;
}

static struct steps count_all_steps(const struct profile *p)
{
	uint64_t *of_stack = mem_alloc(p->n_stacks, sizeof *of_stack);
	struct steps steps = {0};

	for (uint32_t i = 0; i < p->n_stacks; i++) {
		of_stack[i] = count_steps(p, &p->stacks[i]);
		if (of_stack[i] > steps.longest)
			steps.longest = of_stack[i];
	}
	for (uint32_t i = 0; i < p->n_samples; i++) {
		steps.n_frames += p->stacks[p->sample_stacks[i].row].n;
		steps.sum += of_stack[p->sample_stacks[i].row];
	}
	free(of_stack);
	return steps;
}

static uint32_t cut_lines(struct profile *p)
{
	uint32_t n_cut = 0;

	for (uint32_t i = 0; i < p->n_locs; i++) {
		if (p->locs[i].n_lines <= MOST_LEVELS)
			continue;
		p->locs[i].n_lines = MOST_LEVELS;
		n_cut++;
	}
	return n_cut;
}

void build_limit_levels(struct build *build)
{
	struct profile *p = build->p;

	/* As nearly always: then nothing can pass the limits, and the stacks need not be looked at. */
	if (most_levels(p) <= USUAL_LEVELS)
		return;
	struct steps steps = count_all_steps(p);
	if (steps.longest <= MOST_STEPS_OF_STACK && steps.sum <= FREE_STEPS + USUAL_LEVELS * steps.n_frames)
		return;
	uint32_t n = cut_lines(p);
	if (n)
		diag_add(&p->notes, NOTE_WARNING, NOTE_LOSS,
		         "%s: expected at most %d functions at an address of stacks as deep; at %" PRIu32
		         " of them the outer ones are left out",
		         profile_text(p, p->sources[0].name), MOST_LEVELS, n);
}

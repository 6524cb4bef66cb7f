#include "analyze/code.h"

#include "analyze/base/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is wanted ---- */

bool code_parse_address(const char *pattern, uint64_t *ret)
{
	if (strncmp(pattern, "0x", 2) != 0 || strspn(pattern + 2, "0123456789abcdefABCDEF") != strlen(pattern + 2))
		return false;
	errno = 0;
	*ret = strtoull(pattern, NULL, 16);
	return pattern[2] && errno == 0;
}

static bool has_match(const struct view *view, stack_id stack, uint32_t frame, const bool *matches)
{
	const struct profile *p = view->profile;
	struct view_lines lines = view_frame_lines(view, stack, frame);

	for (uint32_t i = lines.first; i < lines.end; i++)
		if (matches[p->funcs[p->lines[i].func.row].name.row])
			return true;
	return false;
}

static void want_stack(const struct view *view, stack_id id, const bool *matches, struct code *code)
{
	const struct profile *p = view->profile;
	const struct stack *stack = &p->stacks[id.row];

	for (uint32_t i = view->starts[id.row].frame; i < stack->n; i++) {
		bool *wanted = &code->wanted[p->frames[stack->first + i].row];

		if (*wanted || !view_has_frame(view, id, i) || (matches && !has_match(view, id, i, matches)))
			continue;
		*wanted = true;
		code->n_wanted++;
	}
}

void code_want(const struct view *view, const bool *matches, struct code *code)
{
	const struct profile *p = view->profile;

	code->wanted = mem_zalloc(p->n_locs, sizeof *code->wanted);
	for (uint32_t i = 0; i < p->n_samples; i++)
		if (view->values[i] != 0)
			want_stack(view, p->sample_stacks[i], matches, code);
}

/* ---- values ---- */

/* The instruction that holds the address: a return address, less one, lies inside a call. */
static uint32_t find_inst(const struct code *code, const struct code_routine *routine, uint64_t vaddr)
{
	uint32_t low = routine->first_inst, high = routine->first_inst + routine->n_insts;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (code->insts[middle].vaddr <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > routine->first_inst ? low - 1 : INDEX_NONE;
}

static uint32_t *find_insts(const struct code *code, const struct profile *p)
{
	uint32_t *inst_of = mem_alloc(p->n_locs, sizeof *inst_of);

	for (uint32_t i = 0; i < p->n_locs; i++) {
		uint32_t routine = code->routine_of[i];

		inst_of[i] = routine ? find_inst(code, &code->routines[routine - 1], code->vaddr_of[i]) : INDEX_NONE;
	}
	return inst_of;
}

/* By routine and by instruction: one more than the sample that counted it last. */
struct marks {
	uint32_t *routines, *insts;
	const uint32_t *inst_of;
};

/* cum counts each sample once: mark is one more than the last. */
static void add_values(struct values *to, const struct values *values, uint32_t *mark, uint32_t sample)
{
	to->flat += values->flat;
	to->flat_count += values->flat_count;
	if (*mark == sample + 1)
		return;
	*mark = sample + 1;
	to->cum += values->cum;
	to->cum_count += values->cum_count;
}

static void add_frame(struct code *code, struct marks *marks, uint32_t loc, uint32_t sample,
                      const struct values *values)
{
	uint32_t routine = code->routine_of[loc], inst = marks->inst_of[loc];

	if (!routine)
		return;
	add_values(&code->routines[routine - 1].values, values, &marks->routines[routine - 1], sample);
	if (inst != INDEX_NONE)
		add_values(&code->insts[inst].values, values, &marks->insts[inst], sample);
}

static void add_sample(const struct view *view, struct code *code, struct marks *marks, uint32_t sample)
{
	const struct profile *p = view->profile;
	stack_id id = p->sample_stacks[sample];
	const struct stack *stack = &p->stacks[id.row];
	struct values values = view_values(view, sample);

	for (uint32_t i = view->starts[id.row].frame; i < stack->n; i++) {
		if (!view_has_frame(view, id, i))
			continue;
		add_frame(code, marks, p->frames[stack->first + i].row, sample, &values);
		values.flat = values.flat_count = 0;
	}
}

void code_add_values(const struct view *view, struct code *code)
{
	if (!code->n_routines)
		return;
	uint32_t *inst_of = find_insts(code, view->profile);
	struct marks marks = {
		.routines = mem_zalloc(code->n_routines, sizeof *marks.routines),
		.insts = mem_zalloc(code->n_insts, sizeof *marks.insts),
		.inst_of = inst_of,
	};

	for (uint32_t i = 0; i < view->profile->n_samples; i++)
		if (view_has_value(view, i))
			add_sample(view, code, &marks, i);
	for (uint32_t i = 0; i < code->n_routines; i++)
		view_finish_values(view, &code->routines[i].values);
	for (uint32_t i = 0; i < code->n_insts; i++)
		view_finish_values(view, &code->insts[i].values);
	free(marks.routines);
	free(marks.insts);
	free(inst_of);
}

bool *code_functions(const struct profile *p, const struct code *code)
{
	bool *found = mem_zalloc(p->n_strs, sizeof *found);

	for (uint32_t i = 1; i < p->n_locs && code->n_routines; i++) {
		const struct location *loc = &p->locs[i];

		if (code->routine_of[i] && loc->n_lines)
			found[p->funcs[p->lines[loc->first_line + loc->n_lines - 1].func.row].name.row] = true;
	}
	return found;
}

void code_free(struct code *code)
{
	free(code->wanted);
	free(code->routines);
	free(code->insts);
	free(code->frames);
	free(code->routine_of);
	free(code->vaddr_of);
	*code = (struct code){0};
}

#include "analyze/read/stack_addrs.h"

#include <stdlib.h>

loc_id stack_addrs_return(struct build *build, uint64_t return_addr)
{
	loc_id loc = build_loc(build, call_addr(return_addr));

	if (return_addr)
		build_mark_return(build, loc);
	return loc;
}

void stack_addrs_free(struct stack_addrs *stack)
{
	free(stack->addrs);
	free(stack->frames);
}

const char *stack_addrs_push(struct stack_addrs *stack, uint64_t addr)
{
	if (stack->n == DEEPEST_STACK)
		return "expected at most 65536 frames";
	MEM_GROW(stack->addrs, stack->n, stack->cap);
	stack->addrs[stack->n++] = addr;
	return NULL;
}

static const char *take_addr(struct span *row, uint64_t *ret)
{
	bool overflow = false;

	if (!span_hex(row, ret, &overflow) || (row->at < row->end && *row->at != ' ' && *row->at != '\t'))
		return "expected a hexadecimal address";
	return overflow ? "expected an address of at most 64 bits" : NULL;
}

const char *stack_addrs_read(struct stack_addrs *stack, struct span row)
{
	const char *wrong = NULL;
	uint64_t addr;

	stack->n = 0;
	span_blanks(&row);
	while (!wrong && row.at < row.end) {
		wrong = take_addr(&row, &addr);
		if (!wrong)
			wrong = stack_addrs_push(stack, addr);
		span_blanks(&row);
	}
	return wrong;
}

loc_id *stack_addrs_frames(struct stack_addrs *stack)
{
	if (stack->cap_frames < stack->n) {
		stack->cap_frames = stack->cap;
		stack->frames = mem_realloc(stack->frames, stack->cap_frames, sizeof *stack->frames);
	}
	return stack->frames;
}

stack_id stack_addrs_build(struct stack_addrs *stack, struct build *build)
{
	loc_id *frames = stack_addrs_frames(stack);

	for (uint32_t i = 0; i < stack->n; i++)
		frames[i] = stack_addrs_return(build, stack->addrs[i]);
	return build_stack(build, frames, stack->n);
}

/* The addresses of a stack as an input gives them, and the locations that they become. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* Frames of the deepest stack; one that is deeper is taken for damage, and its sample is skipped. */
enum { DEEPEST_STACK = 64 << 10 };

/* A return address belongs to the call in front of it: the location is the call's last byte. */
static inline uint64_t call_addr(uint64_t return_addr)
{
	return return_addr ? return_addr - 1 : 0;
}

/* The location of the call that returns to this address. */
loc_id stack_addrs_return(struct build *build, uint64_t return_addr);

/* Where a thread was interrupted, some unwinders give the leaf twice, as it is or as a return address. */
static inline bool is_leaf_again(uint64_t leaf, uint64_t caller)
{
	return leaf == caller || call_addr(leaf) == caller;
}

/* One stack; the room is used again for the next. */
struct stack_addrs {
	uint64_t *addrs; /* leaf first */
	uint32_t n, cap;
	loc_id *frames;
	uint32_t cap_frames;
};

void stack_addrs_free(struct stack_addrs *stack);

/* NULL, or that the stack is too deep. */
const char *stack_addrs_push(struct stack_addrs *stack, uint64_t addr);
/* Reads the hexadecimal addresses that the rest of a row consists of. NULL, or what is wrong with them: "expected ...". */
const char *stack_addrs_read(struct stack_addrs *stack, struct span row);

/* Room for n frames, for readers that make the locations themselves. */
loc_id *stack_addrs_frames(struct stack_addrs *stack);
/* The stack of these addresses, all of which are return addresses. */
stack_id stack_addrs_build(struct stack_addrs *stack, struct build *build);

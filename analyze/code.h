/* Annotated instructions: the routines that hold what a pattern matches, with the values of their instructions. */
#pragma once

#include "analyze/view.h"

/* A function that an instruction belongs to, inlined or not, and the place in it. */
struct code_frame {
	const char *name, *file; /* "": not known */
	uint32_t line;           /* 0: likewise */
};

struct code_inst {
	uint64_t vaddr;
	const char *text;
	uint32_t first_frame, n_frames; /* a span of code->frames, innermost first */
	struct values values;
};

/* The code of a symbol. */
struct code_routine {
	const char *symbol; /* as the linker knows it */
	const char *name;   /* the same for people; NULL: no other */
	object_id object;
	uint64_t start, end;          /* link-time */
	uint32_t first_inst, n_insts; /* a span of code->insts */
	const char *problem;          /* why instructions are missing; NULL: none are */
	struct values values;         /* cum counts each sample once */
};

struct code {
	bool *wanted;     /* by location: its routine is */
	bool by_address;  /* the pattern is an address, and of the wanted those count whose routine holds it */
	uint64_t address; /* run-time or link-time */
	uint32_t n_wanted;

	/* Who can open files fills these; without routines there are none. */
	struct code_routine *routines; /* by symbol, then object, then address */
	struct code_inst *insts;
	struct code_frame *frames;
	uint32_t n_routines, n_insts, n_frames;
	uint32_t *routine_of; /* by location: one more than its routine; 0: none */
	uint64_t *vaddr_of;   /* by location that has a routine: its link-time address */
};

/* "0x4010e4". False: the pattern is one of names. */
bool code_parse_address(const char *pattern, uint64_t *ret);
/* Finds the locations of the view's stacks that have a function that matches, inlined or not (by string, as listing_match
 * has it); NULL: all. by_address and address stay as they are. */
void code_want(const struct view *view, const bool *matches, struct code *code);
/* After the routines were filled in. */
void code_add_values(const struct view *view, struct code *code);
/* By string: it is the name of a function with a routine of its own. The caller frees it. */
bool *code_functions(const struct profile *profile, const struct code *code);
void code_free(struct code *code);

/* Instructions as text: runs objdump over a range of a file's code, and reads what it prints. */
#pragma once

#include "analyze/base/cursor.h"

struct disasm_opts {
	const char *objdump; /* a path, or a name to look for in PATH */
	bool intel_syntax;   /* of x86 */
};

struct disasm_inst {
	uint64_t vaddr;
	const char *text;
};

struct disasm_insts {
	struct disasm_inst *at; /* by address */
	uint32_t n, cap;
};

/* What all runs together have used of what they may. */
struct disasm_use {
	int64_t end_ms; /* when the time is over; 0: it has not begun */
	uint64_t n_bytes;
};

/* Adds the instructions of start <= vaddr < end to *ret; texts go into the arena. fd is an open regular file, whose offset
 * may move. *problem_ret says why there are none, or not all; NULL: there are. The error is about objdump itself, which
 * cannot be started. No shell comes between, and the file's name does not matter. */
struct err *disasm_range(const struct disasm_opts *opts, int fd, uint64_t start, uint64_t end, struct disasm_use *use,
                         struct arena *arena, struct disasm_insts *ret, const char **problem_ret) MUST_CHECK;

/* Reads a line of objdump's output that has no blanks around it: "4010e4:\tsub    $0x18,%rsp". False: it is no
 * instruction. */
bool disasm_parse(const struct span *line, uint64_t *vaddr_ret, struct span *text_ret);

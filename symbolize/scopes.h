/* The functions and inlined calls of a unit that hold its targets: the walk over its DIEs, and their names. */
#pragma once

#include "symbolize/dies.h"
#include "symbolize/targets.h"

enum { SCOPES_DEEPEST = 512 }; /* levels of the DIE tree; inlining adds one or two a call */

struct scope {
	uint64_t die;    /* in .debug_info */
	uint32_t parent; /* INDEX_NONE for a function with code of its own */
	uint64_t entry;  /* where the first range of such a function's code starts; else 0 */
	/* These are set by scopes_named. */
	bool is_named;
	bool is_cplusplus;
	const char *linkage_name, *name; /* NULL: none */
	uint32_t start_line;
	uint32_t call_file, call_line, call_column; /* of an inlined call, in the function that holds it */
};

struct scopes {
	struct scope *at;
	uint32_t n, cap;
};

/* Finds the scopes of the unit's targets and sets targets->scopes. Passes over what seldom holds code: types, abstract
 * functions and functions without a target. scopes begins as zeroed; each call drops the scopes of the one before.
 * abbrevs are the unit's. Notes damage, and keeps what comes before it. */
void scopes_find(struct scopes *scopes, struct unit *unit, const struct abbrevs *abbrevs, struct targets *targets);

/* The same, but passes over nothing of that. */
void scopes_find_everywhere(struct scopes *scopes, struct unit *unit, const struct abbrevs *abbrevs,
                            struct targets *targets);

void scopes_free(struct scopes *scopes);

/* The scope with its names; valid up to the next call of scopes_find. */
const struct scope *scopes_named(struct scopes *scopes, const struct unit *unit, uint32_t number);

/* Which frames of a stack count: the allocator's, the profiler's and those that the profile itself says to drop do not.
 */
#pragma once

#include "analyze/profile.h"

/* Where a stack begins: its first frames are dropped, and so may be the inner lines of the next one. */
struct frames_start {
	uint32_t frame, line;
	bool drops_second; /* frame 1 is the signal's that sampled frame 0 */
};

/* The start of each of the profile's stacks; the caller frees it. A stack that has frames keeps one. Notes tell of
 * patterns of the profile that cannot be used. */
struct frames_start *frames_find_starts(const struct profile *profile, struct diag *notes);

/* What drop_frames and --prune_from see of a name: without its parameters, and without the dot of PowerPC's code entries.
 * False: nothing, for it is empty or too long; a match looks at each byte many times. */
enum { FRAMES_PLAIN_NAME = 4097 };
bool frames_plain_name(const char *name, char plain[FRAMES_PLAIN_NAME]);

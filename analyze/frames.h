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

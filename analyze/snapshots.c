#include "analyze/snapshots.h"

const struct source *snapshots_source(const struct profile *profile, uint32_t snapshot)
{
	uint32_t set = profile_snapshot_set(profile, snapshot), i = snapshot < profile->n_sources ? snapshot : 0;

	/* They stand in the order of time, unless a snapshot has several. */
	if (profile->sources[i].set != set)
		i = 0;
	while (i + 1 < profile->n_sources && profile->sources[i].set != set)
		i++;
	return &profile->sources[i];
}

/* Until the last is known, each stands where it does not have to move: the first in SET_BASE, the others behind it. */
static uint32_t early_set(uint32_t snapshot)
{
	return SET_BASE + snapshot;
}

void snapshots_begin(struct build *build, uint32_t most)
{
	build_widen(build, early_set(most), early_set(0));
}

struct err *snapshots_add(struct build *build, const struct profile *next, uint32_t n)
{
	return build_append(build, next, early_set(n));
}

void snapshots_end(struct build *build, uint32_t n)
{
	build_narrow(build, n, early_set(n - 1));
}

#include "analyze/snapshots.h"

const struct source *snapshots_source(const struct profile *profile, uint32_t snapshot)
{
	uint32_t set = profile_snapshot_set(profile, snapshot), i = 0;

	while (i + 1 < profile->n_sources && profile->sources[i].set != set)
		i++;
	return &profile->sources[i];
}

struct err *snapshots_join(struct build **builds, uint32_t n, struct build **ret)
{
	struct build *build = builds[0];
	struct err *err = NULL;

	builds[0] = NULL;
	build_widen(build, n, SET_BASE);
	for (uint32_t i = 1; i < n && !err; i++)
		err = build_append(build, build_profile(builds[i]), profile_snapshot_set(build_profile(build), i));
	if (err)
		build_free(build);
	else
		*ret = build;
	return err;
}

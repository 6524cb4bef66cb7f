/* Snapshots of one program in time: they become one profile with a set for each (profile.h), and notes say where they do not
 * fit together. */
#pragma once

#include "analyze/build.h"

/* Adds up nothing: builds[n], 2 at least, stand in the order of time, and the first becomes *ret, which is *builds' no longer
 * (builds[0] is NULL then). The error says that two of them have no sample type in common. */
struct err *snapshots_join(struct build **builds, uint32_t n, struct build **ret) MUST_CHECK;
/* The source of a snapshot, by its place in time. */
const struct source *snapshots_source(const struct profile *profile, uint32_t snapshot);

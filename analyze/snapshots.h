/* Snapshots of one program in time: they become one profile with a set for each (profile.h), and notes say where they do not
 * fit together. */
#pragma once

#include "analyze/build.h"

/* The first snapshot becomes the profile, with room for so many. */
void snapshots_begin(struct build *build, uint32_t most);
/* The next one in time, of which there are n before. The error says that two have no sample type in common. */
struct err *snapshots_add(struct build *build, const struct profile *next, uint32_t n) MUST_CHECK;
/* There are n of them, two at least: the last becomes SET_MAIN. */
void snapshots_end(struct build *build, uint32_t n);
/* The source of a snapshot, by its place in time. */
const struct source *snapshots_source(const struct profile *profile, uint32_t snapshot);

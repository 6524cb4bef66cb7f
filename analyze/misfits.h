/* What does not fit together in snapshots in time: notes, one for each kind of trouble, however often it is met. */
#pragma once

#include "analyze/build.h"

/* build: snapshots that were joined (snapshots.h), before names are looked for. */
void misfits_note(struct build *build);

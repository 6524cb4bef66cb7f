/* A unit's line program, DWARF 2 to 5: its table of files, and the place of each address. */
#pragma once

#include "symbolize/sources.h"
#include "symbolize/targets.h"
#include "symbolize/unit.h"

/* Reads the unit's table into sources, which are clear, then sets the places of the targets that its rows cover; of
 * several rows the first in the file wins. A unit may have none. Notes damage, and keeps what comes before it. */
void lineprog_run(struct unit *unit, struct sources *sources, struct targets *targets);

/* The bytes of the unit's line program; 0: it has none. */
uint64_t lineprog_bytes(struct unit *unit);

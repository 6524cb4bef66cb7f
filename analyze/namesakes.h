/* Functions of one name, static ones of different files: by functions, they are one row. */
#pragma once

#include "analyze/tally.h"

/* By row of a table by functions, not split into a call tree: whether it stands for more than one. The caller frees it. */
bool *namesakes_find(const struct table *table);

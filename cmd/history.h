/* The lines that were typed in the shell, kept for the next one: a file in XDG_STATE_HOME, else in ~/.local/state. */
#pragma once

#include "analyze/base/mem.h"

/* The path of the file; NULL: there is no place for it. */
const char *history_path(struct arena *arena);
/* Gives each line that is kept to take, the oldest first. A file that passes its limit is cut to its end. A file that is
 * not there, or none of ours, has no lines. */
void history_read(const char *path, void (*take)(void *context, const char *line), void *context);
/* Adds a line to the end of the file, which is made where it is missing, for this user alone. What cannot be written is
 * lost without a word: the shell does not end for it. */
void history_add(const char *path, const char *line);

/* Which objects of a profile the user's program stands for, and which names of objects are no files at all. */
#pragma once

#include "analyze/profile.h"

/* True for devices, memory without a file, and what the kernel or a loader names: there is nothing to open. */
bool program_is_special_name(const char *file);

/* The first object of the map that looks like a program; row 0: none does. */
object_id program_first(const struct profile *p);

/* Marks the objects that the program stands for in stands[], by row, which are all false; returns the main one. The
 * surest match wins: build id, path, inode, base name; in an input without any it is the first program of the map.
 * Fates are those of special objects and OBJECT_UNTRIED. A note says what was chosen. */
object_id program_choose(const struct profile *p, const char *program, bool *stands, struct diag *diag);

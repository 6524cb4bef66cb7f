/* A command of the shell that makes a report: which one, and the options that hold for it alone. */
#pragma once

#include "cmd/options.h"
#include "cmd/shell_line.h"

/* The report of this name, which may end with a number of rows ("top10"); NULL: there is none. */
const struct opt_row *command_find(const char *name);
/* The settings with what the words of the line say beside: the pattern, patterns of the stacks, "-" before those that are
 * not wanted, a number of rows, --options. *ret shares the arena and the lists of *settings. */
struct err *command_options(const struct shell_line *line, const struct options *settings,
                            struct options *ret) MUST_CHECK;

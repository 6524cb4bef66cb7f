/* The command line: names may be cut short, begun by one dash or two, and negated. */
#pragma once

#include "cmd/options.h"

/* Sets the options of the command line over those that are set; argv's order may change. The texts in *options belong to
 * argv. The error names the argument and, for an unknown option, one that is like it. */
struct err *command_line_take(int argc, char **argv, struct options *options) MUST_CHECK;
/* Likewise, over none, and settles them. */
struct err *command_line_parse(int argc, char **argv, struct options *ret) MUST_CHECK;

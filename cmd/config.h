/* The configuration file: options that count for every run, where the command line does not say otherwise. */
#pragma once

#include "analyze/base/cursor.h"
#include "cmd/options.h"

/* Like command_line_parse, over the options of $XDG_CONFIG_HOME/pprof/config: the command line counts more, and its lists come
 * behind those of the file. What contradicts itself on the command line alone is an error there already. A file that is
 * not there sets nothing; the error of a bad one names the line. */
struct err *config_parse(int argc, char **argv, struct options *ret) MUST_CHECK;
/* Sets the options that the lines of such a file say, over those that are set; they are not settled. */
struct err *config_take(struct cursor *in, struct options *options) MUST_CHECK;

/* The shell: reads commands, and shows a report of the same profile for each. */
#pragma once

#include "cmd/options.h"

/* Until the user ends it, or standard input does. A command that fails says so and ends nothing. */
struct err *shell_run(const struct options *options, const struct profile *profile, const char *program) MUST_CHECK;

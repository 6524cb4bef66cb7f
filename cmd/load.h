/* From the arguments to a profile with names: which are profiles, reading them, adding them up, symbolizing. */
#pragma once

#include "cmd/options.h"

/* *program_ret is the program that the user named, or NULL. *partial_ret is set when one of several profiles could not be
 * read. The caller frees *ret. */
struct err *load(const struct options *options, struct profile **ret, const char **program_ret,
                 bool *partial_ret) MUST_CHECK;

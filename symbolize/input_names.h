/* Names that a profile brings along, told as those that are found here. */
#pragma once

#include "symbolize/symbolize.h"

/* Functions that are called as the linker calls them (some converters do not demangle) get the name that tables show;
 * all get their full names where those are wanted. Before the first function that is found here. */
void input_names_demangle(struct build *build, const struct symbolize_opts *opts);

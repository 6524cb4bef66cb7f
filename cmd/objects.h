/* Where objects are looked for: what the command line and the environment say, put into the symbolizer's options. */
#pragma once

#include "cmd/options.h"

/* Fills the lists of *ret, which live in the arena. The error is for --path-map and --symbol-path. */
struct err *objects_fill(const struct options *options, struct arena *arena, struct symbolize_opts *ret) MUST_CHECK;

/* Which of a profile's values a report shows. */
#pragma once

#include "cmd/options.h"
#include "render/renderer.h"

/* The type that the user named, by its name or number, else the one that this kind of report shows by itself. The error
 * lists the types that there are. */
struct err *sample_type_choose(const struct options *options, const struct profile *profile,
                               const struct renderer *renderer, uint32_t *ret) MUST_CHECK;

/* All output formats. */
#pragma once

#include "render/renderer.h"

/* In the order of the manual; ends with NULL. */
extern const struct renderer *const renderers[];

/* NULL: there is none of this name. */
const struct renderer *renderer_find(const char *name);

/* What the manual page says of options and input formats, in the language of troff. */
#pragma once

#include "render/out.h"

void manual_options(struct out *out);
void manual_inputs(struct out *out);

/* gperftools' list of every stack, which --stacks puts before the table. */
#pragma once

#include "render/renderer.h"

/* The stacks with the values of the report; of a heap then the same as leaks, by the bytes in use. */
void stacks_write(const struct report *report, struct out *out);

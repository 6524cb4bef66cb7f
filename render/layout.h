/* Graphs that are being laid out, each in a process of its own, so that several are at the same time. */
#pragma once

#include "render/renderer.h"

struct layout;

/* Begins to lay the report's graph out as a scalable picture. */
struct err *layout_start_svg(const struct report *report, struct layout **ret) MUST_CHECK;
/* Waits for the picture, writes it and frees the layout. On an error nothing has been written. */
struct err *layout_finish(struct layout *layout, struct out *out) MUST_CHECK;

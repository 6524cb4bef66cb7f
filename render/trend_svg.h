/* The picture of --trend as a part of a page. */
#pragma once

#include "render/renderer.h"

/* Its style is not in it: it is timeline_style, where it stands in #timeline. */
void trend_svg_inline(const struct report *report, struct out *out);

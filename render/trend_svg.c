#include "render/renderer.h"

static struct err *write(const struct report *report, struct out *out)
{
	(void)report;
	out_set_page(out);
	out_markup(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n");
	return NULL;
}

const struct renderer render_trend_svg = {
	.name = "svg",
	.ext = "svg",
	.parts = PART_SERIES,
	.both_sides = true,
	.write = write,
};

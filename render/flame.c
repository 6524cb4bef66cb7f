#include "render/html_assets.h"
#include "render/renderer.h"

/* The flame graph as a picture: each frame is a box on the one that called it. */

static struct err *write(const struct report *report, struct out *out)
{
	out_set_page(out);
	out_markup(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	                "width=\"1200\" height=\"100\" viewBox=\"0 0 1200 100\">\n<title>");
	out_name(out, report->type);
	out_markup(out, "</title>\n<script>");
	out_markup(out, flame_script);
	out_markup(out, "</script>\n</svg>\n");
	return NULL;
}

const struct renderer render_flame = {
	.name = "flame",
	.help = "a flame graph as a scalable picture that can be searched and zoomed in a browser",
	.ext = "svg",
	.parts = PART_FLAME,
	.holds_sums = true,
	.both_sides = true,
	.write = write,
};

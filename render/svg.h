/* What the pictures that are drawn here have in common: their beginning, the lines above, and how their markup is written. */
#pragma once

#include "render/renderer.h"

enum {
	SVG_WIDTH = 1200,
	SVG_MARGIN = 10,
	SVG_ROW = 17, /* pixels from a line of text to the next */
	SVG_BOX = 16, /* the height of a box in it */
};
static const double SVG_COLUMN = 7.3; /* pixels that a character of the fonts takes at most */

enum { SVG_MOST_LINES = 32 };

struct svg_lines {
	const struct report *report;
	const char *lines[SVG_MOST_LINES];
	uint32_t n;
};

/* Lines above a picture; the first is its title. The text is printable, and cut in its middle where it is too long. */
void svg_add_line(struct svg_lines *lines, const char *text);
/* "Active filters: ", if there are any. */
void svg_add_filters(struct svg_lines *lines);
/* "server: ", or "" where the program is not known. */
const char *svg_program(const struct report *report);
/* A label of a row, printable, and cut where it would be thousands of characters. A copy in the report's arena then. */
const char *svg_name(const struct report *report, const char *label);

/* Makes out a page, and writes up to its background. The style is markup, and so are the definitions. NULL as style: the
 * picture is a part of a page that has it. */
void svg_begin(struct out *out, const char *title, const char *style, const char *defs, double height);
/* The lines, the first as a head, from y on; returns where the next one would be. */
uint32_t svg_write_lines(struct out *out, const struct svg_lines *lines, uint32_t y);

/* ' NAME="VALUE"' */
void svg_attribute(struct out *out, const char *name, const char *value);
void svg_number(struct out *out, const char *name, double value);
/* In thousandths, which are there for who zooms. */
void svg_pixels(struct out *out, const char *name, double value);
/* A box of SVG_BOX pixels in height. */
void svg_box(struct out *out, double x, double y, double width);
void svg_text(struct out *out, const char *class, double x, double y, const char *text);

/* Lines of source and values of functions in a page. */
#pragma once

#include "render/source_line.h"

/* How heavy a line is, as one more class of its element: " w1" to " w3", or "" where it has no value. */
const char *source_page_weight(const struct report *report, const struct listing_line *line);
/* Number, flat, cum and text of a line, as markup; line is NULL where it has no value. */
void source_page_line(struct out *out, const struct report *report, const struct listing_part *part, uint32_t number,
                      const struct listing_line *line);
/* "2MB flat, 3MB cum (75% of total)" of a function, of means without the percentage. */
void source_page_values(struct out *out, const struct report *report, const struct values *values);

/* How rows of tables look on a terminal; in a file they are plain. */
#pragma once

#include "analyze/report.h"
#include "render/out.h"

/* Bold: a tenth of the total or more is the row's own, whether sums or means are shown. With a base: what has grown, and what has shrunk. */
enum out_style look_of_row(const struct report *report, const struct row *row);
/* Likewise, of a change alone. */
enum out_style look_of_change(double change);
/* Ends a line that begins with this style: the name, cut to the terminal's width, and what stands behind it. */
void look_end_row(struct out *out, const char *name, const char *behind);

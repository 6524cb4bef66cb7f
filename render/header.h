/* What google/pprof's tables have in common: the lines above, and the columns of a node. */
#pragma once

#include "render/renderer.h"

/* File, build id, comments, type, time and duration of the profile. */
void header_profile(const struct report *report, struct out *out);
/* Of these without the times: the file, build id, comments and type. */
void header_what(const struct report *report, struct out *out);
void header_filters(const struct report *report, struct out *out);
/* The filters, what the nodes of the graph account for, and what was dropped. */
void header_nodes(const struct report *report, struct out *out);
/* Of means: which they are, and the mean of all samples in this unit; without a line end. */
void header_mean(const struct report *report, const struct unit_style *unit, struct out *out);
/* Of means the percentages are "-". Flat, flat%, the running sum of flat as sum%, cum and cum%, without a blank behind. */
void header_columns(const struct report *report, const struct row *row, double running, struct out *out);

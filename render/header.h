/* The lines that google/pprof puts above its reports: what the profile is, and how much of it is shown. */
#pragma once

#include "render/renderer.h"

/* File, build id, comments, type, time and duration of the profile. */
void header_profile(const struct report *report, struct out *out);
/* The filters, what the nodes of the graph account for, and what was dropped. */
void header_nodes(const struct report *report, struct out *out);

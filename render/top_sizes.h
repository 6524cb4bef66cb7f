/* The histogram of sizes below a row of --top. */
#pragma once

#include "analyze/report.h"
#include "render/out.h"

void top_sizes_heading(const struct report *report, struct out *out);
void top_sizes_row(const struct report *report, uint32_t row, struct out *out);

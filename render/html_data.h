/* The data block of the page: the flame and its rows as columns (docs/html-report.md), gzip in base64. */
#pragma once

#include "render/renderer.h"

/* Of all samples in a type of the flame, and what percentages divide by (struct report). */
struct html_total {
	double total, divisor;
};

/* totals: by type of the flame. */
void html_data_write(const struct report *report, const struct html_total *totals, struct out *out);

/* The table of --top with a column for each of several types. */
#pragma once

#include "analyze/report.h"
#include "render/out.h"

struct top_columns {
	const struct report *report;
	const char *names[COLUMNS_MOST]; /* as the heading shows them */
	uint32_t widths[COLUMNS_MOST];
};

void top_columns_init(const struct report *report, struct top_columns *ret);
/* The line above the rows, and one before it that says what the values are. */
void top_columns_heading(const struct top_columns *columns, struct out *out);
/* What stands before the name of a row. */
void top_columns_row(const struct top_columns *columns, uint32_t row, struct out *out);

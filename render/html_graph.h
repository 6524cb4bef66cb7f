/* The call graphs of the page: a figure for each sample type. */
#pragma once

#include "render/html_rows.h"

/* The boxes have the number of their row in the report's table as data-row. A graph that cannot be laid out is a note in
 * report->told, and its figure says why. */
void html_graphs_write(const struct report *report, const struct html_rows *rows, struct out *out);

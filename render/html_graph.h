/* The call graphs of the page: a figure for each sample type. */
#pragma once

#include "render/html_data.h"
#include "render/html_rows.h"

/* The boxes have the number of their row in the report's table as data-row. A graph that cannot be laid out is a note in
 * report->told, and its figure says why. totals_ret: by type of the flame; not set on an error. */
struct err *html_graphs_write(const struct report *report, const struct html_rows *rows,
                              struct html_total totals_ret[FLAME_MOST_TYPES], struct out *out) MUST_CHECK;

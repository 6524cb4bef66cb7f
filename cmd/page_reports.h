/* The reports that a page holds beside its own: a call graph for each sample type, and the source where it is asked for. */
#pragma once

#include "cmd/show.h"

struct page_reports {
	struct report *reports[FLAME_MOST_TYPES + 1];
	struct view *views[FLAME_MOST_TYPES + 1];
	uint32_t n;
};

/* Makes what the renderer has and the user asks for, and puts it into the report. Notes are those of the graph of the
 * report's own type, and of the source. page_reports_clear is due after the report is written, on an error too. */
struct err *page_reports_add(const struct show *show, struct report *report, struct page_reports *pages,
                             struct diag *notes) MUST_CHECK;
void page_reports_clear(struct page_reports *pages);

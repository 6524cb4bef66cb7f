/* The source of the heaviest functions in the page, where the user asks for it. */
#pragma once

#include "render/html_rows.h"

/* Of report->source, a listing. */
void html_source_write(const struct report *report, const struct html_rows *rows, struct out *out);

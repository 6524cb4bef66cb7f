/* The rows of the page's table by their label: other reports of the page number them otherwise. */
#pragma once

#include "analyze/base/index.h"
#include "render/renderer.h"

struct html_rows {
	const struct table *table;
	struct index index;
};

/* Of rows with the same label, the first counts. */
void html_rows_index(const struct table *table, struct html_rows *ret);
/* INDEX_NONE: there is none. */
uint32_t html_rows_find(const struct html_rows *rows, const char *label);
/* Writes the attribute data-row with the number of the row; nothing for INDEX_NONE. */
void html_rows_write(uint32_t row, struct out *out);
void html_rows_free(struct html_rows *rows);

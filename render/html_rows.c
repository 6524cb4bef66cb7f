#include "render/html_rows.h"

#include <string.h>

struct label_key {
	const struct table *table;
	const char *label;
};

static bool same_label(const void *context, uint32_t row)
{
	const struct label_key *key = context;

	return strcmp(key->table->rows[row].label, key->label) == 0;
}

uint32_t html_rows_find(const struct html_rows *rows, const char *label)
{
	struct label_key key = {rows->table, label};

	return index_find(&rows->index, hash_bytes(label, strlen(label)), same_label, &key);
}

void html_rows_index(const struct table *table, struct html_rows *ret)
{
	*ret = (struct html_rows){.table = table};
	for (uint32_t i = 0; i < table->n; i++) {
		const char *label = table->rows[i].label;

		if (html_rows_find(ret, label) == INDEX_NONE)
			index_add(&ret->index, hash_bytes(label, strlen(label)), i);
	}
}

void html_rows_write(uint32_t row, struct out *out)
{
	if (row == INDEX_NONE)
		return;
	out_markup(out, " data-row=\"");
	out_number(out, row);
	out_markup(out, "\"");
}

void html_rows_free(struct html_rows *rows)
{
	index_free(&rows->index);
}

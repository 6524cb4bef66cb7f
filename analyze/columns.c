#include "analyze/columns.h"

#include <stdlib.h>

static struct view *view_of(const struct view *view, const struct column_opts *opts)
{
	return opts->is_mean ? view_of_mean(view, opts->type, opts->count_type) : view_of_type(view, opts->type);
}

static void take_values(const struct table *table, struct value_column *column)
{
	column->flat = mem_alloc(table->n, sizeof *column->flat);
	column->cum = mem_alloc(table->n, sizeof *column->cum);
	for (uint32_t i = 0; i < table->n; i++) {
		column->flat[i] = table->rows[i].flat;
		column->cum[i] = table->rows[i].cum;
	}
}

static void build_column(const struct table *table, const struct column_opts *opts, struct value_column *column)
{
	struct table rows;

	column->view = view_of(table->view, opts);
	table_of_view(table, column->view, &rows);
	if (opts->is_mean)
		table_take_means(&rows);
	take_values(&rows, column);
	free(rows.rows);
}

static uint32_t find_shown(const struct columns_opts *opts, uint32_t type)
{
	uint32_t i = 0;

	while (i < opts->n && (opts->items[i].is_mean || opts->items[i].type != type))
		i++;
	return i;
}

/* What is wrong with the values of one column is said once. */
static void note_values(const struct table *table, const struct value_columns *columns, struct diag *notes)
{
	for (uint32_t i = 0; i < columns->n && !table->view->notes.n; i++) {
		if (!columns->items[i].view->notes.n)
			continue;
		diag_append(notes, &columns->items[i].view->notes);
		return;
	}
}

void columns_build(const struct table *table, const struct columns_opts *opts, struct diag *notes,
                   struct value_columns *ret)
{
	ret->n = opts->n;
	ret->shown = find_shown(opts, table->view->opts.type);
	for (uint32_t i = 0; i < opts->n; i++)
		build_column(table, &opts->items[i], &ret->items[i]);
	note_values(table, ret, notes);
}

void columns_free(struct value_columns *columns)
{
	for (uint32_t i = 0; i < columns->n; i++) {
		view_free(columns->items[i].view);
		free(columns->items[i].flat);
		free(columns->items[i].cum);
	}
	*columns = (struct value_columns){0};
}

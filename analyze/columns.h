/* The values of a table in several sample types side by side, and their mean. */
#pragma once

#include "analyze/tally.h"
#include "analyze/units.h"

enum { COLUMNS_MOST = 32 };

struct column_opts {
	uint32_t type;
	bool is_mean;
	uint32_t count_type; /* of a mean: what it is divided by */
};

/* One of them is that of the view, no mean: rows are in the order of its values. None: no columns are asked for. */
struct columns_opts {
	struct column_opts items[COLUMNS_MOST];
	uint32_t n;
};

struct value_column {
	struct view *view;
	double *flat, *cum; /* by row; means where they are asked for */
	struct unit_style unit;
};

/* What a table has in each of them. */
struct value_columns {
	struct value_column items[COLUMNS_MOST];
	uint32_t n;
	uint32_t shown; /* the one of the table's view */
};

/* Of all rows of the table; units are left to the caller. A note says what is wrong with the values, where the table's view
 * does not say it. */
void columns_build(const struct table *table, const struct columns_opts *opts, struct diag *notes,
                   struct value_columns *ret);
void columns_free(struct value_columns *columns);

/* Flat and cumulative values per function, file, line or address. */
#pragma once

#include "analyze/view.h"

enum granularity { BY_FUNCTION, BY_FUNCTION_AND_FILE, BY_FILE, BY_LINE, BY_ADDRESS };

struct row {
	const char *label; /* as tables show it; rows of one label are one, but for unnamed ones of different objects */
	const char *name;  /* the function; "" where it is not part of the key, the label where there is none */
	const char *file;  /* "" as above */
	uint32_t line;
	uint32_t column;   /* 0: not part of the key, or not known */
	uint64_t addr;     /* as it is shown, likewise */
	double flat;       /* values of the samples whose leaf this is */
	double cum;        /* values of the samples in whose stack this is, each counted once */
	double flat_count; /* of a view of means: what flat and cum are divided by */
	double cum_count;
	uint32_t n_samples; /* how many those are */
	loc_id loc;         /* the first location that it stands for */
	bool has_object;    /* all that it stands for lie in the object of that one */
};

/* One entry of a stack: a function, inlined or not, leaf first. */
struct step {
	uint32_t row;
	bool inlined; /* into the next one: both are one frame */
};

struct table {
	const struct view *view;
	struct arena *arena; /* of the labels; the caller's */
	struct row *rows;
	uint32_t n, cap;
	uint32_t *of_loc;     /* by location, and one more: the first of its entries */
	struct step *entries; /* of all locations; each has one at least. For a tree: rows of before (tree.h) */
	uint32_t n_entries, cap_entries;
	struct step *steps; /* room for the longest stack */
	/* Where the rows are those of a call tree (tree.h); else NULL. */
	uint32_t *callers; /* by row: the one above it, always a lower number; TABLE_NONE: none */
	uint32_t *leaf_of; /* by sample: the row at its leaf; TABLE_NONE: none */
};

static const uint32_t TABLE_NONE = UINT32_MAX;

/* What tells rows apart and stands in their labels. */
struct row_opts {
	enum granularity granularity;
	bool columns;   /* of lines and addresses: the column in the line too */
	bool addresses; /* of functions and lines: the address too, behind the name as gperftools has it */
	bool returns;   /* addresses are those that a call returns to, where the input gives them */
};

void tally(const struct view *view, const struct row_opts *opts, struct arena *arena, struct table *ret);
/* Divides flat and cum of all rows by their counts; of a view of means, after what goes by sums is done. */
void table_take_means(struct table *table);
void table_free(struct table *table);
/* Adds the samples up, in rows that have no values yet. */
void table_sum(struct table *table);

/* The same rows with what they have in another view of the same samples (view_of_type). They alone are the caller's to
 * free; what else the tables have they share. */
void table_of_view(const struct table *of, const struct view *view, struct table *ret);

/* The entries of a sample's stack, in table->steps; returns their number. */
uint32_t table_expand(const struct table *table, uint32_t sample);

/* How rows are ordered; the order is total, and the same on every host. */
enum row_order {
	ORDER_CLASSIC, /* gperftools: value descending with its sign, then label */
	ORDER_MODERN,  /* google/pprof: |value| descending, then label, then the other |value| */
};
/* Sorts order[n] of row numbers. by_cum: the value is cum, else flat; of a view of means, which table_take_means has not
 * taken yet, the mean. */
void table_sort(const struct table *table, enum row_order how, bool by_cum, uint32_t *order, uint32_t n);

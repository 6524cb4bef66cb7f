#include "analyze/flame_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A flame in the making: columns are numbered as flame_column puts them. */
struct making {
	const struct table *table;
	const struct view *view;
	struct flame *flame;
	struct shape shape;
};

/* ---- which values ---- */

/* The first ones, but the view's type is always among them. */
static void choose_types(const struct making *making, uint32_t most)
{
	struct flame *flame = making->flame;
	uint32_t shown = making->view->opts.type, n_types = making->view->profile->n_types;

	flame->n_types = n_types < most ? n_types : most;
	for (uint32_t i = 0; i < flame->n_types; i++)
		flame->types[i] = i;
	flame->shown = shown < flame->n_types ? shown : flame->n_types - 1;
	flame->types[flame->shown] = shown;
}

static double sample_value(const struct making *making, uint32_t sample, uint32_t column)
{
	const struct flame *flame = making->flame;

	return view_side_value(making->view, sample, column % flame->n_sets, flame->types[column / flame->n_sets]);
}

/* ---- how large nodes are ---- */

/* Adds what the samples have in a column to the nodes that they end in. */
static void add_self(const struct making *making, uint32_t column, double *self)
{
	const struct shape *shape = &making->shape;

	for (uint32_t i = 0; i < shape->n_samples; i++)
		if (shape->end_of[i] != TABLE_NONE)
			self[shape->end_of[i]] += sample_value(making, i, column);
}

/* What each node has in a column together with all below it, by size; returns the total. */
static double find_sizes(const struct making *making, uint32_t column, double *sizes)
{
	const struct shape *shape = &making->shape;
	double total = 0;

	memset(sizes, 0, shape->n * sizeof *sizes);
	add_self(making, column, sizes);
	for (uint32_t i = 0; i < shape->n; i++)
		sizes[i] = fabs(sizes[i]);
	for (uint32_t i = shape->n; i-- > 0;) {
		uint32_t caller = shape->nodes[i].caller;

		*(caller == TABLE_NONE ? &total : &sizes[caller]) += sizes[i];
	}
	return total;
}

/* By node: the largest part of a total that it has in any column. */
static float *find_shares(const struct making *making)
{
	uint32_t n = making->shape.n;
	float *shares = mem_zalloc(n, sizeof *shares);
	double *sizes = mem_alloc(n, sizeof *sizes);

	for (uint32_t column = 0; column < flame_n_columns(making->flame); column++) {
		double total = find_sizes(making, column, sizes);

		for (uint32_t i = 0; total > 0 && i < n; i++)
			shares[i] = fmaxf(shares[i], (float)(sizes[i] / total));
	}
	free(sizes);
	return shares;
}

static void fold_small_nodes(struct making *making, const struct flame_opts *opts)
{
	float *shares = find_shares(making);
	bool *keeps = shape_choose(shares, making->shape.n, opts);

	shape_fold(&making->shape, keeps);
	free(keeps);
	free(shares);
}

/* By node, in the view's type: the size on the side where it is larger. */
static void order_nodes(struct making *making)
{
	const struct flame *flame = making->flame;
	uint32_t n = making->shape.n;
	double *largest = mem_zalloc(n, sizeof *largest), *sizes = mem_alloc(n, sizeof *sizes);

	for (uint32_t set = 0; set < flame->n_sets; set++) {
		find_sizes(making, flame->shown * flame->n_sets + set, sizes);
		for (uint32_t i = 0; i < n; i++)
			largest[i] = fmax(largest[i], sizes[i]);
	}
	shape_order(&making->shape, largest);
	free(sizes);
	free(largest);
}

/* ---- samples without a stack ---- */

static bool has_value(const struct making *making, uint32_t sample)
{
	for (uint32_t column = 0; column < flame_n_columns(making->flame); column++)
		if (sample_value(making, sample, column) != 0)
			return true;
	return false;
}

static void add_stackless(struct making *making)
{
	struct shape *shape = &making->shape;
	uint32_t root = TABLE_NONE;

	for (uint32_t i = 0; i < shape->n_samples; i++) {
		if (!making->view->passes[i] || shape->end_of[i] != TABLE_NONE || !has_value(making, i))
			continue;
		if (root == TABLE_NONE)
			root = shape_add_root(shape, FLAME_NO_STACK);
		shape->end_of[i] = root;
	}
}

/* ---- columns ---- */

/* A node has a value in each column, and a row has two. */
static void fit_columns(struct making *making, size_t most_values)
{
	size_t n_values = (making->shape.n + 2 * (size_t)making->table->n) * making->flame->n_sets;
	size_t most = most_values / (n_values ? n_values : 1);

	if (most_values && most < making->flame->n_types)
		choose_types(making, most ? (uint32_t)most : 1);
}

/* Rows in the making: the values of a row lie side by side, so that a sample finds them at one place. */
struct rows {
	double *flat, *cum;
	uint32_t *last; /* by row: one more than the sample that counted it last */
	uint32_t n_columns;
};

static void add_values(const struct rows *rows, double *to, uint32_t row, const double *values)
{
	to += (size_t)row * rows->n_columns;
	for (uint32_t i = 0; i < rows->n_columns; i++)
		to[i] += values[i];
}

static void add_to_rows(const struct table *table, struct rows *rows, uint32_t sample, const double *values)
{
	uint32_t n_steps = table_expand(table, sample);

	if (n_steps)
		add_values(rows, rows->flat, table->steps[0].row, values);
	for (uint32_t i = 0; i < n_steps; i++) {
		uint32_t row = table->steps[i].row;

		if (rows->last[row] == sample + 1)
			continue;
		rows->last[row] = sample + 1;
		add_values(rows, rows->cum, row, values);
	}
}

static double *make_columns(const double *by_row, uint32_t n_rows, uint32_t n_columns)
{
	double *columns = mem_alloc((size_t)n_rows * n_columns, sizeof *columns);

	for (uint32_t row = 0; row < n_rows; row++)
		for (uint32_t column = 0; column < n_columns; column++)
			columns[(size_t)column * n_rows + row] = *by_row++;
	return columns;
}

static void sum_rows(struct making *making)
{
	uint32_t n = making->table->n, n_columns = flame_n_columns(making->flame);
	struct rows rows = {.flat = mem_zalloc((size_t)n * n_columns, sizeof(double)),
	                    .cum = mem_zalloc((size_t)n * n_columns, sizeof(double)),
	                    .last = mem_zalloc(n, sizeof *rows.last),
	                    .n_columns = n_columns};
	double *values = mem_alloc(n_columns, sizeof *values);

	for (uint32_t i = 0; i < making->shape.n_samples; i++) {
		if (!making->view->passes[i])
			continue;
		for (uint32_t column = 0; column < n_columns; column++)
			values[column] = sample_value(making, i, column);
		add_to_rows(making->table, &rows, i, values);
	}
	free(values);
	free(rows.last);
	making->flame->flat = make_columns(rows.flat, n, n_columns);
	free(rows.flat);
	making->flame->cum = make_columns(rows.cum, n, n_columns);
	free(rows.cum);
}

static void sum_nodes(struct making *making)
{
	uint32_t n = making->shape.n, n_columns = flame_n_columns(making->flame);
	double *self = mem_zalloc((size_t)n * n_columns, sizeof *self);

	for (uint32_t column = 0; column < n_columns; column++)
		add_self(making, column, self + (size_t)column * n);
	making->flame->self = self;
}

/* ---- the ends of sums ---- */

/* What the samples differ by in a type, without signs. */
static double sum_changes(const struct making *making, uint32_t type)
{
	double sum = 0;

	for (uint32_t i = 0; i < making->shape.n_samples; i++)
		if (making->view->passes[i])
			sum += fabs(sample_value(making, i, type * N_SETS + SET_MAIN) -
			            sample_value(making, i, type * N_SETS + SET_BASE));
	return sum;
}

static void hold(double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = view_hold(values[i]);
}

static void drop_residues(const struct making *making, double changes, uint32_t type, double *columns, uint32_t n)
{
	double *now = columns + flame_column(making->flame, type, SET_MAIN, n);
	const double *base = columns + flame_column(making->flame, type, SET_BASE, n);

	for (uint32_t i = 0; i < n; i++)
		if (view_is_residue(making->view, now[i] - base[i], changes))
			now[i] = base[i];
}

static void finish_sums(const struct making *making)
{
	const struct flame *flame = making->flame;
	uint32_t n_columns = flame_n_columns(flame), n_rows = making->table->n;

	for (uint32_t type = 0; flame->n_sets == N_SETS && type < flame->n_types; type++) {
		double changes = sum_changes(making, type);

		drop_residues(making, changes, type, flame->self, flame->n);
		drop_residues(making, changes, type, flame->flat, n_rows);
		drop_residues(making, changes, type, flame->cum, n_rows);
	}
	hold(flame->self, (size_t)flame->n * n_columns);
	hold(flame->flat, (size_t)n_rows * n_columns);
	hold(flame->cum, (size_t)n_rows * n_columns);
}

/* ---- all of it ---- */

void flame_build(const struct table *table, const struct flame_opts *opts, struct diag *notes, struct flame *ret)
{
	struct making making = {.table = table, .view = table->view, .flame = ret};
	struct tree tree;

	tree_grow(table, TREE_MOST_ROWS, notes, &tree);
	*ret = (struct flame){.n_before = tree.n};
	making.shape = (struct shape){
		.nodes = tree.nodes, .n = tree.n, .end_of = tree.leaf_of, .n_samples = table->view->profile->n_samples};
	ret->n_sets = making.view->profile->n_sets;
	choose_types(&making, FLAME_MOST_TYPES);
	fold_small_nodes(&making, opts);
	add_stackless(&making);
	order_nodes(&making);
	ret->nodes = making.shape.nodes;
	ret->n_folded = making.shape.n_folded;
	ret->n = making.shape.n;
	fit_columns(&making, opts->most_values);
	sum_nodes(&making);
	sum_rows(&making);
	finish_sums(&making);
	free(making.shape.end_of);
}

void flame_free(struct flame *flame)
{
	free(flame->nodes);
	free(flame->n_folded);
	free(flame->self);
	free(flame->flat);
	free(flame->cum);
	*flame = (struct flame){0};
}

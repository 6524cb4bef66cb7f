#include "analyze/flame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which values ---- */

/* The view's type is always one of them. */
static void choose_types(const struct view *view, struct flame *flame)
{
	uint32_t shown = view->opts.type;

	for (uint32_t i = 0; i < view->profile->n_types && flame->n_types < FLAME_MOST_TYPES; i++)
		flame->types[flame->n_types++] = i;
	if (shown >= flame->n_types)
		flame->types[flame->n_types - 1] = shown;
	flame->n_sets = view->has_base ? N_SETS : 1;
}

static uint32_t count_columns(const struct flame *flame)
{
	return flame->n_types * flame->n_sets;
}

/* What the sample has in each column. */
static void side_values(const struct flame *flame, const struct view *view, uint32_t sample, double *values)
{
	for (uint32_t type = 0; type < flame->n_types; type++)
		for (uint32_t set = 0; set < flame->n_sets; set++)
			*values++ = view_side_value(view, sample, set, flame->types[type]);
}

/* ---- rows ---- */

static void add_to(double *columns, uint32_t n, uint32_t at, const double *values, uint32_t n_columns)
{
	for (uint32_t i = 0; i < n_columns; i++)
		columns[(size_t)i * n + at] += values[i];
}

static void add_to_rows(const struct table *table, struct flame *flame, uint32_t sample, const double *values,
                        uint32_t *last)
{
	uint32_t n_steps = table_expand(table, sample), n_columns = count_columns(flame);

	if (n_steps)
		add_to(flame->flat, table->n, table->steps[0].row, values, n_columns);
	for (uint32_t i = 0; i < n_steps; i++) {
		uint32_t row = table->steps[i].row;

		if (last[row] == sample + 1)
			continue;
		last[row] = sample + 1;
		add_to(flame->cum, table->n, row, values, n_columns);
	}
}

static void add_samples(const struct table *table, const struct tree *tree, struct flame *flame, double *self,
                        uint32_t n_nodes)
{
	const struct view *view = table->view;
	uint32_t *last = mem_zalloc(table->n, sizeof *last), n_columns = count_columns(flame);
	double *values = mem_alloc(n_columns, sizeof *values);

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		if (!view->passes[i])
			continue;
		side_values(flame, view, i, values);
		add_to(self, n_nodes, tree->leaf_of[i] == TABLE_NONE ? tree->n : tree->leaf_of[i], values, n_columns);
		add_to_rows(table, flame, i, values, last);
	}
	free(values);
	free(last);
}

/* ---- which nodes are small ---- */

/* cum gets what the nodes have together with all below them, in one column, by size. */
static double sum_up(const struct tree *tree, const double *self, double *cum)
{
	double total = 0;

	for (uint32_t i = 0; i < tree->n; i++)
		cum[i] = fabs(self[i]);
	for (uint32_t i = tree->n; i-- > 0;) {
		uint32_t caller = tree->nodes[i].caller;

		if (caller == TABLE_NONE)
			total += cum[i];
		else
			cum[caller] += cum[i];
	}
	return total;
}

/* By node: the largest part of a total that it has in any column. No node has more than its caller. */
static double *find_shares(const struct tree *tree, const double *self, uint32_t n_nodes, uint32_t n_columns)
{
	double *shares = mem_zalloc(n_nodes, sizeof *shares), *cum = mem_alloc(n_nodes, sizeof *cum);

	for (uint32_t column = 0; column < n_columns; column++) {
		double total = sum_up(tree, self + (size_t)column * n_nodes, cum);

		for (uint32_t i = 0; total > 0 && i < tree->n; i++)
			shares[i] = fmax(shares[i], cum[i] / total);
	}
	free(cum);
	return shares;
}

static int compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a > b ? -1 : a < b;
}

/* The share of the last node that is kept, and how many of exactly that share are. */
static double least_share(const double *shares, uint32_t n, const struct flame_opts *opts, uint32_t *n_ties_ret)
{
	double *sorted = mem_alloc(n, sizeof *sorted), least = opts->fraction;
	uint32_t n_above = 0;

	*n_ties_ret = UINT32_MAX;
	memcpy(sorted, shares, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_doubles);
	if (sorted[opts->most - 1] <= least) {
		least = sorted[opts->most - 1];
		while (n_above < n && sorted[n_above] > least)
			n_above++;
		*n_ties_ret = opts->most - n_above;
	}
	free(sorted);
	return least;
}

/* Callers have lower numbers and no smaller shares, so they are kept where one below them is. */
static bool *choose_nodes(const struct tree *tree, const double *shares, const struct flame_opts *opts)
{
	bool *keeps = mem_alloc(tree->n, sizeof *keeps);
	uint32_t n_ties = UINT32_MAX;
	double least = 0;

	if (opts->most && opts->most < tree->n)
		least = least_share(shares, tree->n, opts, &n_ties);
	for (uint32_t i = 0; i < tree->n; i++)
		keeps[i] = shares[i] > least || (shares[i] == least && n_ties && n_ties--);
	return keeps;
}

/* ---- the nodes in order ---- */

/* Slots are the nodes of the tree, and behind them one more: what lies above the roots. */
struct layout {
	const struct tree *tree;
	const bool *keeps;
	const double *sizes;  /* by node */
	uint32_t *first;      /* by slot: the first node below it that is kept */
	uint32_t *next;       /* by node: the next of the same caller */
	uint32_t *n_folded;   /* by slot: nodes below it that are not kept, and whose sums are one node of the flame */
	uint32_t *now;        /* by node that is kept: its number in the flame */
	uint32_t *folded_now; /* by slot: the number of what is folded below it */
	struct flame *flame;
};

static uint32_t slot_above(const struct layout *layout, uint32_t node)
{
	uint32_t caller = layout->tree->nodes[node].caller;

	return caller == TABLE_NONE ? layout->tree->n : caller;
}

static int compare_nodes(const void *x, const void *y, void *context)
{
	const struct layout *layout = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint32_t a_slot = slot_above(layout, a), b_slot = slot_above(layout, b);

	if (a_slot != b_slot)
		return a_slot < b_slot ? -1 : 1;
	if (layout->sizes[a] != layout->sizes[b])
		return layout->sizes[a] > layout->sizes[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void link_nodes(struct layout *layout)
{
	uint32_t n_slots = layout->tree->n + 1, *sorted = mem_alloc(n_slots, sizeof *sorted), n = 0;

	memset(layout->first, 0xff, n_slots * sizeof *layout->first);
	for (uint32_t i = 0; i < layout->tree->n; i++)
		if (layout->keeps[i])
			sorted[n++] = i;
	qsort_r(sorted, n, sizeof *sorted, compare_nodes, layout);
	while (n-- > 0) {
		uint32_t slot = slot_above(layout, sorted[n]);

		layout->next[sorted[n]] = layout->first[slot];
		layout->first[slot] = sorted[n];
	}
	free(sorted);
}

/* Nodes that are not kept have in folded_now the slot of the last one above them that is. */
static void count_folded(struct layout *layout)
{
	for (uint32_t i = 0; i < layout->tree->n; i++) {
		uint32_t slot = slot_above(layout, i);

		if (layout->keeps[i])
			continue;
		if (slot < layout->tree->n && !layout->keeps[slot])
			slot = layout->now[slot];
		layout->now[i] = slot;
		layout->n_folded[slot]++;
	}
}

static uint32_t add_node(struct flame *flame, uint32_t caller, uint32_t row, uint32_t n_folded)
{
	flame->nodes[flame->n] = (struct tree_node){caller, row};
	flame->n_folded[flame->n] = n_folded;
	return flame->n++;
}

static void end_family(struct layout *layout, uint32_t slot)
{
	uint32_t caller = slot == layout->tree->n ? TABLE_NONE : layout->now[slot];

	if (layout->n_folded[slot])
		layout->folded_now[slot] = add_node(layout->flame, caller, FLAME_FOLDED, layout->n_folded[slot]);
}

/* What comes behind a node whose family is whole: the next one, and TABLE_NONE at the end. */
static uint32_t walk_on(struct layout *layout, uint32_t node)
{
	while (layout->next[node] == TABLE_NONE) {
		uint32_t slot = slot_above(layout, node);

		end_family(layout, slot);
		if (slot == layout->tree->n)
			return TABLE_NONE;
		node = slot;
	}
	return layout->next[node];
}

static void place_nodes(struct layout *layout)
{
	const struct tree *tree = layout->tree;
	uint32_t node = layout->first[tree->n];

	if (node == TABLE_NONE)
		end_family(layout, tree->n);
	while (node != TABLE_NONE) {
		uint32_t caller = tree->nodes[node].caller;

		layout->now[node] =
			add_node(layout->flame, caller == TABLE_NONE ? caller : layout->now[caller], tree->nodes[node].row, 0);
		if (layout->first[node] != TABLE_NONE) {
			node = layout->first[node];
			continue;
		}
		end_family(layout, node);
		node = walk_on(layout, node);
	}
}

static void move_values(const struct layout *layout, const double *self)
{
	struct flame *flame = layout->flame;
	uint32_t n_before = layout->tree->n;

	flame->self = mem_zalloc((size_t)count_columns(flame) * flame->n, sizeof *flame->self);
	for (uint32_t column = 0; column < count_columns(flame); column++) {
		const double *from = self + (size_t)column * (n_before + 1);
		double *to = flame->self + (size_t)column * flame->n;

		for (uint32_t i = 0; i < n_before; i++)
			to[layout->keeps[i] ? layout->now[i] : layout->folded_now[layout->now[i]]] += from[i];
		if (from[n_before] != 0)
			to[flame->n - 1] += from[n_before];
	}
}

static bool has_stackless(const struct flame *flame, const double *self, uint32_t n_before)
{
	for (uint32_t column = 0; column < count_columns(flame); column++)
		if (self[(size_t)column * (n_before + 1) + n_before] != 0)
			return true;
	return false;
}

static double *view_sizes(const struct table *table, const struct tree *tree, const struct flame *flame,
                          const double *self)
{
	double *sizes = mem_zalloc((size_t)tree->n + 1, sizeof *sizes), *cum = mem_alloc((size_t)tree->n + 1, sizeof *cum);

	for (uint32_t type = 0; type < flame->n_types; type++) {
		for (uint32_t set = 0; flame->types[type] == table->view->opts.type && set < flame->n_sets; set++) {
			sum_up(tree, self + flame_column(flame, type, set, tree->n + 1), cum);
			for (uint32_t i = 0; i < tree->n; i++)
				sizes[i] = fmax(sizes[i], cum[i]);
		}
	}
	free(cum);
	return sizes;
}

static void lay_out(const struct table *table, const struct tree *tree, const bool *keeps, const double *self,
                    struct flame *flame)
{
	size_t n_slots = (size_t)tree->n + 1;
	double *CLEANUP(mem_free_local) sizes = view_sizes(table, tree, flame, self);
	uint32_t *CLEANUP(mem_free_local) room = mem_zalloc(5 * n_slots, sizeof *room);
	struct layout layout = {.tree = tree,
	                        .keeps = keeps,
	                        .sizes = sizes,
	                        .first = room,
	                        .next = room + n_slots,
	                        .n_folded = room + 2 * n_slots,
	                        .now = room + 3 * n_slots,
	                        .folded_now = room + 4 * n_slots,
	                        .flame = flame};

	/* Of each slot, what is folded below it is one node more at most. */
	flame->nodes = mem_alloc(2 * n_slots, sizeof *flame->nodes);
	flame->n_folded = mem_alloc(2 * n_slots, sizeof *flame->n_folded);
	link_nodes(&layout);
	count_folded(&layout);
	place_nodes(&layout);
	if (has_stackless(flame, self, tree->n))
		add_node(flame, TABLE_NONE, FLAME_NO_STACK, 0);
	move_values(&layout, self);
}

void flame_build(const struct table *table, const struct flame_opts *opts, struct diag *notes, struct flame *ret)
{
	struct tree tree;

	*ret = (struct flame){0};
	choose_types(table->view, ret);
	tree_grow(table, TREE_MOST_ROWS, notes, &tree);
	ret->n_before = tree.n;
	uint32_t n_nodes = tree.n + 1, n_columns = count_columns(ret);
	double *self = mem_zalloc((size_t)n_nodes * n_columns, sizeof *self);
	ret->flat = mem_zalloc((size_t)table->n * n_columns, sizeof *ret->flat);
	ret->cum = mem_zalloc((size_t)table->n * n_columns, sizeof *ret->cum);
	add_samples(table, &tree, ret, self, n_nodes);
	double *shares = find_shares(&tree, self, n_nodes, n_columns);
	bool *keeps = choose_nodes(&tree, shares, opts);
	lay_out(table, &tree, keeps, self, ret);
	free(keeps);
	free(shares);
	free(self);
	tree_free(&tree);
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

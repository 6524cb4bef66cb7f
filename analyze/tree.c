#include "analyze/tree.h"

#include "analyze/base/index.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 1000 }; /* in the label of a whole stack */
static const char STEP[] = " <- ";

/* A tree in the making. */
struct growth {
	struct tree *tree;
	const struct table *table;
	struct index index;
	uint32_t most;  /* nodes */
	uint32_t depth; /* of the nodes that are kept; UINT32_MAX: of any */
	/* The stack before, root first: the next one often begins likewise. */
	struct tree_node *path; /* caller: the node itself */
	uint32_t path_length, path_cap;
};

struct node_key {
	const struct tree *tree;
	struct tree_node node;
};

static bool same_node(const void *context, uint32_t at)
{
	const struct node_key *key = context;
	const struct tree_node *node = &key->tree->nodes[at];

	return node->caller == key->node.caller && node->row == key->node.row;
}

static uint64_t hash_node(struct tree_node node)
{
	return hash_pair(node.caller, node.row);
}

static uint32_t intern_node(struct growth *growth, struct tree_node node)
{
	struct tree *tree = growth->tree;
	struct node_key key = {tree, node};
	uint64_t hash = hash_node(node);
	uint32_t found = index_find(&growth->index, hash, same_node, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(tree->nodes, tree->n, tree->cap);
	tree->nodes[tree->n] = node;
	index_add(&growth->index, hash, tree->n);
	return tree->n++;
}

/* ---- stacks ---- */

static void reserve_path(struct growth *growth, uint32_t length)
{
	if (length <= growth->path_cap)
		return;
	growth->path = mem_realloc(growth->path, length, sizeof *growth->path);
	growth->path_cap = length;
}

static uint32_t add_stack(struct growth *growth, uint32_t n_steps)
{
	const struct step *root = growth->table->steps + n_steps - 1;
	uint32_t length = n_steps < growth->depth ? n_steps : growth->depth, at = 0;

	reserve_path(growth, length);
	while (at < length && at < growth->path_length && growth->path[at].row == root[-(ptrdiff_t)at].row)
		at++;
	for (; at < length; at++) {
		struct tree_node node = {at ? growth->path[at - 1].caller : TABLE_NONE, root[-(ptrdiff_t)at].row};

		growth->path[at] = (struct tree_node){intern_node(growth, node), node.row};
	}
	growth->path_length = length;
	return growth->path[length - 1].caller;
}

/* ---- a tree that is too large ---- */

/* The depth of the nodes, which is 1 at the roots. */
static uint32_t *find_depths(const struct tree *tree, uint32_t *deepest_ret)
{
	uint32_t *depths = mem_alloc(tree->n, sizeof *depths);

	*deepest_ret = 0;
	for (uint32_t i = 0; i < tree->n; i++) {
		uint32_t caller = tree->nodes[i].caller;

		depths[i] = caller == TABLE_NONE ? 1 : depths[caller] + 1;
		if (depths[i] > *deepest_ret)
			*deepest_ret = depths[i];
	}
	return depths;
}

/* How deep the tree may be for half of the nodes that it may have; the roots always stay. */
static uint32_t choose_depth(const struct tree *tree, uint32_t most, const uint32_t *depths, uint32_t deepest)
{
	uint32_t *n_at = mem_zalloc((size_t)deepest + 1, sizeof *n_at);
	uint32_t depth = 1;

	for (uint32_t i = 0; i < tree->n; i++)
		n_at[depths[i]]++;
	for (uint32_t n = n_at[1]; depth < deepest && n + n_at[depth + 1] <= most / 2; depth++)
		n += n_at[depth + 1];
	free(n_at);
	return depth;
}

/* Leaves out what is deeper, and gives for each node the one that stands for it now. */
static uint32_t *drop_deep_nodes(struct growth *growth, const uint32_t *depths)
{
	struct tree *tree = growth->tree;
	uint32_t *now = mem_alloc(tree->n, sizeof *now), n = 0;

	index_free(&growth->index);
	for (uint32_t i = 0; i < tree->n; i++) {
		struct tree_node node = tree->nodes[i];
		uint32_t caller = node.caller == TABLE_NONE ? TABLE_NONE : now[node.caller];

		now[i] = depths[i] > growth->depth ? caller : n;
		if (depths[i] > growth->depth)
			continue;
		node.caller = caller;
		tree->nodes[n] = node;
		index_add(&growth->index, hash_node(node), n++);
	}
	tree->n = n;
	return now;
}

static void cut(struct growth *growth, uint32_t n_samples)
{
	struct tree *tree = growth->tree;
	uint32_t deepest, *depths = find_depths(tree, &deepest);

	growth->depth = choose_depth(tree, growth->most, depths, deepest);
	uint32_t *now = drop_deep_nodes(growth, depths);
	for (uint32_t i = 0; i < n_samples; i++)
		if (tree->leaf_of[i] != TABLE_NONE)
			tree->leaf_of[i] = now[tree->leaf_of[i]];
	growth->path_length = 0;
	free(now);
	free(depths);
}

static void add_samples(struct growth *growth)
{
	const struct view *view = growth->table->view;

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		uint32_t n_steps = view->passes[i] ? table_expand(growth->table, i) : 0;

		growth->tree->leaf_of[i] = n_steps ? add_stack(growth, n_steps) : TABLE_NONE;
		if (growth->tree->n > growth->most)
			cut(growth, i + 1);
	}
}

void tree_grow(const struct table *table, uint32_t most, struct diag *notes, struct tree *ret)
{
	struct growth growth = {
		.tree = ret, .table = table, .most = most > 2 * table->n ? most : 2 * table->n, .depth = UINT32_MAX};

	*ret = (struct tree){.leaf_of = mem_alloc(table->view->profile->n_samples, sizeof *ret->leaf_of)};
	add_samples(&growth);
	if (growth.depth != UINT32_MAX)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN,
		         "the call tree has more than %" PRIu32 " nodes: what is more than %" PRIu32
		         " frames from its root counts for the frame there",
		         growth.most, growth.depth);
	index_free(&growth.index);
	free(growth.path);
}

void tree_free(struct tree *tree)
{
	free(tree->nodes);
	free(tree->leaf_of);
	*tree = (struct tree){0};
}

/* ---- the table ---- */

static void replace_rows(struct table *table, const struct tree *tree)
{
	struct row *rows = mem_alloc(tree->n, sizeof *rows);

	table->callers = mem_alloc(tree->n, sizeof *table->callers);
	for (uint32_t i = 0; i < tree->n; i++) {
		rows[i] = table->rows[tree->nodes[i].row];
		rows[i].flat = rows[i].cum = 0;
		rows[i].n_samples = 0;
		table->callers[i] = tree->nodes[i].caller;
	}
	free(table->rows);
	table->rows = rows;
	table->n = table->cap = tree->n;
}

void tree_split(struct table *table, uint32_t most, struct diag *notes)
{
	struct tree tree;

	tree_grow(table, most, notes, &tree);
	replace_rows(table, &tree);
	table->leaf_of = tree.leaf_of;
	tree.leaf_of = NULL;
	tree_free(&tree);
	table_sum(table);
}

/* ---- ways ---- */

uint32_t tree_caller(const struct table *table, uint32_t row, uint32_t *depth)
{
	return ++*depth < MOST_FRAMES ? table->callers[row] : TABLE_NONE;
}

static size_t measure_way(const struct table *table, uint32_t row)
{
	uint32_t depth = 0;
	size_t size = 0;

	for (; row != TABLE_NONE; row = tree_caller(table, row, &depth))
		size += strlen(table->rows[row].label) + strlen(STEP);
	return size;
}

const char *tree_label(const struct table *table, uint32_t row, struct arena *arena)
{
	uint32_t depth = 0;

	if (!table->callers)
		return table->rows[row].label;
	char *label = arena_alloc(arena, measure_way(table, row) + 1, 1), *at = stpcpy(label, table->rows[row].label);

	while ((row = tree_caller(table, row, &depth)) != TABLE_NONE)
		at = stpcpy(stpcpy(at, STEP), table->rows[row].label);
	return label;
}

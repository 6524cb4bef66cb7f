#include "analyze/tree.h"

#include "analyze/base/index.h"

#include <inttypes.h>
#include <stdlib.h>

struct node {
	uint32_t caller; /* a lower node, or TABLE_NONE */
	uint32_t row;    /* of the table of functions */
};

struct tree {
	const struct table *table;
	struct node *nodes;
	uint32_t n, cap;
	struct index index;
	uint32_t *leaf_of; /* by sample */
	uint32_t most;     /* nodes */
	uint32_t depth;    /* of the nodes that are kept; UINT32_MAX: of any */
	/* The stack before, root first: the next one often begins likewise. */
	struct node *path; /* caller: the node itself */
	uint32_t path_length, path_cap;
};

struct node_key {
	const struct tree *tree;
	struct node node;
};

static bool same_node(const void *context, uint32_t at)
{
	const struct node_key *key = context;
	const struct node *node = &key->tree->nodes[at];

	return node->caller == key->node.caller && node->row == key->node.row;
}

static uint64_t hash_node(struct node node)
{
	return hash_pair(node.caller, node.row);
}

static uint32_t intern_node(struct tree *tree, struct node node)
{
	struct node_key key = {tree, node};
	uint64_t hash = hash_node(node);
	uint32_t found = index_find(&tree->index, hash, same_node, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(tree->nodes, tree->n, tree->cap);
	tree->nodes[tree->n] = node;
	index_add(&tree->index, hash, tree->n);
	return tree->n++;
}

/* ---- stacks ---- */

static void reserve_path(struct tree *tree, uint32_t length)
{
	if (length <= tree->path_cap)
		return;
	tree->path = mem_realloc(tree->path, length, sizeof *tree->path);
	tree->path_cap = length;
}

static uint32_t add_stack(struct tree *tree, uint32_t n_steps)
{
	const struct step *root = tree->table->steps + n_steps - 1;
	uint32_t length = n_steps < tree->depth ? n_steps : tree->depth, at = 0;

	reserve_path(tree, length);
	while (at < length && at < tree->path_length && tree->path[at].row == root[-(ptrdiff_t)at].row)
		at++;
	for (; at < length; at++) {
		struct node node = {at ? tree->path[at - 1].caller : TABLE_NONE, root[-(ptrdiff_t)at].row};

		tree->path[at] = (struct node){intern_node(tree, node), node.row};
	}
	tree->path_length = length;
	return tree->path[length - 1].caller;
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
static uint32_t choose_depth(const struct tree *tree, const uint32_t *depths, uint32_t deepest)
{
	uint32_t *n_at = mem_zalloc((size_t)deepest + 1, sizeof *n_at);
	uint32_t depth = 1;

	for (uint32_t i = 0; i < tree->n; i++)
		n_at[depths[i]]++;
	for (uint32_t n = n_at[1]; depth < deepest && n + n_at[depth + 1] <= tree->most / 2; depth++)
		n += n_at[depth + 1];
	free(n_at);
	return depth;
}

/* Leaves out what is deeper, and gives for each node the one that stands for it now. */
static uint32_t *drop_deep_nodes(struct tree *tree, const uint32_t *depths)
{
	uint32_t *now = mem_alloc(tree->n, sizeof *now), n = 0;

	index_free(&tree->index);
	for (uint32_t i = 0; i < tree->n; i++) {
		struct node node = tree->nodes[i];
		uint32_t caller = node.caller == TABLE_NONE ? TABLE_NONE : now[node.caller];

		now[i] = depths[i] > tree->depth ? caller : n;
		if (depths[i] > tree->depth)
			continue;
		node.caller = caller;
		tree->nodes[n] = node;
		index_add(&tree->index, hash_node(node), n++);
	}
	tree->n = n;
	return now;
}

static void cut(struct tree *tree, uint32_t n_samples)
{
	uint32_t deepest, *depths = find_depths(tree, &deepest);

	tree->depth = choose_depth(tree, depths, deepest);
	uint32_t *now = drop_deep_nodes(tree, depths);
	for (uint32_t i = 0; i < n_samples; i++)
		if (tree->leaf_of[i] != TABLE_NONE)
			tree->leaf_of[i] = now[tree->leaf_of[i]];
	tree->path_length = 0;
	free(now);
	free(depths);
}

/* ---- the table ---- */

static void add_samples(struct tree *tree)
{
	const struct view *view = tree->table->view;

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		uint32_t n_steps = view->passes[i] ? table_expand(tree->table, i) : 0;

		tree->leaf_of[i] = n_steps ? add_stack(tree, n_steps) : TABLE_NONE;
		if (tree->n > tree->most)
			cut(tree, i + 1);
	}
}

static void replace_rows(struct table *table, struct tree *tree)
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
	table->leaf_of = tree->leaf_of;
}

void tree_split(struct table *table, uint32_t most, struct diag *notes)
{
	struct tree tree = {.table = table, .most = most > 2 * table->n ? most : 2 * table->n, .depth = UINT32_MAX};

	tree.leaf_of = mem_alloc(table->view->profile->n_samples, sizeof *tree.leaf_of);
	add_samples(&tree);
	if (tree.depth != UINT32_MAX)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN,
		         "the call tree has more than %" PRIu32 " nodes: what is more than %" PRIu32
		         " frames from its root counts for the frame there",
		         tree.most, tree.depth);
	replace_rows(table, &tree);
	index_free(&tree.index);
	free(tree.nodes);
	free(tree.path);
	table_sum(table);
}

#include "analyze/graph.h"

#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "analyze/nodelets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The method is google/pprof's (its report.go and graph.go): drop light nodes, bridge the gaps by residual edges, choose
 * the nodes that tell most, drop light and then redundant edges. From gperftools comes the limit of a node's degree. */

struct work {
	const struct table *table;
	const struct graph_opts *opts;
	struct graph *graph;
	bool *kept;      /* by row */
	bool *wanted;    /* by row: the edges into it are */
	bool has_wanted; /* any row is */
	uint32_t cap_edges;
	uint32_t *ranks; /* by row that is kept: by its label; those of one label have one */
	struct edge_groups into, from;
	double *score;       /* by row */
	uint64_t n_looks;    /* at edges, in search of other ways */
	uint32_t count_type; /* n_types: there is none, so samples are counted */
};

/* ---- edges ---- */

struct edge_key {
	const struct edge *edges;
	uint32_t from, to;
};

static bool same_edge(const void *context, uint32_t at)
{
	const struct edge_key *key = context;

	return key->edges[at].from == key->from && key->edges[at].to == key->to;
}

static uint32_t intern_edge(struct work *work, struct index *index, uint32_t from, uint32_t to)
{
	struct graph *graph = work->graph;
	struct edge_key key = {graph->edges, from, to};
	uint64_t hash = hash_pair(from, to);
	uint32_t found = index_find(index, hash, same_edge, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(graph->edges, graph->n_edges, work->cap_edges);
	graph->edges[graph->n_edges] = (struct edge){.from = from, .to = to, .inlined = true};
	index_add(index, hash, graph->n_edges);
	return graph->n_edges++;
}

struct edge_marks {
	uint32_t *sample; /* by edge: one more than the sample that counted it last */
	uint32_t cap;
};

/* Says whether this sample counts the edge for the first time. */
static bool mark_edge(struct edge_marks *marks, uint32_t edge, uint32_t sample)
{
	while (edge >= marks->cap) {
		uint32_t old = marks->cap;

		marks->sample = mem_realloc(marks->sample, marks->cap = mem_next_cap(old), sizeof *marks->sample);
		memset(marks->sample + old, 0, (marks->cap - old) * sizeof *marks->sample);
	}
	bool first = marks->sample[edge] != sample + 1;
	marks->sample[edge] = sample + 1;
	return first;
}

static bool has_count(const struct work *work)
{
	return work->count_type < work->table->view->profile->n_types;
}

static bool is_edge(const struct work *work, uint32_t from, uint32_t to)
{
	return from != INDEX_NONE && from != to && work->wanted[to];
}

static void add_sample_edges(struct work *work, struct index *index, struct edge_marks *marks, uint32_t sample,
                             double value)
{
	const struct table *table = work->table;
	uint32_t n = table_expand(table, sample);
	double count = has_count(work) ? view_value(table->view, sample, work->count_type) : 1;
	uint32_t parent = INDEX_NONE;
	bool residual = false;

	/* From the root to the leaf. */
	for (uint32_t i = n; i-- > 0;) {
		uint32_t row = table->steps[i].row;

		if (!work->kept[row]) {
			residual = true;
			continue;
		}
		if (is_edge(work, parent, row)) {
			uint32_t at = intern_edge(work, index, parent, row);

			if (mark_edge(marks, at, sample)) {
				struct edge *edge = &work->graph->edges[at];

				edge->weight += value;
				edge->calls += count;
				edge->residual |= residual;
				edge->inlined &= table->steps[i].inlined;
			}
		}
		parent = row;
		residual = false;
	}
}

static int by_label(const void *x, const void *y, void *context)
{
	const struct row *rows = context;

	return text_compare(rows[*(const uint32_t *)x].label, rows[*(const uint32_t *)y].label);
}

/* Labels are long, and compared once a row; edges are many. */
static void rank_nodes(struct work *work)
{
	const struct row *rows = work->table->rows;
	uint32_t n = work->graph->n_nodes, *order = mem_alloc(n, sizeof *order);

	memcpy(order, work->graph->nodes, n * sizeof *order);
	if (n)
		qsort_r(order, n, sizeof *order, by_label, (void *)(uintptr_t)rows);
	for (uint32_t i = 0; i < n; i++) {
		bool is_first = !i || text_compare(rows[order[i - 1]].label, rows[order[i]].label) != 0;

		work->ranks[order[i]] = is_first ? i : work->ranks[order[i - 1]];
	}
	free(order);
}

static int ascending(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

/* Tables are in the order of what they show, and pictures the same whether they show means or not. */
static double size_of(const struct work *work, const struct edge *edge)
{
	return fabs(work->opts->for_picture ? edge->weight : view_shown(work->table->view, edge->weight, edge->calls));
}

static int by_size(const void *x, const void *y, void *context)
{
	const struct work *work = context;
	const uint32_t *ranks = work->ranks;
	const struct edge *a = x, *b = y;
	double a_weight = size_of(work, a), b_weight = size_of(work, b);
	int order = a_weight > b_weight ? -1 : a_weight < b_weight;

	if (!order)
		order = ascending(ranks[a->from], ranks[b->from]);
	if (!order)
		order = ascending(ranks[a->to], ranks[b->to]);
	if (!order)
		order = ascending(a->from, b->from);
	return order ? order : ascending(a->to, b->to);
}

/* The edges between the nodes that are kept, heaviest first. */
static void build_edges(struct work *work)
{
	const struct view *view = work->table->view;
	struct graph *graph = work->graph;
	struct index index = {0};
	struct edge_marks marks = {0};

	graph->n_edges = 0;
	for (uint32_t i = 0; work->has_wanted && i < view->profile->n_samples; i++)
		if (view_has_value(view, i))
			add_sample_edges(work, &index, &marks, i, view->values[i]);
	for (uint32_t i = 0; i < graph->n_edges; i++)
		graph->edges[i].weight = view_hold(graph->edges[i].weight);
	if (graph->n_edges) {
		rank_nodes(work);
		qsort_r(graph->edges, graph->n_edges, sizeof *graph->edges, by_size, work);
	}
	index_free(&index);
	free(marks.sample);
}

static uint32_t callee_of(const struct edge *edge)
{
	return edge->to;
}

static uint32_t caller_of(const struct edge *edge)
{
	return edge->from;
}

static void group_by(uint32_t (*row_of)(const struct edge *), const struct graph *graph, uint32_t n_rows,
                     struct edge_groups *ret)
{
	uint32_t *next = mem_zalloc((size_t)n_rows + 2, sizeof *next);

	ret->edges = mem_alloc(graph->n_edges, sizeof *ret->edges);
	for (uint32_t i = 0; i < graph->n_edges; i++)
		next[row_of(&graph->edges[i]) + 2]++;
	for (uint32_t i = 2; i < n_rows + 2; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < graph->n_edges; i++)
		ret->edges[next[row_of(&graph->edges[i]) + 1]++] = i;
	/* Each row's place has moved to its end, which is where the next row begins. */
	ret->first = next;
}

void graph_group_edges(const struct graph *graph, uint32_t n_rows, struct edge_groups *into, struct edge_groups *from)
{
	group_by(callee_of, graph, n_rows, into);
	group_by(caller_of, graph, n_rows, from);
}

void edge_groups_free(struct edge_groups *groups)
{
	free(groups->first);
	free(groups->edges);
}

/* Anew, since the edges have changed. */
static void group_edges(struct work *work)
{
	edge_groups_free(&work->into);
	edge_groups_free(&work->from);
	graph_group_edges(work->graph, work->table->n, &work->into, &work->from);
}

/* By inlining; the others need no edges to tell that calls alone lead into them. */
static void want_inlined_rows(struct work *work)
{
	const struct table *table = work->table;

	for (uint32_t i = 0; i < table->n_entries; i++) {
		work->wanted[table->entries[i].row] |= table->entries[i].inlined;
		work->has_wanted |= table->entries[i].inlined;
	}
}

static void want_edges(struct work *work)
{
	if (work->opts->inlined_alone) {
		want_inlined_rows(work);
		return;
	}
	memset(work->wanted, true, work->table->n);
	work->has_wanted = true;
}

/* ---- nodes ---- */

static double sum_flat(const struct table *table)
{
	double sum = 0;

	for (uint32_t i = 0; i < table->n; i++)
		sum += table->rows[i].flat;
	return sum;
}

static void keep_heavy_nodes(struct work *work)
{
	struct graph *graph = work->graph;

	for (uint32_t i = 0; i < work->table->n; i++) {
		const struct row *row = &work->table->rows[i];

		if (!row->n_samples)
			continue;
		work->kept[i] = graph->node_cut <= 0 || fabs(row->cum) >= graph->node_cut;
		graph->n_dropped_nodes += !work->kept[i];
	}
}

/* Of the edges of this row and what it keeps itself; 1 where it has no edges. */
static double entropy(const struct graph *graph, const struct edge_groups *groups, uint32_t row, double self)
{
	const uint32_t *edges = groups->edges;
	uint32_t first = groups->first[row], end = groups->first[row + 1];
	double total = self, score = 0;

	if (first == end)
		return 1;
	for (uint32_t i = first; i < end; i++)
		total += fabs(graph->edges[edges[i]].weight);
	if (total == 0)
		return 0;
	for (uint32_t i = first; i < end; i++) {
		double part = fabs(graph->edges[edges[i]].weight) / total;

		if (part > 0)
			score -= part * log2(part);
	}
	if (self > 0)
		score -= self / total * log2(self / total);
	return score;
}

/* How much a node tells: its value, times the uncertainty about its callers and callees that it resolves. */
static double node_score(const struct work *work, uint32_t row)
{
	const struct row *r = &work->table->rows[row];
	double score = entropy(work->graph, &work->into, row, 0);

	score += entropy(work->graph, &work->from, row, r->flat > 0 ? r->flat : 0);
	return fabs(trunc(score * r->cum) + r->flat);
}

static int by_score(const void *x, const void *y, void *context)
{
	const struct work *work = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const struct row *row_a = &work->table->rows[a], *row_b = &work->table->rows[b];
	int order = work->score[a] > work->score[b] ? -1 : work->score[a] < work->score[b];

	if (!order)
		order = text_compare(row_a->label, row_b->label);
	if (!order)
		order = fabs(row_a->flat) > fabs(row_b->flat) ? -1 : fabs(row_a->flat) < fabs(row_b->flat);
	return order ? order : a < b ? -1 : a > b;
}

/* What tells most comes first; it needs the edges. */
static void sort_by_score(struct work *work)
{
	struct graph *graph = work->graph;

	group_edges(work);
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		work->score[graph->nodes[i]] = node_score(work, graph->nodes[i]);
	if (graph->n_nodes)
		qsort_r(graph->nodes, graph->n_nodes, sizeof *graph->nodes, by_score, work);
}

static void list_nodes(struct work *work)
{
	struct graph *graph = work->graph;

	graph->n_nodes = 0;
	for (uint32_t i = 0; i < work->table->n; i++)
		if (work->kept[i])
			graph->nodes[graph->n_nodes++] = i;
}

static uint32_t with_tags(uint32_t n_tags)
{
	return 1 + (n_tags < NODELETS_OF_NODE ? n_tags : NODELETS_OF_NODE);
}

/* How many nodes fit into the limit where each brings its tags along; the last one may pass it. */
static uint32_t count_fitting(const struct work *work)
{
	const struct graph *graph = work->graph;
	uint8_t *wanted = mem_zalloc(work->table->n, 1);
	uint32_t n = 0, used = 0;

	for (uint32_t i = 0; i < graph->n_nodes; i++)
		wanted[graph->nodes[i]] = NODELETS_FLAT;
	uint32_t *n_tags = nodelets_count(work->table, wanted, graph->node_cut);
	while (n < graph->n_nodes && used < work->opts->node_count)
		used += with_tags(n_tags[graph->nodes[n++]]);
	free(n_tags);
	free(wanted);
	return n;
}

static void keep_first_nodes(struct work *work, uint32_t n)
{
	struct graph *graph = work->graph;

	for (uint32_t i = n; i < graph->n_nodes; i++)
		work->kept[graph->nodes[i]] = false;
	if (n < graph->n_nodes)
		graph->n_nodes = n;
}

/* ---- which edges stay ---- */

static uint32_t drop_light_edges(struct graph *graph)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < graph->n_edges; i++)
		if (fabs(graph->edges[i].weight) >= graph->edge_cut)
			graph->edges[n++] = graph->edges[i];
	uint32_t dropped = graph->n_edges - n;
	graph->n_edges = n;
	return dropped;
}

/* Heaviest first, an edge stays while both its ends have room; the first edge into a node always stays. */
static uint32_t limit_degrees(struct work *work)
{
	struct graph *graph = work->graph;
	uint32_t most = work->opts->max_degree;
	uint32_t *in = mem_zalloc(work->table->n, sizeof *in), *out = mem_zalloc(work->table->n, sizeof *out);
	uint32_t n = 0;

	for (uint32_t i = 0; i < graph->n_edges; i++) {
		struct edge edge = graph->edges[i];

		if (in[edge.to] && (in[edge.to] >= most || out[edge.from] >= most))
			continue;
		in[edge.to]++;
		out[edge.from]++;
		graph->edges[n++] = edge;
	}
	uint32_t dropped = graph->n_edges - n;
	graph->n_edges = n;
	free(in);
	free(out);
	return dropped;
}

/* Some tenths of a second; a graph that has more to look for is no picture, and may keep edges that say nothing new. */
static const uint64_t MOST_LOOKS = 100000000;

/* True when the edge's end can be reached from its start without it: looks backwards from the end. */
static bool is_redundant(struct work *work, const bool *gone, uint32_t at, uint32_t *queue, uint32_t *seen)
{
	const struct graph *graph = work->graph;
	uint32_t head = 0, tail = 0;

	queue[tail++] = graph->edges[at].to;
	seen[graph->edges[at].to] = at + 1;
	while (head < tail && work->n_looks < MOST_LOOKS) {
		uint32_t row = queue[head++];

		work->n_looks += work->into.first[row + 1] - work->into.first[row];
		for (uint32_t i = work->into.first[row]; i < work->into.first[row + 1]; i++) {
			uint32_t edge = work->into.edges[i], from = graph->edges[edge].from;

			if (edge == at || gone[edge])
				continue;
			if (from == graph->edges[at].from)
				return true;
			if (seen[from] != at + 1)
				queue[tail++] = from;
			seen[from] = at + 1;
		}
	}
	return false;
}

/* From the last node to the first, its incoming edges from the lightest; stops at one that is not residual, so that
 * no edge goes that is heavier than one that stays. */
static void drop_redundant_edges(struct work *work)
{
	struct graph *graph = work->graph;
	bool *gone = mem_zalloc(graph->n_edges, sizeof *gone);
	uint32_t *queue = mem_alloc(work->table->n, sizeof *queue), *seen = mem_zalloc(work->table->n, sizeof *seen);
	uint32_t n = 0;

	group_edges(work);
	for (uint32_t k = graph->n_nodes; k-- > 0;) {
		uint32_t row = graph->nodes[k];

		for (uint32_t i = work->into.first[row + 1]; i-- > work->into.first[row];) {
			uint32_t at = work->into.edges[i];

			if (!graph->edges[at].residual)
				break;
			gone[at] = is_redundant(work, gone, at, queue, seen);
		}
	}
	for (uint32_t i = 0; i < graph->n_edges; i++)
		if (!gone[i])
			graph->edges[n++] = graph->edges[i];
	graph->n_edges = n;
	free(gone);
	free(queue);
	free(seen);
}

static void choose_for_table(struct work *work)
{
	struct graph *graph = work->graph;
	uint32_t limit = work->opts->node_count;

	table_sort(work->table, ORDER_MODERN, work->opts->by_cum, graph->nodes, graph->n_nodes);
	if (limit)
		keep_first_nodes(work, limit);
	build_edges(work);
}

static void choose_for_picture(struct work *work)
{
	struct graph *graph = work->graph;
	uint32_t limit = work->opts->node_count;

	build_edges(work);
	sort_by_score(work);
	if (!limit || (graph->n_nodes <= limit && !work->opts->has_tags))
		return;
	keep_first_nodes(work, work->opts->has_tags ? count_fitting(work) : limit);
	build_edges(work);
	sort_by_score(work);
}

void graph_build(const struct table *table, const struct graph_opts *opts, struct graph *ret)
{
	struct work work = {.table = table, .opts = opts, .graph = ret};
	double total = sum_flat(table);

	work.count_type = profile_count_type(table->view->profile, table->view->opts.type);

	*ret = (struct graph){.node_cut = fabs(trunc(total * opts->node_fraction)),
	                      .edge_cut = fabs(trunc(total * opts->edge_fraction))};
	ret->nodes = mem_zalloc(table->n, sizeof *ret->nodes);
	work.kept = mem_zalloc(table->n, sizeof *work.kept);
	work.score = mem_zalloc(table->n, sizeof *work.score);
	work.wanted = mem_zalloc(table->n, sizeof *work.wanted);
	work.ranks = mem_alloc(table->n, sizeof *work.ranks);
	want_edges(&work);
	keep_heavy_nodes(&work);
	list_nodes(&work);
	ret->n_before_limit = ret->n_nodes;
	if (opts->for_picture)
		choose_for_picture(&work);
	else
		choose_for_table(&work);
	ret->n_dropped_edges = drop_light_edges(ret);
	if (opts->max_degree)
		ret->n_dropped_edges += limit_degrees(&work);
	if (opts->for_picture)
		drop_redundant_edges(&work);
	free(work.kept);
	free(work.score);
	free(work.wanted);
	free(work.ranks);
	edge_groups_free(&work.into);
	edge_groups_free(&work.from);
}

void graph_take_means(const struct view *view, struct graph *graph)
{
	for (uint32_t i = 0; i < graph->n_edges; i++)
		graph->edges[i].weight = view_shown(view, graph->edges[i].weight, graph->edges[i].calls);
}

void graph_free(struct graph *graph)
{
	free(graph->nodes);
	free(graph->edges);
	*graph = (struct graph){0};
}

#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "render/renderer.h"

#include <stdlib.h>
#include <string.h>

/* Folded stacks, which flame graph tools read: "root;...;leaf VALUE", one a line, sorted by names. Values are whole
 * numbers of the sample type's own unit. */

struct folded {
	uint32_t first, n; /* a span of frames, root first */
	double value;
};

/* Stacks are kept as numbers of names, for a name may be long and stand in many of them. */
struct fold {
	const struct table *table;
	struct arena *arena;
	const char **names; /* sorted */
	uint32_t *name_of;  /* by row of the table */
	uint32_t *frames;   /* numbers of names */
	uint32_t n_frames, cap_frames;
	struct folded *stacks;
	uint32_t n, cap;
	struct index index;
};

/* ---- names ---- */

/* In this format a semicolon ends a name, and a line end the stack. */
static const char *escape_name(struct arena *arena, const char *name)
{
	static const char escape[] = "\\x3b";
	const char *shown = text_printable(name, arena);
	size_t used = 0;

	if (!strchr(shown, ';'))
		return shown;
	char *copy = arena_alloc(arena, strlen(shown) * (sizeof escape - 1) + 1, 1);
	for (const char *at = shown; *at; at++) {
		if (*at == ';')
			used = (size_t)(stpcpy(copy + used, escape) - copy);
		else
			copy[used++] = *at;
	}
	return copy;
}

static int by_name(const void *x, const void *y, void *context)
{
	const char *const *names = context;

	return strcmp(names[*(const uint32_t *)x], names[*(const uint32_t *)y]);
}

/* Rows of one name get one number; the numbers are in the order of the names. */
static void number_names(struct fold *fold)
{
	uint32_t n_rows = fold->table->n, n = 0;
	const char **names = mem_alloc(n_rows, sizeof *names);
	uint32_t *order = mem_alloc(n_rows, sizeof *order);

	for (uint32_t i = 0; i < n_rows; i++) {
		names[i] = escape_name(fold->arena, fold->table->rows[i].label);
		order[i] = i;
	}
	if (n_rows)
		qsort_r(order, n_rows, sizeof *order, by_name, names);
	fold->names = mem_alloc(n_rows, sizeof *fold->names);
	fold->name_of = mem_alloc(n_rows, sizeof *fold->name_of);
	for (uint32_t i = 0; i < n_rows; i++) {
		if (!i || strcmp(names[order[i]], fold->names[n - 1]) != 0)
			fold->names[n++] = names[order[i]];
		fold->name_of[order[i]] = n - 1;
	}
	free(names);
	free(order);
}

/* ---- stacks ---- */

static int compare_stacks(const struct fold *fold, const struct folded *a, const struct folded *b)
{
	for (uint32_t i = 0; i < a->n && i < b->n; i++) {
		uint32_t x = fold->frames[a->first + i], y = fold->frames[b->first + i];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return a->n < b->n ? -1 : a->n > b->n;
}

struct stack_key {
	const struct fold *fold;
	const struct folded *stack;
};

static bool same_stack(const void *context, uint32_t row)
{
	const struct stack_key *key = context;

	return compare_stacks(key->fold, &key->fold->stacks[row], key->stack) == 0;
}

static void add_sample(struct fold *fold, uint32_t sample, double value)
{
	uint32_t n = table_expand(fold->table, sample);
	struct folded stack = {fold->n_frames, n, value};
	struct stack_key key = {fold, &stack};

	if (!n)
		return;
	for (uint32_t i = n; i-- > 0;) {
		MEM_GROW(fold->frames, fold->n_frames, fold->cap_frames);
		fold->frames[fold->n_frames++] = fold->name_of[fold->table->steps[i].row];
	}
	uint64_t hash = hash_bytes(fold->frames + stack.first, n * sizeof *fold->frames);
	uint32_t row = index_find(&fold->index, hash, same_stack, &key);
	if (row != INDEX_NONE) {
		fold->stacks[row].value += value;
		fold->n_frames = stack.first;
		return;
	}
	MEM_GROW(fold->stacks, fold->n, fold->cap);
	index_add(&fold->index, hash, fold->n);
	fold->stacks[fold->n++] = stack;
}

static int by_names(const void *x, const void *y, void *context)
{
	return compare_stacks(context, x, y);
}

static void write_stack(const struct fold *fold, const struct folded *stack, struct out *out)
{
	char value[UNITS_TEXT];

	if (strcmp(units_whole(value, stack->value), "0") == 0)
		return;
	for (uint32_t i = 0; i < stack->n; i++) {
		out_text(out, i ? ";" : "");
		out_text(out, fold->names[fold->frames[stack->first + i]]);
	}
	out_printf(out, " %s\n", value);
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct view *view = report->view;
	struct fold fold = {.table = &report->table, .arena = arena_new()};

	number_names(&fold);
	for (uint32_t i = 0; i < view->profile->n_samples; i++)
		if (view->values[i] != 0)
			add_sample(&fold, i, view->values[i]);
	if (fold.n)
		qsort_r(fold.stacks, fold.n, sizeof *fold.stacks, by_names, &fold);
	for (uint32_t i = 0; i < fold.n && !out_has_failed(out); i++)
		write_stack(&fold, &fold.stacks[i], out);
	index_free(&fold.index);
	free(fold.names);
	free(fold.name_of);
	free(fold.frames);
	free(fold.stacks);
	arena_free(fold.arena);
	return NULL;
}

const struct renderer render_collapsed = {
	.name = "collapsed",
	.help = "folded stacks for flame graph tools, \"root;...;leaf VALUE\" a line",
	.ext = "folded",
	.parts = PART_ROWS,
	.write = write,
};

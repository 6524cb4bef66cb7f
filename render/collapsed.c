#include "analyze/base/text.h"
#include "render/renderer.h"
#include "render/stack_set.h"

#include <stdlib.h>
#include <string.h>

/* Folded stacks, which flame graph tools read: "root;...;leaf VALUE", one a line, sorted by names. Values are whole
 * numbers of the sample type's own unit. */

struct fold {
	const struct table *table;
	struct arena *arena;
	const char **names;   /* sorted */
	uint32_t *name_of;    /* by row of the table */
	struct stack_set set; /* of numbers of names, for a name may be long and stand in many stacks */
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

static void add_samples(struct fold *fold, const struct view *view)
{
	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		double value = view->values[i];
		double *sum = value != 0 ? stack_set_find(&fold->set, fold->table, i, fold->name_of) : NULL;

		if (sum)
			*sum += value;
	}
}

static void write_stack(const struct fold *fold, uint32_t stack, struct out *out)
{
	const uint32_t *frames = stack_set_frames(&fold->set, stack);
	char value[UNITS_TEXT];

	if (strcmp(units_whole(value, stack_set_value(&fold->set, stack, 0)), "0") == 0)
		return;
	for (uint32_t i = 0; i < fold->set.stacks[stack].n; i++) {
		out_text(out, i ? ";" : "");
		out_text(out, fold->names[frames[i]]);
	}
	out_printf(out, " %s\n", value);
}

/* Sorted by names, since their numbers are. */
static void write_stacks(const struct fold *fold, struct out *out)
{
	uint32_t *order = stack_set_order_by_frames(&fold->set);

	for (uint32_t i = 0; i < fold->set.n && !out_has_failed(out); i++)
		write_stack(fold, order[i], out);
	free(order);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct fold fold = {.table = &report->table, .arena = arena_new(), .set = {.n_values = 1}};

	number_names(&fold);
	add_samples(&fold, report->view);
	write_stacks(&fold, out);
	stack_set_free(&fold.set);
	free(fold.names);
	free(fold.name_of);
	arena_free(fold.arena);
	return NULL;
}

const struct renderer render_collapsed = {
	.name = "collapsed",
	.help = "folded stacks for flame graph tools, \"root;...;leaf VALUE\" a line",
	.ext = "folded",
	.parts = PART_ROWS,
	.holds_sums = true,
	.write = write,
};

#include "render/stacks.h"

#include "render/stack_set.h"

#include <stdlib.h>

/* What is summed up of each stack. */
enum { VALUE, COUNT, BYTES, OBJECTS, N_SUMS };

struct stack_list {
	const struct profile *profile;
	struct out *out;
	struct table table; /* a row for each address */
	struct stack_set set;
	uint32_t bytes, objects; /* sample types; n_types: the profile has none */
};

static void add_samples(struct stack_list *list, const struct view *view)
{
	for (uint32_t i = 0; i < list->profile->n_samples; i++) {
		double *sums = view->passes[i] ? stack_set_find(&list->set, &list->table, i, NULL) : NULL;

		if (!sums)
			continue;
		sums[VALUE] += view->values[i];
		if (view->counts)
			sums[COUNT] += view->counts[i];
		if (list->bytes < list->profile->n_types)
			sums[BYTES] += view_value(view, i, list->bytes);
		if (list->objects < list->profile->n_types)
			sums[OBJECTS] += view_value(view, i, list->objects);
	}
}

static void take_means(struct stack_set *set, const struct view *view)
{
	for (uint32_t i = 0; i < set->n; i++) {
		double *sums = set->values + (size_t)i * set->n_values;

		sums[VALUE] = view_shown(view, sums[VALUE], sums[COUNT]);
	}
}

/* "??:0" is addr2line's word for a place that is not known. */
static void write_place(const struct stack_list *list, const struct row *row)
{
	out_name(list->out, *row->file ? row->file : "??");
	out_text(list->out, ":");
	out_number(list->out, row->line);
}

static const char *name_of(const struct row *row)
{
	return *row->name ? row->name : "unknown";
}

/* ---- every stack ---- */

static void write_frame(const struct stack_list *list, const struct row *row)
{
	out_text(list->out, " (");
	out_address(list->out, row->addr);
	out_text(list->out, ") ");
	write_place(list, row);
	out_line(list->out, ":", name_of(row));
}

static void write_stack(const struct stack_list *list, uint32_t stack)
{
	const uint32_t *frames = stack_set_frames(&list->set, stack);
	char value[UNITS_TEXT];

	out_printf(list->out, "%-8s", units_whole(value, stack_set_value(&list->set, stack, VALUE)));
	for (uint32_t i = list->set.stacks[stack].n; i-- > 0;) {
		write_frame(list, &list->table.rows[frames[i]]);
		out_text(list->out, i ? "        " : "\n");
	}
}

static void write_stacks(const struct stack_list *list)
{
	uint32_t *order = stack_set_order(&list->set, VALUE);

	out_text(list->out, "Stacks:\n\n");
	for (uint32_t i = 0; i < list->set.n && !out_has_failed(list->out); i++)
		write_stack(list, order[i]);
	free(order);
}

/* ---- leaks ---- */

static void write_leak_frame(const struct stack_list *list, const struct row *row)
{
	out_text(list->out, "\t@ ");
	out_address(list->out, row->addr);
	out_text(list->out, " ");
	out_name(list->out, name_of(row));
	out_text(list->out, " ");
	write_place(list, row);
	out_text(list->out, "\n");
}

static void write_leak(const struct stack_list *list, uint32_t stack)
{
	const uint32_t *frames = stack_set_frames(&list->set, stack);
	char bytes[UNITS_TEXT], objects[UNITS_TEXT];

	out_printf(list->out, "Leak of %s bytes in %s objects allocated from:\n",
	           units_whole(bytes, stack_set_value(&list->set, stack, BYTES)),
	           units_whole(objects, stack_set_value(&list->set, stack, OBJECTS)));
	for (uint32_t i = list->set.stacks[stack].n; i-- > 0;)
		write_leak_frame(list, &list->table.rows[frames[i]]);
}

/* What was freed, or is less than in the base, has not leaked. */
static void write_leaks(const struct stack_list *list)
{
	uint32_t *order = stack_set_order(&list->set, BYTES);

	for (uint32_t i = 0; i < list->set.n && !out_has_failed(list->out); i++)
		if (stack_set_value(&list->set, order[i], BYTES) > 0)
			write_leak(list, order[i]);
	out_text(list->out, "\n");
	free(order);
}

void stacks_write(const struct report *report, struct out *out)
{
	const struct profile *p = report->profile;
	struct stack_list list = {.profile = p, .out = out, .set = {.n_values = N_SUMS}};

	list.bytes = profile_find_type(p, "inuse_space");
	list.objects = profile_find_type(p, "inuse_objects");
	struct row_opts rows = {.granularity = BY_ADDRESS, .returns = report->opts.return_addresses};
	tally(report->view, &rows, report->arena, &list.table);
	add_samples(&list, report->view);
	take_means(&list.set, report->view);
	write_stacks(&list);
	if (list.bytes < p->n_types)
		write_leaks(&list);
	stack_set_free(&list.set);
	table_free(&list.table);
}

#include "render/renderer.h"

/* gperftools' --symbols: the innermost function of each address, one a line, in the order of the input. */

static void write_sample(const struct report *report, uint32_t sample, struct out *out)
{
	const struct profile *p = report->profile;
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];

	if (!stack->n)
		return;
	const struct table *table = &report->table;
	const struct step *innermost = &table->entries[table->of_loc[p->frames[stack->first].row]];
	out_line(out, "", table->rows[innermost->row].label);
}

static struct err *write(const struct report *report, struct out *out)
{
	for (uint32_t i = 0; i < report->profile->n_samples && !out_has_failed(out); i++)
		write_sample(report, i, out);
	return NULL;
}

const struct renderer render_symbols = {
	.name = "symbols",
	.help = "the name of each address; the input is addresses (0x401226) and rows of a map, one a line",
	.ext = "txt",
	.parts = PART_TABLE,
	.asks = true,
	.write = write,
};

#include "render/look.h"
#include "render/stacks.h"

/* gperftools' table, column for column: flat, flat%, the running sum of flat%, cum, cum%, name. */

static void write_total(const struct report *report, struct out *out)
{
	char total[UNITS_TEXT], changes[UNITS_TEXT];
	const struct unit_style *unit = &report->classic;

	out_text(out, report->view->opts.mean ? "Mean" : "Total");
	if (report->thread) {
		out_text(out, " (");
		out_name(out, report->thread);
		out_text(out, ")");
	}
	out_printf(out, ": %s %s", units_number(total, unit, report->total), unit->name);
	if (report->divisor_note)
		out_printf(out, " (percentages of %s %s, %s)", units_number(changes, unit, report->divisor), unit->name,
		           report->divisor_note);
	out_text(out, "\n");
}

static void write_row(const struct report *report, const struct row *row, double running, struct out *out)
{
	const struct unit_style *unit = &report->classic;
	double total = report->divisor;
	char flat[UNITS_TEXT], flat_percent[UNITS_TEXT], sum_percent[UNITS_TEXT], cum[UNITS_TEXT], cum_percent[UNITS_TEXT];

	out_style(out, look_of_row(report, row));
	out_printf(out, "%8s %6s %6s %8s %6s ", units_number(flat, unit, row->flat),
	           units_percent(flat_percent, row->flat, total), units_percent(sum_percent, running, total),
	           units_number(cum, unit, row->cum), units_percent(cum_percent, row->cum, total));
	look_end_row(out, row->label, "");
}

/* Means are no parts of a total. */
static void write_mean(const struct report *report, const struct row *row, struct out *out)
{
	const struct unit_style *unit = &report->classic;
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(out, "%8s %6s %6s %8s %6s ", units_number(flat, unit, row->flat), "-", "-",
	           units_number(cum, unit, row->cum), "-");
	out_line(out, "", row->label);
}

static struct err *write(const struct report *report, struct out *out)
{
	double running = 0;

	write_total(report, out);
	if (report->opts.stacks)
		stacks_write(report, out);
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		const struct row *row = &report->table.rows[report->order[i]];

		running = view_hold(running + row->flat);
		if (report->view->opts.mean)
			write_mean(report, row, out);
		else
			write_row(report, row, running, out);
	}
	return NULL;
}

const struct renderer render_text = {
	.name = "text",
	.help = "the table of gperftools' pprof, biggest first",
	.ext = "txt",
	.parts = PART_TABLE,
	.trend = &render_trend,
	.write = write,
};

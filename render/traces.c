#include "analyze/base/text.h"
#include "render/header.h"
#include "render/label_groups.h"
#include "render/look.h"

#include <stdlib.h>

/* google/pprof's list of samples: labels, the value, the stack from leaf to root. */

#define SEPARATOR "-----------+-------------------------------------------------------\n"
enum { KEY_WIDTH = 10 };

static const char *label_head(struct arena *arena, const char *key)
{
	const char *shown = text_printable(key, arena);
	uint32_t width = text_width(shown);

	return arena_printf(arena, "%*s%s: ", width < KEY_WIDTH ? (int)(KEY_WIDTH - width) : 0, "", shown);
}

static void write_group(const struct label_group *group, struct out *out)
{
	char number[UNITS_TEXT];

	out_text(out, group->head);
	for (uint32_t i = 0; i < group->n; i++) {
		const struct shown_label *label = group->labels[i];

		out_text(out, " ");
		out_name(out, label->text ? label->text : labels_number(number, label));
	}
	out_text(out, "\n");
}

static void write_labels(const struct label_list *labels, struct out *out)
{
	struct arena *arena = arena_new();
	struct label_group *groups;

	for (enum label_kind kind = LABEL_TEXT; kind <= LABEL_NUMBER; kind++) {
		uint32_t n = label_groups(labels, kind, label_head, arena, &groups);

		for (uint32_t i = 0; i < n; i++)
			write_group(&groups[i], out);
	}
	arena_free(arena);
}

static void write_stack(const struct report *report, double value, uint32_t n_steps, struct out *out)
{
	const struct table *table = &report->table;
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < n_steps; i++) {
		out_printf(out, "%10s   ", i ? "" : report_label_alone(text, report, value));
		look_end_row(out, table->rows[table->steps[i].row].label, table->steps[i].inlined ? " (inline)" : "");
	}
}

static double shown_value(const struct view *view, uint32_t sample)
{
	return view_shown(view, view->values[sample], view->counts ? view->counts[sample] : 0);
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct view *view = report->view;
	struct label_list labels = {0};

	header_profile(report, out);
	for (uint32_t i = 0; i < view->profile->n_samples && !out_has_failed(out); i++) {
		uint32_t n_steps = view->passes[i] ? table_expand(&report->table, i) : 0;

		if (!n_steps)
			continue;
		out_text(out, SEPARATOR);
		view_labels(view, i, &labels);
		if (labels.n)
			write_labels(&labels, out);
		write_stack(report, shown_value(view, i), n_steps, out);
	}
	out_text(out, SEPARATOR);
	free(labels.items);
	return NULL;
}

const struct renderer render_traces = {
	.name = "traces",
	.help = "every sample with its labels, value and stack, as google/pprof lists them",
	.ext = "txt",
	.parts = PART_ROWS,
	.write = write,
};

#include "render/header.h"

#include "analyze/base/text.h"
#include "render/when.h"

enum { LONGEST_FILTER = 80 };

/* ---- of the profile ---- */

/* A comment that begins with # is for --comments alone. */
static void write_comments(const struct profile *profile, struct out *out)
{
	for (uint32_t i = 0; i < profile->n_comments; i++) {
		const char *comment = profile_text(profile, profile->comments[i]);

		if (*comment != '#')
			out_line(out, "", comment);
	}
}

/* Of a profile of time, also which part of the duration the samples are. */
static void write_duration(const struct report *report, struct out *out)
{
	const struct profile *profile = report->profile;
	const char *unit = profile_text(profile, profile->types[report->view->opts.type].unit);
	struct unit_style style = units_auto("nanoseconds", (double)profile->duration_nanos);
	double total = report->divisor_of_all, to_nanos = 0;
	char span[UNITS_TEXT], sum[UNITS_TEXT], part[UNITS_TEXT];

	out_printf(out, "Duration: %s", units_label(span, &style, (double)profile->duration_nanos));
	if (report->view->opts.mean) {
		out_text(out, "\n");
		return;
	}
	out_printf(out, ", Total samples = %s ", units_label(sum, &report->modern, total));
	if (total != 0 && units_factor(unit, "nanoseconds", &to_nanos))
		out_printf(out, "(%s)", units_percent_label(part, total * to_nanos, (double)profile->duration_nanos));
	out_text(out, "\n");
}

void header_what(const struct report *report, struct out *out)
{
	const struct profile *profile = report->profile;
	const char *build_id = profile_text(profile, profile->objects[profile->program.row].build_id);

	if (report->opts.compact_labels)
		return;
	if (*report->program)
		out_line(out, "File: ", report->program);
	if (*build_id)
		out_line(out, "Build ID: ", build_id);
	write_comments(profile, out);
	out_line(out, "Type: ", report->type);
	if (profile->doc_url.row)
		out_line(out, "Doc: ", profile_text(profile, profile->doc_url));
}

void header_profile(const struct report *report, struct out *out)
{
	const struct profile *profile = report->profile;
	char time[WHEN_TEXT];

	header_what(report, out);
	if (report->opts.compact_labels)
		return;
	if (profile->time_nanos)
		out_line(out, "Time: ", when_short(time, profile->time_nanos));
	if (profile->duration_nanos)
		write_duration(report, out);
}

/* ---- of the nodes ---- */

/* A long pattern is cut, as google/pprof does. */
static void write_filter(const struct report *report, const char *filter, struct out *out)
{
	const char *shown = text_printable(filter, report->arena);
	size_t length = text_cut(shown, LONGEST_FILTER);

	out_printf(out, "   %.*s%s\n", (int)length, shown, shown[length] ? "…" : "");
}

void header_filters(const struct report *report, struct out *out)
{
	if (report->n_filters)
		out_text(out, "Active filters:\n");
	for (uint32_t i = 0; i < report->n_filters; i++)
		write_filter(report, report->filters[i], out);
}

static double sum_shown(const struct report *report)
{
	double sum = 0;

	for (uint32_t i = 0; i < report->n_order; i++)
		sum += report->table.rows[report->order[i]].flat;
	return view_hold(sum);
}

static void write_share(const struct report *report, struct out *out)
{
	double total = report->divisor_of_all, shown = sum_shown(report);
	char text[UNITS_TEXT], percent[UNITS_TEXT], whole[UNITS_TEXT];

	out_printf(out, "Showing nodes accounting for %s, %s of %s total", units_label(text, &report->modern, shown),
	           units_percent_alone(percent, shown, total), units_label(whole, &report->modern, total));
	if (report->divisor_of_all_note)
		out_printf(out, " (%s)", report->divisor_of_all_note);
}

/* Means do not add up to a total. */
void header_mean(const struct report *report, const struct unit_style *unit, struct out *out)
{
	const struct profile *profile = report->profile;
	const struct value_type *count = &profile->types[report->view->opts.count_type];
	char text[UNITS_TEXT];

	out_printf(out, "Showing means (%s / ", report->type);
	out_name(out, profile_text(profile, count->type));
	out_printf(out, "), of all samples %s", units_label(text, unit, report->total));
}

/* It cuts sums, of which a table of means has not got the unit. */
static struct unit_style unit_of_cut(const struct report *report)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];

	return report->view->opts.mean ? units_alone(profile_text(report->profile, type->unit), report->graph.node_cut)
	                               : report->modern;
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

void header_nodes(const struct report *report, struct out *out)
{
	const struct graph *graph = &report->graph;
	struct unit_style unit = unit_of_cut(report);
	char text[UNITS_TEXT];

	header_filters(report, out);
	if (report->view->opts.mean)
		header_mean(report, &report->modern, out);
	else
		write_share(report, out);
	out_text(out, "\n");
	if (graph->n_dropped_nodes)
		out_printf(out, "Dropped %u node%s (cum < %s)\n", graph->n_dropped_nodes, plural(graph->n_dropped_nodes),
		           units_label(text, &unit, graph->node_cut));
	if (graph->n_before_limit > graph->n_nodes)
		out_printf(out, "Showing top %u nodes out of %u\n", graph->n_nodes, graph->n_before_limit);
}

static void write_means(const struct report *report, const struct row *row, struct out *out)
{
	const struct unit_style *unit = &report->modern;
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(out, "%10s %6s %6s %10s %6s", units_label(flat, unit, row->flat), "-", "-",
	           units_label(cum, unit, row->cum), "-");
}

void header_columns(const struct report *report, const struct row *row, double running, struct out *out)
{
	const struct unit_style *unit = &report->modern;
	double total = report->divisor_of_all;
	char flat[UNITS_TEXT], flat_percent[UNITS_TEXT], sum_percent[UNITS_TEXT], cum[UNITS_TEXT], cum_percent[UNITS_TEXT];

	if (report->view->opts.mean) {
		write_means(report, row, out);
		return;
	}
	out_printf(out, "%10s %s %s %10s %s", units_label(flat, unit, row->flat),
	           units_percent_label(flat_percent, row->flat, total), units_percent_label(sum_percent, running, total),
	           units_label(cum, unit, row->cum), units_percent_label(cum_percent, row->cum, total));
}

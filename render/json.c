#include "analyze/tree.h"
#include "render/json_writer.h"
#include "render/renderer.h"
#include "render/trend_rows.h"

#include <inttypes.h>

/* The table of --text and what --info knows, for programs. docs/json.md says what each key means; one that goes or changes
 * its meaning makes a new version. */

enum { VERSION = 1, LINES_DEPTH = 2 };

static const char *text_of(const struct report *report, str_id id)
{
	return profile_text(report->profile, id);
}

/* ---- the profile ---- */

static const char *role_of(const struct report *report, const struct source *source)
{
	if (report->series.n_snapshots)
		return "snapshot";
	return source->set == SET_BASE ? "base" : "profile";
}

static void write_input(struct json *json, const struct report *report, const struct source *source)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", text_of(report, source->name));
	json_text(json, "role", role_of(report, source));
	json_text(json, "format", text_of(report, source->format));
	json_text_if_any(json, "header", text_of(report, source->header));
	json_text_if_any(json, "values", text_of(report, source->rule));
	if (source->period)
		json_whole(json, "period", source->period);
	json_whole(json, "rows", (int64_t)source->n_rows);
	json_end(json, '}');
}

static void write_inputs(struct json *json, const struct report *report)
{
	json_begin(json, "inputs", '[');
	for (uint32_t i = 0; i < report->profile->n_sources; i++)
		write_input(json, report, &report->profile->sources[i]);
	json_end(json, ']');
}

static void write_period(struct json *json, const struct report *report)
{
	const struct profile *p = report->profile;

	if (!p->period)
		return;
	json_begin(json, "period", '{');
	json_whole(json, "value", p->period);
	json_text(json, "type", text_of(report, p->period_type.type));
	json_text(json, "unit", text_of(report, p->period_type.unit));
	json_end(json, '}');
}

static void write_comments(struct json *json, const struct report *report)
{
	json_begin(json, "comments", '[');
	for (uint32_t i = 0; i < report->profile->n_comments; i++)
		json_text(json, NULL, text_of(report, report->profile->comments[i]));
	json_end(json, ']');
}

static void write_profile(struct json *json, const struct report *report)
{
	const struct profile *p = report->profile;

	json_text_if_any(json, "program", report->program);
	json_text_if_any(json, "build_id", text_of(report, p->objects[p->program.row].build_id));
	write_inputs(json, report);
	write_period(json, report);
	if (p->time_nanos)
		json_whole(json, "time_nanos", p->time_nanos);
	if (p->duration_nanos)
		json_whole(json, "duration_nanos", p->duration_nanos);
	write_comments(json, report);
	json_text_if_any(json, "documentation", text_of(report, p->doc_url));
}

/* ---- what is shown ---- */

static void write_type(struct json *json, const struct report *report, uint32_t number)
{
	const struct value_type *type = &report->profile->types[number];
	const struct info_type *sums = &report->info.types[number];

	json_begin(json, NULL, '{');
	json_text(json, "type", text_of(report, type->type));
	json_text(json, "unit", text_of(report, type->unit));
	json_number(json, "total", view_hold(sums->total - sums->base));
	if (report->view->has_base) {
		json_number(json, "profile_total", sums->total);
		json_number(json, "base_total", sums->base);
	}
	json_end(json, '}');
}

static void write_types(struct json *json, const struct report *report)
{
	json_begin(json, "types", '[');
	for (uint32_t i = 0; i < report->profile->n_types; i++)
		write_type(json, report, i);
	json_end(json, ']');
}

static void write_filters(struct json *json, const struct report *report)
{
	json_begin(json, "filters", '[');
	for (uint32_t i = 0; i < report->n_filters; i++)
		json_text(json, NULL, report->filters[i]);
	json_end(json, ']');
}

static const char *granularity_name(const struct report_opts *opts)
{
	if (opts->by_stack)
		return "stacks";
	switch (opts->granularity) {
	case BY_FUNCTION:
		return "functions";
	case BY_FUNCTION_AND_FILE:
		return "filefunctions";
	case BY_FILE:
		return "files";
	case BY_LINE:
		return "lines";
	case BY_ADDRESS:
		return "addresses";
	}
	return "";
}

static void write_totals(struct json *json, const struct report *report)
{
	const struct view *view = report->view;
	const struct value_type *type = &report->profile->types[view->opts.type];

	write_types(json, report);
	json_text(json, "type", text_of(report, type->type));
	json_text(json, "unit", text_of(report, type->unit));
	json_bool(json, "is_difference", view->has_base);
	json_bool(json, "is_mean", view->opts.mean);
	write_filters(json, report);
	json_number(json, "total", report->total);
	json_number(json, "kept", view_shown(view, view->kept.sum, view->kept.count));
	json_number(json, "in_rows", view_shown(view, view->in_rows.sum, view->in_rows.count));
	if (!view->opts.mean)
		json_number(json, "percent_of", report->divisor);
	json_whole(json, "samples", view->n_kept);
}

/* ---- snapshots ---- */

static void write_snapshot(struct json *json, const struct series *series, uint32_t number)
{
	const struct snapshot *snapshot = &series->snapshots[number];

	json_begin(json, NULL, '{');
	json_text(json, "name", snapshot->name);
	if (snapshot->time_nanos)
		json_whole(json, "time_nanos", snapshot->time_nanos);
	json_number(json, "total", series->total.values[number]);
	json_end(json, '}');
}

static void write_values(struct json *json, const struct series *series, const struct series_row *row)
{
	json_begin(json, "values", '[');
	for (uint32_t i = 0; i < series->n_snapshots; i++)
		json_number(json, NULL, row->values[i]);
	json_end(json, ']');
}

static void write_trend(struct json *json, const struct series *series, const struct series_row *row)
{
	write_values(json, series, row);
	json_number(json, "growth", row->growth);
	json_number(json, "slope_per_snapshot", row->step);
	if (series->has_times)
		json_number(json, "slope_per_second", row->per_second);
	json_number(json, "share", series_share(series, row));
	json_number(json, "monotone", row->monotone);
	if (row->first_seen < series->n_snapshots)
		json_whole(json, "first_seen", row->first_seen + 1);
	if (series->has_churn)
		json_number(json, "churn", row->churn);
	json_number(json, "score", row->score);
	json_text(json, "shape", shape_name(row->shape));
}

static void write_snapshots(struct json *json, const struct series *series)
{
	if (!series->n_snapshots)
		return;
	json_begin(json, "snapshots", '[');
	for (uint32_t i = 0; i < series->n_snapshots; i++)
		write_snapshot(json, series, i);
	json_end(json, ']');
	json_begin(json, "trend", '{');
	write_trend(json, series, &series->total);
	json_end(json, '}');
	json_number(json, "share_of", series->divisor);
}

/* ---- rows ---- */

/* A number of JSON holds 53 bits in most readers, so an address is a text. */
static void write_addr(struct json *json, const char *key, const struct report *report, uint64_t addr)
{
	if (addr)
		json_text(json, key, arena_printf(report->arena, "0x%" PRIx64, addr));
}

static void write_row(struct json *json, const struct report *report, const struct row *row)
{
	const struct profile *p = report->profile;
	const struct location *loc = &p->locs[row->loc.row];

	json_number(json, "flat", row->flat);
	json_number(json, "cum", row->cum);
	json_whole(json, "samples", row->n_samples);
	json_text(json, "name", *row->name ? row->name : row->label);
	json_text_if_any(json, "file", row->file);
	if (row->line)
		json_whole(json, "line", row->line);
	if (row->column)
		json_whole(json, "column", row->column);
	write_addr(json, "address", report, row->addr);
	if (row->has_object)
		json_text(json, "object", text_of(report, p->objects[loc->object.row].file));
}

/* Leaf first. */
static void write_stack(struct json *json, const struct report *report, uint32_t row)
{
	uint32_t depth = 0;

	json_begin(json, "stack", '[');
	for (; row != TABLE_NONE; row = tree_caller(&report->table, row, &depth))
		json_text(json, NULL, report->table.rows[row].label);
	json_end(json, ']');
}

static void write_series_row(struct json *json, const struct report *report, const struct series_row *row)
{
	json_begin(json, NULL, '{');
	write_row(json, report, &report->table.rows[row->row]);
	if (report->table.callers)
		write_stack(json, report, row->row);
	write_trend(json, &report->series, row);
	json_end(json, '}');
}

static void write_table_row(struct json *json, const struct report *report, const struct row *row)
{
	json_begin(json, NULL, '{');
	write_row(json, report, row);
	json_end(json, '}');
}

/* A series has an order of its own. */
static void write_rows(struct json *json, const struct report *report)
{
	uint32_t n_of_series = report->series.n_snapshots ? trend_n_rows(report, 0) : 0;
	uint32_t n_of_table = report->series.n_snapshots ? 0 : report->n_order;

	json_text(json, "granularity", granularity_name(&report->opts));
	json_begin(json, "rows", '[');
	for (uint32_t i = 0; i < n_of_series && !out_has_failed(json->out); i++)
		write_series_row(json, report, &report->series.rows[i]);
	for (uint32_t i = 0; i < n_of_table && !out_has_failed(json->out); i++)
		write_table_row(json, report, &report->table.rows[report->order[i]]);
	json_end(json, ']');
}

/* ---- objects and notes ---- */

static const char *fate_name(enum object_fate fate)
{
	switch (fate) {
	case OBJECT_UNTRIED:
		return "not looked for";
	case OBJECT_FOUND:
		return "found";
	case OBJECT_STRIPPED:
		return "stripped";
	case OBJECT_MISSING:
		return "missing";
	case OBJECT_WRONG:
		return "wrong build";
	case OBJECT_SPECIAL:
		return "special";
	}
	return "";
}

static void write_object(struct json *json, const struct report *report, const struct info_object *row)
{
	const struct object *object = &report->profile->objects[row->object.row];

	json_begin(json, NULL, '{');
	json_text_if_any(json, "file", text_of(report, object->file));
	if (row->object.row)
		json_text(json, "fate", fate_name(object->fate));
	json_text_if_any(json, "build_id", text_of(report, object->build_id));
	json_text_if_any(json, "path_used", text_of(report, object->path_used));
	json_text_if_any(json, "path_used_build_id", text_of(report, object->used_build_id));
	json_number(json, "leaf_percent", row->leaf);
	json_number(json, "named_percent", row->named);
	json_number(json, "cum_percent", row->cum);
	if (row->advice)
		json_text(json, "advice", row->advice);
	json_end(json, '}');
}

static void write_objects(struct json *json, const struct report *report)
{
	json_begin(json, "objects", '[');
	for (uint32_t i = 0; i < report->info.n_objects; i++)
		write_object(json, report, &report->info.objects[i]);
	json_end(json, ']');
}

static const char *kind_name(const struct note *note)
{
	switch (note->kind) {
	case NOTE_PLAIN:
		return note->level == NOTE_INFO ? "info" : "warning";
	case NOTE_LOSS:
		return "loss";
	case NOTE_UNSYMBOLIZED:
		return "no names";
	}
	return "";
}

static void write_notes(struct json *json, const struct diag *notes)
{
	json_begin(json, "notes", '[');
	for (uint32_t i = 0; notes && i < notes->n; i++) {
		if (notes->notes[i].level == NOTE_DETAIL)
			continue;
		json_begin(json, NULL, '{');
		json_text(json, "kind", kind_name(&notes->notes[i]));
		json_text(json, "text", notes->notes[i].text);
		json_end(json, '}');
	}
	json_end(json, ']');
}

/* ---- limits, and what they leave out ---- */

static void write_limit(struct json *json, const struct gate_limit *limit)
{
	json_begin(json, NULL, '{');
	json_text(json, "option", limit->option);
	json_text(json, "of", limit->is_growth ? "growth" : "value");
	json_number(json, "limit", limit->value);
	json_whole(json, "offenders", limit->n);
	json_end(json, '}');
}

static void write_offender(struct json *json, const struct gate *gate, const struct offender *offender)
{
	struct arena *arena = arena_new();

	json_begin(json, NULL, '{');
	json_text(json, "option", offender->limit->option);
	json_text(json, "name", gate_name(gate, offender, arena));
	json_bool(json, "is_total", offender->row == &gate->series->total);
	json_number(json, offender->limit->is_growth ? "growth" : "value", offender->value);
	json_number(json, "limit", offender->limit->value);
	json_end(json, '}');
	arena_free(arena);
}

static void write_verdict(struct json *json, const struct gate *gate)
{
	if (!gate)
		return;
	json_begin(json, "verdict", '{');
	json_bool(json, "passed", !gate->n_offenders);
	json_begin(json, "limits", '[');
	for (uint32_t i = 0; i < gate->n_limits; i++)
		write_limit(json, &gate->limits[i]);
	json_end(json, ']');
	json_begin(json, "offenders", '[');
	for (uint32_t i = 0; i < gate->n_offenders && !out_has_failed(json->out); i++)
		write_offender(json, gate, &gate->offenders[i]);
	json_end(json, ']');
	json_end(json, '}');
}

static void write_unused(struct json *json, const struct view *view)
{
	const struct suppressions *list = view->opts.suppressions;

	json_begin(json, "unused", '[');
	for (uint32_t i = 0; i < list->n; i++)
		if (!view->suppressed.is_used[i])
			json_text(json, NULL, list->items[i].pattern);
	json_end(json, ']');
}

/* Where there is a gate, of its view. */
static void write_suppressed(struct json *json, const struct report *report)
{
	const struct view *view = report->gate ? report->gate->table->view : report->view;
	const struct suppressions *list = view->opts.suppressions;

	if (!list)
		return;
	json_begin(json, "suppressed", '{');
	json_text(json, "file", list->path);
	json_whole(json, "suppressions", list->n);
	json_whole(json, "used", view->suppressed.n_used);
	write_unused(json, view);
	json_whole(json, "stacks", view->n_left_out);
	json_number(json, view->has_base ? "growth" : "value", view_hold(view->left_out.sum));
	json_end(json, '}');
}

static struct err *write(const struct report *report, struct out *out)
{
	struct json json = {.out = out, .n_lines = LINES_DEPTH};

	json_begin(&json, NULL, '{');
	json_text(&json, "format", "pprof-report");
	json_whole(&json, "version", VERSION);
	write_profile(&json, report);
	write_totals(&json, report);
	write_snapshots(&json, &report->series);
	write_rows(&json, report);
	write_objects(&json, report);
	write_notes(&json, report->told);
	write_verdict(&json, report->gate);
	write_suppressed(&json, report);
	json_end(&json, '}');
	return NULL;
}

static const struct renderer over_snapshots = {
	.name = "json",
	.ext = "json",
	.parts = PART_INFO | PART_SERIES,
	.both_sides = true,
	.write = write,
};

const struct renderer render_json = {
	.name = "json",
	.help = "the table and what --info knows, for programs (docs/json.md)",
	.ext = "json",
	.parts = PART_TABLE | PART_INFO,
	.trend = &over_snapshots,
	.write = write,
};

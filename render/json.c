#include "render/json_writer.h"
#include "render/renderer.h"

#include <inttypes.h>

/* The table of --text and what --info knows, for programs. docs/json.md says what each key means; one that goes or changes
 * its meaning makes a new version. */

enum { VERSION = 1, LINES_DEPTH = 2 };

static const char *text_of(const struct report *report, str_id id)
{
	return profile_text(report->profile, id);
}

/* ---- the profile ---- */

static void write_input(struct json *json, const struct report *report, const struct source *source)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", text_of(report, source->name));
	json_text(json, "role", source->set == SET_BASE ? "base" : "profile");
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

static const char *granularity_name(enum granularity granularity)
{
	switch (granularity) {
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

	json_begin(json, NULL, '{');
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
	json_end(json, '}');
}

static void write_rows(struct json *json, const struct report *report)
{
	json_text(json, "granularity", granularity_name(report->opts.granularity));
	json_begin(json, "rows", '[');
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(json->out); i++)
		write_row(json, report, &report->table.rows[report->order[i]]);
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

static struct err *write(const struct report *report, struct out *out)
{
	struct json json = {.out = out, .n_lines = LINES_DEPTH};

	json_begin(&json, NULL, '{');
	json_text(&json, "format", "pprof-report");
	json_whole(&json, "version", VERSION);
	write_profile(&json, report);
	write_totals(&json, report);
	write_rows(&json, report);
	write_objects(&json, report);
	write_notes(&json, report->told);
	json_end(&json, '}');
	return NULL;
}

static const struct renderer over_snapshots = {
	.name = "json",
	.ext = "json",
	.parts = PART_TABLE | PART_INFO | PART_SERIES,
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

#include "render/json_writer.h"
#include "render/renderer.h"
#include "render/stack_set.h"

#include <stdlib.h>
#include <string.h>

/* speedscope's file format (https://www.speedscope.app/file-format-schema.json): frames that all share, and a sampled
 * profile for each sample type. It draws no negative weights, so what shrank is a profile of its own. */

enum { LINES_DEPTH = 3 };

struct scope {
	const struct report *report;
	struct json json;
	struct stack_set set; /* of ranks, with a value for each sample type */
	uint32_t *rows;       /* by rank: the rows of the table in the order of their labels */
	uint32_t *ranks;      /* by row */
	uint32_t *frames;     /* by rank: the number of the frame in the file */
	uint32_t *order;      /* of the stacks, by their frames */
};

/* ---- frames ---- */

static int by_label(const void *x, const void *y, void *context)
{
	const struct row *rows = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = strcmp(rows[a].label, rows[b].label);

	return order ? order : a < b ? -1 : a > b;
}

static void rank_rows(struct scope *scope)
{
	const struct table *table = &scope->report->table;

	scope->rows = mem_alloc(table->n, sizeof *scope->rows);
	scope->ranks = mem_alloc(table->n, sizeof *scope->ranks);
	for (uint32_t i = 0; i < table->n; i++)
		scope->rows[i] = i;
	if (table->n)
		qsort_r(scope->rows, table->n, sizeof *scope->rows, by_label, table->rows);
	for (uint32_t i = 0; i < table->n; i++)
		scope->ranks[scope->rows[i]] = i;
}

static bool has_value(const struct stack_set *set, uint32_t stack)
{
	for (uint32_t type = 0; type < set->n_values; type++)
		if (stack_set_value(set, stack, type) != 0)
			return true;
	return false;
}

static void mark_frames(const struct stack_set *set, uint32_t stack, bool *marks)
{
	const uint32_t *frames = stack_set_frames(set, stack);

	for (uint32_t i = 0; i < set->stacks[stack].n; i++)
		marks[frames[i]] = true;
}

static bool *used_ranks(const struct scope *scope)
{
	bool *used = mem_zalloc(scope->report->table.n, sizeof *used);

	for (uint32_t i = 0; i < scope->set.n; i++)
		if (has_value(&scope->set, i))
			mark_frames(&scope->set, i, used);
	return used;
}

static void write_frame(struct scope *scope, const struct row *row)
{
	json_begin(&scope->json, NULL, '{');
	json_text(&scope->json, "name", row->addr || !*row->name ? row->label : row->name);
	json_text_if_any(&scope->json, "file", row->file);
	if (row->line)
		json_whole(&scope->json, "line", row->line);
	if (row->column)
		json_whole(&scope->json, "col", row->column);
	json_end(&scope->json, '}');
}

static void write_frames(struct scope *scope)
{
	const struct table *table = &scope->report->table;
	bool *used = used_ranks(scope);
	uint32_t n = 0;

	scope->frames = mem_alloc(table->n, sizeof *scope->frames);
	json_begin(&scope->json, "shared", '{');
	json_begin(&scope->json, "frames", '[');
	for (uint32_t rank = 0; rank < table->n; rank++) {
		if (!used[rank])
			continue;
		scope->frames[rank] = n++;
		write_frame(scope, &table->rows[scope->rows[rank]]);
	}
	json_end(&scope->json, ']');
	json_end(&scope->json, '}');
	free(used);
}

/* ---- profiles ---- */

/* The values of a sample type that have one sign. */
struct part {
	uint32_t type;
	double sign;
};

static double weight_of(const struct scope *scope, const struct part *part, uint32_t stack)
{
	double weight = part->sign * stack_set_value(&scope->set, stack, part->type);

	return weight > 0 ? view_hold(weight) : 0;
}

static double sum_of(const struct scope *scope, const struct part *part)
{
	double sum = 0;

	for (uint32_t i = 0; i < scope->set.n; i++)
		sum += weight_of(scope, part, i);
	return view_hold(sum);
}

static void write_stacks(struct scope *scope, const struct part *part)
{
	json_begin(&scope->json, "samples", '[');
	for (uint32_t i = 0; i < scope->set.n && !out_has_failed(scope->json.out); i++) {
		const uint32_t *frames = stack_set_frames(&scope->set, scope->order[i]);

		if (weight_of(scope, part, scope->order[i]) == 0)
			continue;
		json_begin(&scope->json, NULL, '[');
		for (uint32_t k = 0; k < scope->set.stacks[scope->order[i]].n; k++)
			json_whole(&scope->json, NULL, scope->frames[frames[k]]);
		json_end(&scope->json, ']');
	}
	json_end(&scope->json, ']');
}

static void write_weights(struct scope *scope, const struct part *part, double factor)
{
	json_begin(&scope->json, "weights", '[');
	for (uint32_t i = 0; i < scope->set.n; i++) {
		double weight = weight_of(scope, part, scope->order[i]);

		if (weight != 0)
			json_number(&scope->json, NULL, view_hold(weight * factor));
	}
	json_end(&scope->json, ']');
}

/* The units that speedscope knows. */
static const char *unit_name(const char *unit)
{
	return strcmp(unit, "bytes") == 0 || strcmp(unit, "nanoseconds") == 0 ? unit : "none";
}

static void write_part(struct scope *scope, const struct part *part, const char *ending)
{
	const struct profile *p = scope->report->profile;
	const struct value_type *type = &p->types[part->type];
	double factor;
	const char *unit = units_base(profile_text(p, type->unit), &factor);

	json_begin(&scope->json, NULL, '{');
	json_text(&scope->json, "type", "sampled");
	json_text(&scope->json, "name", arena_printf(scope->report->arena, "%s%s", profile_text(p, type->type), ending));
	json_text(&scope->json, "unit", unit_name(unit));
	json_whole(&scope->json, "startValue", 0);
	json_number(&scope->json, "endValue", view_hold(sum_of(scope, part) * factor));
	write_stacks(scope, part);
	write_weights(scope, part, factor);
	json_end(&scope->json, '}');
}

static uint32_t write_type(struct scope *scope, uint32_t type)
{
	struct part more = {type, 1}, less = {type, -1};

	if (sum_of(scope, &less) == 0) {
		write_part(scope, &more, "");
		return 1;
	}
	write_part(scope, &more, " (more)");
	write_part(scope, &less, " (less)");
	return 2;
}

static void write_profiles(struct scope *scope)
{
	uint32_t n = 0, active = 0;

	json_begin(&scope->json, "profiles", '[');
	for (uint32_t type = 0; type < scope->report->profile->n_types; type++) {
		if (type == scope->report->view->opts.type)
			active = n;
		n += write_type(scope, type);
	}
	json_end(&scope->json, ']');
	json_whole(&scope->json, "activeProfileIndex", active);
}

/* ---- the file ---- */

static void add_samples(struct scope *scope)
{
	const struct view *view = scope->report->view;

	for (uint32_t i = 0; i < view->profile->n_samples; i++) {
		double *sums = view->passes[i] ? stack_set_find(&scope->set, &scope->report->table, i, scope->ranks) : NULL;

		for (uint32_t type = 0; sums && type < view->profile->n_types; type++)
			sums[type] += view_divided_value(view, i, type);
	}
}

static struct err *write(const struct report *report, struct out *out)
{
	struct scope scope = {
		.report = report, .json = {.out = out, .n_lines = LINES_DEPTH}, .set = {.n_values = report->profile->n_types}};

	rank_rows(&scope);
	add_samples(&scope);
	scope.order = stack_set_order_by_frames(&scope.set);
	json_begin(&scope.json, NULL, '{');
	json_text(&scope.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text(&scope.json, "exporter", "pprof");
	json_text_if_any(&scope.json, "name", report->program);
	write_frames(&scope);
	write_profiles(&scope);
	json_end(&scope.json, '}');
	stack_set_free(&scope.set);
	free(scope.rows);
	free(scope.ranks);
	free(scope.frames);
	free(scope.order);
	return NULL;
}

const struct renderer render_speedscope = {
	.name = "speedscope",
	.help = "stacks of all sample types for speedscope.app",
	.ext = "speedscope.json",
	.parts = PART_ROWS,
	.holds_sums = true,
	.write = write,
};

#include "analyze/base/text.h"
#include "render/label_groups.h"
#include "render/raw_maps.h"
#include "render/when.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* google/pprof's dump of a profile: samples, locations, mappings, each with its number. */

enum { DURATION_CHARACTERS = 4 };
#define LABEL_INDENT "                "
#define LINE_INDENT "             "

struct dump {
	const struct report *report;
	const struct profile *profile;
	struct out *out;
	struct places places;
	struct label_list labels;
};

/* ---- the profile ---- */

static void write_duration(int64_t nanos, struct out *out)
{
	char text[WHEN_TEXT];
	const char *end = when_span(text, nanos);

	for (int i = 0; *end && i < DURATION_CHARACTERS; i++)
		for (end++; text_is_inside(*end); end++)
			;
	out_printf(out, "Duration: %.*s\n", (int)(end - text), text);
}

static void write_type(const struct profile *p, const struct value_type *type, const char *gap, struct out *out)
{
	out_name(out, profile_text(p, type->type));
	out_text(out, gap);
	out_name(out, profile_text(p, type->unit));
}

static void write_profile(const struct dump *dump)
{
	const struct profile *p = dump->profile;
	struct out *out = dump->out;
	char time[WHEN_TEXT];

	for (uint32_t i = 0; i < p->n_comments; i++)
		out_line(out, "Comment: ", profile_text(p, p->comments[i]));
	if (p->doc_url.row)
		out_line(out, "Doc: ", profile_text(p, p->doc_url));
	out_text(out, "PeriodType: ");
	write_type(p, &p->period_type, " ", out);
	out_printf(out, "\nPeriod: %" PRId64 "\n", p->period);
	if (p->time_nanos)
		out_line(out, "Time: ", when_full(time, p->time_nanos));
	if (p->duration_nanos)
		write_duration(p->duration_nanos, out);
}

static void write_types(const struct dump *dump)
{
	const struct profile *p = dump->profile;
	struct out *out = dump->out;

	out_text(out, "Samples:\n");
	for (uint32_t i = 0; i < p->n_types; i++) {
		out_text(out, i ? " " : "");
		write_type(p, &p->types[i], "/", out);
		out_text(out, p->default_is_named && i == p->default_type ? "[dflt]" : "");
	}
	out_text(out, "\n");
}

/* ---- samples ---- */

static void write_values(const struct dump *dump, uint32_t sample)
{
	char text[UNITS_TEXT];

	for (uint32_t i = 0; i < dump->profile->n_types; i++)
		out_printf(dump->out, " %10s", units_whole(text, view_value(dump->report->view, sample, i)));
}

static void write_stack(struct dump *dump, stack_id stack)
{
	const struct view *view = dump->report->view;

	out_text(dump->out, ": ");
	for (uint32_t i = view->starts[stack.row].frame; i < dump->profile->stacks[stack.row].n; i++)
		if (view_has_frame(view, stack, i))
			out_printf(dump->out, "%" PRIu32 " ", places_number(&dump->places, view, stack, i));
	out_text(dump->out, "\n");
}

static const char *label_head(struct arena *arena, const char *key)
{
	return arena_printf(arena, "%s:[", text_printable(key, arena));
}

static bool has_unit(const struct label_group *group)
{
	for (uint32_t i = 0; i < group->n; i++)
		if (*group->labels[i]->unit)
			return true;
	return false;
}

/* Where one of a key's numbers has a unit, a blank tells each number from its own. */
static void write_group(const struct label_group *group, struct out *out)
{
	bool has_units = has_unit(group);

	out_text(out, group->head);
	for (uint32_t i = 0; i < group->n; i++) {
		const struct shown_label *label = group->labels[i];

		out_text(out, i ? " " : "");
		if (label->text) {
			out_name(out, label->text);
			continue;
		}
		out_printf(out, "%" PRId64 "%s", label->number, has_units ? " " : "");
		out_name(out, label->unit);
	}
	out_text(out, "]");
}

static void write_labels(struct dump *dump, uint32_t sample)
{
	struct arena *arena = arena_new();
	struct label_group *groups;

	view_labels(dump->report->view, sample, &dump->labels);
	for (enum label_kind kind = LABEL_TEXT; kind <= LABEL_NUMBER; kind++) {
		uint32_t n = label_groups(&dump->labels, kind, label_head, arena, &groups);

		for (uint32_t i = 0; i < n; i++) {
			out_text(dump->out, i ? " " : LABEL_INDENT);
			write_group(&groups[i], dump->out);
		}
		out_text(dump->out, n ? "\n" : "");
	}
	arena_free(arena);
}

static void write_samples(struct dump *dump)
{
	for (uint32_t i = 0; i < dump->profile->n_samples && !out_has_failed(dump->out); i++) {
		if (!dump->report->view->passes[i])
			continue;
		write_values(dump, i);
		write_stack(dump, dump->profile->sample_stacks[i]);
		write_labels(dump, i);
	}
}

/* ---- locations and mappings ---- */

static void write_line(const struct profile *p, const struct line *line, struct out *out)
{
	const struct function *func = &p->funcs[line->func.row];

	if (!line->func.row) {
		out_text(out, "??\n");
		return;
	}
	out_name(out, profile_text(p, func->name));
	out_text(out, " ");
	out_name(out, profile_text(p, func->file));
	out_printf(out, ":%" PRIu32 ":%" PRIu32 " s=%" PRIu32, line->line, line->column, func->start_line);
	if (func->system_name.row && func->system_name.row != func->name.row) {
		out_text(out, "(");
		out_name(out, profile_text(p, func->system_name));
		out_text(out, ")");
	}
	out_text(out, "\n");
}

static void write_loc(const struct dump *dump, const struct raw_maps *maps, uint32_t at)
{
	const struct profile *p = dump->profile;
	const struct place *place = &dump->places.items[at];
	const struct location *loc = &p->locs[place->loc.row];
	uint32_t map = raw_maps_number(maps, loc);

	out_printf(dump->out, "%6" PRIu32 ": 0x%" PRIx64 " ", at + 1, raw_maps_addr(maps, loc));
	if (map)
		out_printf(dump->out, "M=%" PRIu32 " ", map);
	if (!loc->n_lines)
		out_text(dump->out, "\n");
	for (uint32_t i = place->lines.first; i < place->lines.end; i++) {
		out_text(dump->out, i > place->lines.first ? LINE_INDENT : "");
		write_line(p, &p->lines[i], dump->out);
	}
}

static void write_map(const struct dump *dump, const struct raw_maps *maps, uint32_t number)
{
	const struct profile *p = dump->profile;
	const struct mapping map = map_list_extent(&maps->list, number);
	struct out *out = dump->out;

	out_printf(out, "%" PRIu32 ": 0x%" PRIx64 "/0x%" PRIx64 "/0x%" PRIx64 " ", number, map.start, map.limit,
	           map.offset);
	out_name(out, raw_maps_file(maps, number));
	out_text(out, " ");
	out_name(out, profile_text(p, p->objects[map.object.row].build_id));
	out_printf(out, " %s%s%s%s\n", map.has_functions ? "[FN]" : "", map.has_files ? "[FL]" : "",
	           map.has_lines ? "[LN]" : "", map.has_inlines ? "[IN]" : "");
}

static void write_places(const struct dump *dump)
{
	struct raw_maps maps;

	raw_maps_init(&maps, dump->report, &dump->places);
	out_text(dump->out, "Locations\n");
	for (uint32_t i = 0; i < dump->places.n; i++)
		write_loc(dump, &maps, i);
	out_text(dump->out, "Mappings\n");
	for (uint32_t number = 1; number <= maps.list.n; number++)
		write_map(dump, &maps, number);
	raw_maps_free(&maps);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct dump dump = {.report = report, .profile = report->profile, .out = out};

	write_profile(&dump);
	write_types(&dump);
	write_samples(&dump);
	write_places(&dump);
	places_free(&dump.places);
	free(dump.labels.items);
	return NULL;
}

const struct renderer render_raw = {
	.name = "raw",
	.help = "google/pprof's dump: every sample, location and mapping by its number",
	.ext = "txt",
	.holds_sums = true,
	.write = write,
};

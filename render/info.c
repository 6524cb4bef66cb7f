#include "analyze/base/text.h"
#include "render/renderer.h"
#include "render/when.h"

#include <inttypes.h>
#include <string.h>

/* What a profile is: its inputs, its values, the objects its addresses lie in, and what is not counted. */

static void write_fact(const char *name, const char *text, struct out *out)
{
	if (!*text)
		return;
	out_printf(out, "  %-9s", name);
	out_line(out, "", text);
}

/* ---- the inputs ---- */

/* The period that counts: of the input, or of a profile that is the only one. */
static int64_t period_of(const struct profile *p, const struct source *source)
{
	return source->period || p->n_sources > 1 ? source->period : p->period;
}

static void write_source(const struct report *report, const struct source *source, struct out *out)
{
	const struct profile *p = report->profile;
	int64_t period = period_of(p, source);

	out_line(out, source->set == SET_BASE ? "Base: " : "Input: ", profile_text(p, source->name));
	write_fact("format", profile_text(p, source->format), out);
	write_fact("header", profile_text(p, source->header), out);
	write_fact("values", profile_text(p, source->rule), out);
	if (period > 1)
		write_fact("period",
		           arena_printf(report->arena, "%" PRId64 " %s", period, profile_text(p, p->period_type.unit)), out);
	bool is_estimate = period > 1 && profile_family(p) == FAMILY_HEAP;
	write_fact("rows",
	           arena_printf(report->arena, "%" PRIu64 "%s", source->n_rows,
	                        is_estimate ? " sampled ones behind the estimate" : ""),
	           out);
}

static void write_time(const struct profile *p, struct out *out)
{
	char time[WHEN_TEXT], duration[UNITS_TEXT];

	if (p->time_nanos > 0)
		out_line(out, "Time: ", when_short(time, p->time_nanos));
	if (p->duration_nanos > 0) {
		struct unit_style unit = units_auto("nanoseconds", (double)p->duration_nanos);

		out_line(out, "Duration: ", units_label(duration, &unit, (double)p->duration_nanos));
	}
}

static void write_if_said(const char *label, const char *text, struct out *out)
{
	if (*text)
		out_line(out, label, text);
}

static void write_head(const struct report *report, struct out *out)
{
	const struct profile *p = report->profile;

	write_if_said("Program: ", report->program, out);
	for (uint32_t i = 0; i < p->n_sources; i++)
		write_source(report, &p->sources[i], out);
	write_time(p, out);
	for (uint32_t i = 0; i < p->n_comments; i++)
		write_if_said("Comment: ", profile_text(p, p->comments[i]), out);
	write_if_said("Documentation: ", profile_text(p, p->doc_url), out);
	write_if_said("Drops frames: ", profile_text(p, p->drop_frames), out);
	write_if_said("Keeps frames: ", profile_text(p, p->keep_frames), out);
}

/* ---- the values ---- */

static const char *label(const struct report *report, str_id unit, double value)
{
	char text[UNITS_TEXT];
	struct unit_style style = units_auto(report_unit(report, unit), value);

	return arena_printf(report->arena, "%s", units_label(text, &style, value));
}

static void write_exact(const struct report *report, const struct info_type *type, struct out *out)
{
	char total[UNITS_TEXT], base[UNITS_TEXT], change[UNITS_TEXT];

	units_whole(total, type->total);
	if (report->view->has_base)
		out_printf(out, "%s - %s = %s", total, units_whole(base, type->base),
		           units_whole(change, type->total - type->base));
	else
		out_text(out, total);
}

static void write_type(const struct report *report, uint32_t number, struct out *out)
{
	const struct profile *p = report->profile;
	const struct value_type *type = &p->types[number];
	const struct info_type *sums = &report->info.types[number];
	const char *unit = profile_text(p, type->unit);

	out_printf(out, "  %c %-16s %10s  ", number == p->default_type ? '*' : ' ',
	           text_printable(profile_text(p, type->type), report->arena),
	           label(report, type->unit, sums->total - sums->base));
	write_exact(report, sums, out);
	if (strcmp(unit, "count") != 0) {
		out_text(out, " ");
		out_name(out, unit);
	}
	out_text(out, "\n");
}

static void write_values(const struct report *report, struct out *out)
{
	const struct profile *p = report->profile;

	out_text(out,
	         report->view->has_base ? "\nWhat changed since the base (* by default):\n" : "\nValues (* by default):\n");
	for (uint32_t i = 0; i < p->n_types; i++)
		write_type(report, i, out);
	out_printf(out, "Samples: %" PRIu32 " (stacks: %" PRIu32 ", addresses: %" PRIu32 ")\n", p->n_samples,
	           p->n_stacks - 1, p->n_locs - 1);
}

/* ---- the objects ---- */

static const char *fate_text(enum object_fate fate)
{
	switch (fate) {
	case OBJECT_UNTRIED:
		return "not looked for: the profile brings the names";
	case OBJECT_FOUND:
		return "found";
	case OBJECT_STRIPPED:
		return "STRIPPED";
	case OBJECT_MISSING:
		return "NOT FOUND";
	case OBJECT_WRONG:
		return "WRONG BUILD";
	case OBJECT_SPECIAL:
		return "special: no file, the kernel's or made at run time";
	}
	return "";
}

/* A line of its own under an object's name. */
static void begin_detail(struct out *out)
{
	out_printf(out, "%26s", "");
}

static void write_detail(const char *name, const char *text, struct out *out)
{
	if (!*text)
		return;
	begin_detail(out);
	out_line(out, name, text);
}

static void write_fate(const struct profile *p, const struct object *object, struct out *out)
{
	const char *path = profile_text(p, object->path_used);

	begin_detail(out);
	out_text(out, fate_text(object->fate));
	if (*path && object->path_used.row != object->file.row) {
		out_text(out, ": ");
		out_name(out, path);
	}
	out_text(out, "\n");
}

static void write_calls(const struct report *report, const struct object *object, struct out *out)
{
	const char *verdict = object->is_doubtful ? ": PROBABLY ANOTHER BUILD" : "";
	const char *text = "the map does not fit its program headers";

	if (!object->n_returns && !object->is_doubtful)
		return;
	if (object->n_returns)
		text = arena_printf(report->arena, "%" PRIu32 " of %" PRIu32 " return addresses follow a call", object->n_calls,
		                    object->n_returns);
	begin_detail(out);
	out_line(out, text, verdict);
}

/* Where no build ids were compared: what else tells whether the file is the one that ran. */
static void write_doubt(const struct report *report, const struct object *object, struct out *out)
{
	char time[WHEN_TEXT];

	if (object->build_id.row && object->used_build_id.row)
		return;
	if (object->time_nanos > 0)
		write_detail("file time ", when_short(time, object->time_nanos), out);
	write_calls(report, object, out);
}

static void write_build_ids(const struct profile *p, const struct object *object, struct out *out)
{
	bool are_equal = object->build_id.row == object->used_build_id.row;

	write_detail(are_equal ? "build id " : "build id of the profile ", profile_text(p, object->build_id), out);
	if (!are_equal)
		write_detail("build id of the file ", profile_text(p, object->used_build_id), out);
}

/* It may have several lines. */
static void write_advice(const char *advice, struct out *out)
{
	for (bool is_first = true; *advice; is_first = false) {
		size_t length = strcspn(advice, "\n");

		begin_detail(out);
		out_text(out, is_first ? "-> " : "   ");
		out_bytes(out, advice, length);
		out_text(out, "\n");
		advice += length + (advice[length] == '\n');
	}
}

static void write_object(const struct report *report, const struct info_object *row, struct out *out)
{
	const struct profile *p = report->profile;
	const struct object *object = &p->objects[row->object.row];
	char leaf[UNITS_TEXT], named[UNITS_TEXT] = "-", cum[UNITS_TEXT];

	if (row->leaf > 0)
		units_percent(named, row->named, 100);
	out_printf(out, "%7s %7s %7s  ", units_percent(leaf, row->leaf, 100), named, units_percent(cum, row->cum, 100));
	out_line(out, "", row->object.row ? profile_text(p, object->file) : "[unmapped]");
	if (row->object.row) {
		write_fate(p, object, out);
		write_build_ids(p, object, out);
		write_doubt(report, object, out);
	}
	if (object->deleted)
		write_detail("", "deleted or replaced while the program ran", out);
	if (row->advice)
		write_advice(row->advice, out);
}

static void write_table(const struct report *report, struct out *out)
{
	const struct info *info = &report->info;
	char share[UNITS_TEXT];

	out_printf(out, "Where the addresses lie, in percent of %s", report->type);
	if (report->thread)
		out_printf(out, " of thread %s", text_printable(report->thread, report->arena));
	out_printf(out, ":\n%7s %7s %7s\n", "leaf", "named", "cum");
	for (uint32_t i = 0; i < info->n_objects && !out_has_failed(out); i++)
		write_object(report, &info->objects[i], out);
	if (info->no_stack > 0)
		out_printf(out, "%7s %7s %7s  [no stack]\n", units_percent(share, info->no_stack, 100), "-", "-");
	out_text(out,
	         "leaf: the innermost frame lies there; named: the part of leaf that has a name; cum: any frame does\n");
}

static void write_objects(const struct report *report, struct out *out)
{
	const struct info *info = &report->info;

	out_text(out, "\n");
	if (info->n_objects || info->no_stack > 0)
		write_table(report, out);
	if (info->n_unused)
		out_printf(out, "Objects of the map without addresses in the profile: %" PRIu32 "\n", info->n_unused);
}

/* ---- what is not counted ---- */

static const char *not_counted(const struct profile *p)
{
	switch (profile_family(p)) {
	case FAMILY_HEAP:
		return "Not counted: the total is what the allocator handed out and recorded, not the RSS of the process.\n"
			   "Memory of mmap, the allocator's own overhead, code and the stacks of threads are not in it.\n";
	case FAMILY_CONTENTION:
		return "Not counted: the total is waiting for the locks that the profiler watches, and no other waiting.\n";
	case FAMILY_CPU:
		return "Not counted: the total is time on a CPU; waiting and sleeping are not in it.\n";
	case FAMILY_OTHER:
		return NULL;
	}
	return NULL;
}

static struct err *write(const struct report *report, struct out *out)
{
	const char *missing = not_counted(report->profile);

	write_head(report, out);
	write_values(report, out);
	write_objects(report, out);
	if (missing)
		out_printf(out, "\n%s", missing);
	return NULL;
}

const struct renderer render_info = {
	.name = "info",
	.help = "what the profile is, how its values came about, which objects have names",
	.ext = "txt",
	.parts = PART_INFO,
	.write = write,
};

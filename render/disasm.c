#include "render/source_line.h"

#include "analyze/base/file.h"

#include <inttypes.h>
#include <string.h>

/* google/pprof's disassembly: for each routine its instructions, with values in front and their place in the source behind
 * where it changes. */

enum { TEXT_COLUMNS = 40, PLACE_COLUMN = 74 };

/* Where the last instruction was in the source. */
struct place {
	const char *name, *file;
	uint32_t line;
};

static bool is_same(const struct place *a, const struct place *b)
{
	return a->line == b->line && text_compare(a->name, b->name) == 0 && text_compare(a->file, b->file) == 0;
}

static struct place place_of(const struct report *report, const struct code_inst *inst)
{
	if (!inst->n_frames)
		return (struct place){"", "", 0};
	const struct code_frame *frame = &report->code.frames[inst->first_frame];
	return (struct place){frame->name, file_base(frame->file), frame->line};
}

static void write_place(struct out *out, const struct place *place)
{
	out_text(out, ";");
	out_name(out, place->name);
	if (*place->file) {
		out_text(out, *place->name ? " " : "");
		out_name(out, place->file);
		if (place->line)
			out_printf(out, ":%" PRIu32, place->line);
	}
	out_text(out, "\n");
}

static void write_inst(const struct report *report, const struct code_inst *inst, const struct place *place,
                       struct arena *arena, struct out *out)
{
	const char *text = text_printable(inst->text, arena);
	uint32_t width = text_width(text);
	char flat[UNITS_TEXT], cum[UNITS_TEXT];
	bool is_long = width >= TEXT_COLUMNS;

	if (place && is_long) {
		out_printf(out, "%*s", PLACE_COLUMN, "");
		write_place(out, place);
	}
	out_printf(out, "%10s %10s %10" PRIx64 ": %s", source_value(flat, report, inst->values.flat),
	           source_value(cum, report, inst->values.cum), inst->vaddr, text);
	if (place && !is_long) {
		out_printf(out, "%*s", (int)(TEXT_COLUMNS - width), "");
		write_place(out, place);
	} else {
		out_text(out, "\n");
	}
}

static void write_insts(const struct report *report, const struct code_routine *routine, struct out *out)
{
	struct place last = {"", "", 0};

	for (uint32_t i = 0; i < routine->n_insts && !out_has_failed(out); i++) {
		const struct code_inst *inst = &report->code.insts[routine->first_inst + i];
		struct place place = place_of(report, inst);
		bool is_new = !is_same(&place, &last) && (*place.name || *place.file);
		struct arena *arena = arena_new();

		write_inst(report, inst, is_new ? &place : NULL, arena, out);
		last = place;
		arena_free(arena);
	}
}

static void write_routine(const struct report *report, const struct code_routine *routine, struct out *out)
{
	out_line(out, "ROUTINE ======================== ", routine->symbol);
	if (routine->name)
		out_line(out, "    AKA ======================== ", routine->name);
	source_values(out, report, &routine->values);
	if (routine->problem)
		out_line(out, " Error: ", routine->problem);
	write_insts(report, routine, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	source_total(out, report);
	out_text(out, "\n");
	for (uint32_t i = 0; i < report->code.n_routines && !out_has_failed(out); i++)
		write_routine(report, &report->code.routines[i], out);
	return NULL;
}

const struct renderer render_disasm = {
	.name = "disasm",
	.arg = "REGEX",
	.help = "the instructions of functions that match, or of the one at an address (0x...), with what each has; needs "
			"objdump",
	.ext = "txt",
	.parts = PART_CODE,
	.write = write,
};

#include "analyze/base/text.h"
#include "render/renderer.h"

#include <inttypes.h>
#include <string.h>

/* The table of --text for spreadsheets (RFC 4180), with exact values in bytes, nanoseconds or what is counted. */

/* ---- cells ---- */

/* A spreadsheet runs a cell that begins with one of these as a formula. An apostrophe before it makes the cell a text; what
 * begins with an apostrophe itself gets one too, so that none is ever part of the name. */
static bool needs_apostrophe(const char *text)
{
	return *text && strchr("=+-@'", *text);
}

static bool needs_quotes(const char *text)
{
	return strpbrk(text, "\",") || *text == ' ' || (*text && text[strlen(text) - 1] == ' ');
}

static void write_quoted(const char *text, struct out *out)
{
	while (*text) {
		size_t n = strcspn(text, "\"");

		out_bytes(out, text, n);
		if (text[n])
			out_text(out, "\"\"");
		text += n + (text[n] == '"');
	}
}

static void write_text(const char *text, struct out *out)
{
	struct arena *arena = arena_new();
	const char *shown = text_printable(text, arena);
	const char *quote = needs_quotes(shown) ? "\"" : "";

	out_text(out, ",");
	out_text(out, quote);
	out_text(out, needs_apostrophe(shown) ? "'" : "");
	write_quoted(shown, out);
	out_text(out, quote);
	arena_free(arena);
}

/* The number alone, for the column says what it is. Means are no parts of a total. */
static void write_percent(const struct report *report, double value, struct out *out)
{
	double percent = report->divisor != 0 ? 100 * value / report->divisor : 0;

	out_text(out, ",");
	if (!report->view->opts.mean)
		out_printf(out, "%.4f", percent == 0 ? 0 : percent);
}

/* ---- rows ---- */

static void write_number_if_any(uint32_t number, struct out *out)
{
	out_text(out, ",");
	if (number)
		out_printf(out, "%" PRIu32, number);
}

static void write_place(const struct report *report, const struct row *row, struct out *out)
{
	enum granularity granularity = report->opts.granularity;

	if (granularity == BY_FUNCTION || granularity == BY_FILE)
		return;
	write_text(row->file, out);
	if (granularity == BY_LINE || granularity == BY_ADDRESS)
		write_number_if_any(row->line, out);
	if (granularity == BY_ADDRESS)
		out_printf(out, ",0x%" PRIx64, report->profile->locs[row->loc.row].addr);
}

static void write_object(const struct report *report, const struct row *row, struct out *out)
{
	const struct profile *p = report->profile;
	object_id object = p->locs[row->loc.row].object;

	write_text(row->has_object ? profile_text(p, p->objects[object.row].file) : "", out);
}

static const char *head_of_place(enum granularity granularity)
{
	switch (granularity) {
	case BY_FUNCTION:
	case BY_FILE:
		return "";
	case BY_FUNCTION_AND_FILE:
		return ",file";
	case BY_LINE:
		return ",file,line";
	case BY_ADDRESS:
		return ",file,line,address";
	}
	return "";
}

struct base_unit {
	const char *name;
	double factor;
};

static void write_row(const struct report *report, const struct row *row, double running, const struct base_unit *unit,
                      struct out *out)
{
	out_json_number(out, view_hold(row->flat * unit->factor));
	write_percent(report, row->flat, out);
	write_percent(report, running, out);
	out_text(out, ",");
	out_json_number(out, view_hold(row->cum * unit->factor));
	write_percent(report, row->cum, out);
	write_text(unit->name, out);
	write_text(*row->name ? row->name : row->label, out);
	write_place(report, row, out);
	write_object(report, row, out);
	out_text(out, "\r\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];
	struct base_unit unit;
	double running = 0;

	unit.name = units_base(profile_text(report->profile, type->unit), &unit.factor);
	out_printf(out, "flat,flat%%,sum%%,cum,cum%%,unit,name%s,object\r\n", head_of_place(report->opts.granularity));
	for (uint32_t i = 0; i < report->n_order && !out_has_failed(out); i++) {
		const struct row *row = &report->table.rows[report->order[i]];

		running = view_hold(running + row->flat);
		write_row(report, row, running, &unit, out);
	}
	return NULL;
}

const struct renderer render_csv = {
	.name = "csv",
	.help = "the table for spreadsheets, with exact values",
	.ext = "csv",
	.parts = PART_TABLE,
	.has_means = true,
	.write = write,
};

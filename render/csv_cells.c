#include "render/csv_cells.h"

#include "analyze/base/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- values ---- */

/* A spreadsheet runs a cell that begins with one of these as a formula, some also the wide letters. An apostrophe before it
 * makes the cell a text; what begins with an apostrophe itself gets one too, so that none is ever part of the name. */
static bool needs_apostrophe(const char *text)
{
	static const char *const beginnings[] = {"=", "+", "-", "@", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20"};

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (text_after(text, beginnings[i]))
			return true;
	return false;
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

void csv_text(const char *text, struct out *out)
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

struct csv_unit csv_unit(const struct report *report)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];
	struct csv_unit unit;

	unit.name = units_base(profile_text(report->profile, type->unit), &unit.factor);
	return unit;
}

void csv_value(const struct csv_unit *unit, double value, struct out *out)
{
	out_json_number(out, view_hold(value * unit->factor));
}

/* ---- places ---- */

static void write_number_if_any(uint32_t number, struct out *out)
{
	out_text(out, ",");
	if (number)
		out_printf(out, "%" PRIu32, number);
}

static void write_addr_if_any(uint64_t addr, struct out *out)
{
	out_text(out, ",");
	if (addr)
		out_printf(out, "0x%" PRIx64, addr);
}

/* What tells the rows apart beside their names. */
struct columns {
	bool file, line, column, addr;
};

static struct columns columns_of(const struct report_opts *opts)
{
	enum granularity granularity = opts->granularity;
	bool by_line = granularity == BY_LINE || granularity == BY_ADDRESS;

	return (struct columns){
		.file = by_line || granularity == BY_FUNCTION_AND_FILE,
		.line = by_line,
		.column = by_line && opts->show_columns,
		.addr = granularity == BY_ADDRESS || (opts->show_addresses && granularity != BY_FILE),
	};
}

void csv_place_head(const struct report *report, struct out *out)
{
	const struct columns columns = columns_of(&report->opts);

	out_printf(out, "%s%s%s%s,object", columns.file ? ",file" : "", columns.line ? ",line" : "",
	           columns.column ? ",column" : "", columns.addr ? ",address" : "");
}

static void write_object(const struct report *report, const struct row *row, struct out *out)
{
	const struct profile *p = report->profile;
	object_id object = p->locs[row->loc.row].object;

	csv_text(row->has_object ? profile_text(p, p->objects[object.row].file) : "", out);
}

void csv_place(const struct report *report, const struct row *row, struct out *out)
{
	const struct columns columns = columns_of(&report->opts);

	if (columns.file)
		csv_text(row->file, out);
	if (columns.line)
		write_number_if_any(row->line, out);
	if (columns.column)
		write_number_if_any(row->column, out);
	if (columns.addr)
		write_addr_if_any(row->addr, out);
	write_object(report, row, out);
}

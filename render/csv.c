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

static void write_head(const struct columns *columns, struct out *out)
{
	out_printf(out, "flat,flat%%,sum%%,cum,cum%%,unit,name%s%s%s%s,object\r\n", columns->file ? ",file" : "",
	           columns->line ? ",line" : "", columns->column ? ",column" : "", columns->addr ? ",address" : "");
}

static void write_place(const struct columns *columns, const struct row *row, struct out *out)
{
	if (columns->file)
		write_text(row->file, out);
	if (columns->line)
		write_number_if_any(row->line, out);
	if (columns->column)
		write_number_if_any(row->column, out);
	if (columns->addr)
		write_addr_if_any(row->addr, out);
}

static void write_object(const struct report *report, const struct row *row, struct out *out)
{
	const struct profile *p = report->profile;
	object_id object = p->locs[row->loc.row].object;

	write_text(row->has_object ? profile_text(p, p->objects[object.row].file) : "", out);
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
	struct columns columns = columns_of(&report->opts);
	write_place(&columns, row, out);
	write_object(report, row, out);
	out_text(out, "\r\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];
	struct base_unit unit;
	double running = 0;

	unit.name = units_base(profile_text(report->profile, type->unit), &unit.factor);
	struct columns columns = columns_of(&report->opts);
	write_head(&columns, out);
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
	.trend = &render_trend_csv,
	.write = write,
};

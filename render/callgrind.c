#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "render/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The call graph as callgrind writes it (valgrind's manual, "Callgrind Format Specification"), in google/pprof's dialect:
 * a cost line for each address, and one for each of its calls. Costs are whole numbers of bytes, ns or what is counted.
 * Addresses are link-time ones, as callgrind's are. */

/* Names are written once, and then by their number. Those of a profile are interned, so that one text is one pointer. */
struct numbered {
	const char **texts;
	uint32_t *numbers; /* from 1 in the order in which they are written; 0: not written yet */
	uint32_t n, cap, n_written;
	struct index index;
};

/* How a row is called in the file: its names by their places in the lists. All that a call says of its callee, in one
 * piece, for it may be any row. */
struct place {
	uint32_t object, file, name, line;
	uint64_t addr;
};

struct grind {
	const struct report *report;
	struct out *out;
	struct numbered objects, files, names;
	struct place *places; /* by row */
	struct edge_groups into, from;
	double factor; /* of the values */
	bool has_addr;
	uint64_t addr;       /* of the cost line before */
	const char *unknown; /* valgrind's word for what has no name */
};

/* ---- names ---- */

struct text_key {
	const struct numbered *names;
	const char *text;
};

static bool same_text(const void *context, uint32_t at)
{
	const struct text_key *key = context;

	return key->names->texts[at] == key->text;
}

static uint32_t intern(struct numbered *names, const char *text)
{
	struct text_key key = {names, text};
	uint64_t hash = hash_u64((uintptr_t)text);
	uint32_t found = index_find(&names->index, hash, same_text, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(names->texts, names->n, names->cap);
	names->texts[names->n] = text;
	index_add(&names->index, hash, names->n);
	return names->n++;
}

/* A number and blanks alone would be read as a name that was written before. */
static const char *name_or_unknown(const struct grind *grind, const char *name)
{
	return name[strspn(name, " ")] ? name : grind->unknown;
}

static uint64_t addr_of(const struct profile *p, const struct row *row)
{
	const struct location *loc = &p->locs[row->loc.row];

	if (!loc->addr)
		return 0;
	return loc->object.row ? loc->vaddr : loc->addr;
}

static void name_row(struct grind *grind, uint32_t at)
{
	const struct profile *p = grind->report->profile;
	const struct row *row = &grind->report->table.rows[at];
	object_id object = p->locs[row->loc.row].object;

	grind->places[at] = (struct place){
		.object = intern(&grind->objects, name_or_unknown(grind, profile_text(p, p->objects[object.row].file))),
		.file = intern(&grind->files, name_or_unknown(grind, row->file)),
		.name = intern(&grind->names, name_or_unknown(grind, row->name)),
		.line = row->line,
		.addr = addr_of(p, row),
	};
}

static void write_name(const char *key, struct numbered *names, uint32_t at, struct out *out)
{
	bool is_new = !names->numbers[at];

	if (is_new)
		names->numbers[at] = ++names->n_written;
	out_text(out, key);
	out_text(out, "=(");
	out_number(out, names->numbers[at]);
	if (is_new)
		out_line(out, ") ", names->texts[at]);
	else
		out_text(out, ")\n");
}

static void free_numbered(struct numbered *names)
{
	free(names->texts);
	free(names->numbers);
	index_free(&names->index);
}

/* ---- positions and costs ---- */

/* Relative to the cost line before where that is shorter, as google/pprof does it. */
static void write_addr(const struct grind *grind, uint64_t addr)
{
	char digits[TEXT_DIGITS], relative_digits[TEXT_DIGITS];
	bool is_below = addr < grind->addr;

	if (grind->has_addr && addr == grind->addr) {
		out_text(grind->out, "*");
		return;
	}
	const char *absolute = text_hex(digits, addr);
	const char *relative = text_decimal(relative_digits, is_below ? grind->addr - addr : addr - grind->addr);
	bool is_shorter = grind->has_addr && strlen("+") + strlen(relative) < strlen("0x") + strlen(absolute);

	out_text(grind->out, !is_shorter ? "0x" : is_below ? "-" : "+");
	out_text(grind->out, is_shorter ? relative : absolute);
}

static void write_cost(const struct grind *grind, double value)
{
	char text[UNITS_TEXT];

	out_text(grind->out, " ");
	out_text(grind->out, units_whole(text, view_hold(value * grind->factor)));
	out_text(grind->out, "\n");
}

/* Readers take the cost behind no calls for the caller's own. */
static const char *calls_text(char text[UNITS_TEXT], double calls)
{
	double n = fabs(calls);

	return units_whole(text, n < 1 ? 1 : n);
}

static void write_call(struct grind *grind, const struct edge *edge)
{
	const struct place *from = &grind->places[edge->from], *to = &grind->places[edge->to];
	char calls[UNITS_TEXT];

	if (to->object != from->object)
		write_name("cob", &grind->objects, to->object, grind->out);
	write_name("cfl", &grind->files, to->file, grind->out);
	write_name("cfn", &grind->names, to->name, grind->out);
	out_text(grind->out, "calls=");
	out_text(grind->out, calls_text(calls, edge->calls));
	out_text(grind->out, " ");
	write_addr(grind, to->addr);
	out_text(grind->out, " ");
	out_number(grind->out, to->line);
	out_text(grind->out, "\n* *");
	write_cost(grind, edge->weight);
}

/* ---- the file ---- */

static bool is_same_function(const struct place *a, const struct place *b)
{
	return a->object == b->object && a->file == b->file && a->name == b->name;
}

static void begin_function(struct grind *grind, const struct place *place)
{
	out_text(grind->out, "\n");
	write_name("ob", &grind->objects, place->object, grind->out);
	write_name("fl", &grind->files, place->file, grind->out);
	write_name("fn", &grind->names, place->name, grind->out);
}

static void write_row(struct grind *grind, uint32_t at)
{
	const struct place *place = &grind->places[at];

	write_addr(grind, place->addr);
	grind->addr = place->addr;
	grind->has_addr = true;
	out_text(grind->out, " ");
	out_number(grind->out, place->line);
	write_cost(grind, grind->report->table.rows[at].flat);
	for (uint32_t i = grind->from.first[at]; i < grind->from.first[at + 1]; i++)
		write_call(grind, &grind->report->graph.edges[grind->from.edges[i]]);
}

/* Blanks would make it two events. */
static const char *one_word(struct arena *arena, const char *text)
{
	char *word = arena_strndup(arena, text, strlen(text));

	for (char *at = word; *at; at++)
		if (*at == ' ')
			*at = '_';
	return word;
}

static void write_head(struct grind *grind)
{
	const struct report *report = grind->report;
	const struct profile *p = report->profile;
	const char *unit = units_base(profile_text(p, p->types[report->view->opts.type].unit), &grind->factor);
	const char *shown = strcmp(unit, "nanoseconds") == 0 ? "ns" : text_printable(unit, report->arena);

	out_text(grind->out, "# callgrind format\nversion: 1\ncreator: pprof\n");
	if (*report->program)
		out_line(grind->out, "cmd: ", report->program);
	out_printf(grind->out, "positions: instr line\nevents: %s\n",
	           one_word(report->arena, arena_printf(report->arena, "%s(%s)", report->type, shown)));
}

static void name_rows(struct grind *grind)
{
	uint32_t n = grind->report->table.n;

	grind->places = mem_alloc(n, sizeof *grind->places);
	for (uint32_t i = 0; i < n; i++)
		name_row(grind, i);
	grind->objects.numbers = mem_zalloc(grind->objects.n, sizeof *grind->objects.numbers);
	grind->files.numbers = mem_zalloc(grind->files.n, sizeof *grind->files.numbers);
	grind->names.numbers = mem_zalloc(grind->names.n, sizeof *grind->names.numbers);
}

static void write_rows(struct grind *grind)
{
	const struct report *report = grind->report;
	const struct place *before = NULL;
	double total = 0;

	for (uint32_t i = 0; i < report->n_order && !out_has_failed(grind->out); i++) {
		const struct place *place = &grind->places[report->order[i]];

		if (!before || !is_same_function(place, before))
			begin_function(grind, place);
		before = place;
		write_row(grind, report->order[i]);
		total += report->table.rows[report->order[i]].flat;
	}
	out_text(grind->out, "\ntotals:");
	write_cost(grind, view_hold(total));
}

static struct err *write(const struct report *report, struct out *out)
{
	struct grind grind = {.report = report, .out = out, .unknown = "???"};

	write_head(&grind);
	name_rows(&grind);
	graph_group_edges(&report->graph, report->table.n, &grind.into, &grind.from);
	write_rows(&grind);
	edge_groups_free(&grind.into);
	edge_groups_free(&grind.from);
	free_numbered(&grind.objects);
	free_numbered(&grind.files);
	free_numbered(&grind.names);
	free(grind.places);
	return NULL;
}

const struct renderer render_callgrind = {
	.name = "callgrind",
	.help = "functions, calls and lines, for kcachegrind and callgrind_annotate",
	.ext = "callgrind",
	.parts = PART_CALLS,
	.holds_sums = true,
	.write = write,
};

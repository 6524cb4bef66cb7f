#include "cmd/listings.h"

#include "cmd/objects.h"
#include "cmd/tools.h"
#include "symbolize/routines.h"

/* A hostile profile may name every file there is. */
enum { MOST_SOURCE_BYTES = 256 << 20, MOST_SOURCES = 10000 };

static void note_missing(const struct source_opts *opts, const struct listing *listing, struct diag *diag)
{
	const char *hint = opts->path ? "-v tells where it was looked for" : "--source-path=DIR looks for it below DIR";
	const struct listing_source *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < listing->n_sources; i++)
		if (listing->sources[i].problem && n++ == 0)
			first = &listing->sources[i];
	if (n == 1)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s; %s", first->problem, hint);
	if (n > 1)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%u source files cannot be read; the first: %s; %s", n, first->problem,
		         hint);
}

static void read_sources(const struct source_opts *opts, struct report *report, struct diag *diag)
{
	struct listing *listing = &report->listing;
	uint64_t n_bytes = 0;

	for (uint32_t i = 0; i < listing->n_sources; i++) {
		struct listing_source *source = &listing->sources[i];

		if (n_bytes > MOST_SOURCE_BYTES || i >= MOST_SOURCES) {
			source->problem = arena_printf(report->arena, "%s: not read, for there is too much source", source->file);
			continue;
		}
		source_read(opts, source->file, report->arena, diag, &source->text, &source->problem);
		if (!source->problem)
			n_bytes += source->text.starts[source->text.n] + source->text.n * sizeof *source->text.starts;
	}
}

static struct err *find_routines(const struct options *options, const struct symbolize_opts *symbols,
                                 struct report *report, struct diag *diag)
{
	struct disasm_opts disasm = options->disasm;
	struct err *err = tools_objdump(options->tools, report->arena, &disasm.objdump);

	return err ? err : routines_find(report->profile, symbols, &disasm, report->arena, diag, &report->code);
}

/* A page of source has no place for why the instructions of a function are missing. */
static void note_problems(const struct code *code, struct diag *diag)
{
	const struct code_routine *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < code->n_routines; i++)
		if (code->routines[i].problem && n++ == 0)
			first = &code->routines[i];
	if (n == 1)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s: instructions are missing: %s", first->symbol, first->problem);
	if (n > 1)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "instructions of %u functions are missing; the first: %s: %s", n,
		         first->symbol, first->problem);
}

/* A page of source is of use without instructions. */
static struct err *read_code(const struct options *options, const struct symbolize_opts *symbols, struct report *report,
                             unsigned parts, struct diag *diag)
{
	struct err *err = find_routines(options, symbols, report, diag);

	if (!err && parts & PART_LISTING)
		note_problems(&report->code, diag);
	report_take_code(report);
	if (!err || !(parts & PART_LISTING))
		return err;
	diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "%s; the page has source alone", err_text(err));
	err_free(err);
	return NULL;
}

struct err *listings_read(const struct options *options, struct report *report, unsigned parts, struct diag *diag)
{
	struct symbolize_opts symbols = options->symbolize;
	struct source_opts source = options->source;

	if (!(parts & (PART_LISTING | PART_CODE)))
		return NULL;
	struct err *err = objects_fill(options, report->arena, &symbols);
	if (err)
		return err;
	symbols.program = report->opts.path;
	source.find = &symbols.find;
	if (parts & PART_CODE)
		err = read_code(options, &symbols, report, parts, diag);
	if (err)
		return err;
	read_sources(&source, report, diag);
	note_missing(&source, &report->listing, diag);
	if (report->listing.n_cut)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "too many lines: of %u functions only those with a value are shown",
		         report->listing.n_cut);
	return NULL;
}

#include "render/source_line.h"

#include "analyze/base/file.h"
#include "analyze/base/index.h"
#include "render/header.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The listing as a page: each line of source unfolds into its instructions. Without a script: details does it. The page is
 * well-formed XML too, so that a strict parser can say that no name broke out. */

enum { MOST_MORE = 200 };

static const char STYLE[] =
	"body{font:14px/1.45 system-ui,sans-serif;margin:1.5em 2em;color:#222;background:#fff}"
	"h1{font-size:1.3em;margin:0}h2{font-size:1.1em;margin:1.6em 0 0;overflow-wrap:anywhere}"
	"p{margin:.2em 0 .6em;color:#555}pre,.c{font:12.5px/1.45 ui-monospace,monospace}pre{color:#555;margin:.5em 0}"
	".c{border:1px solid #ddd;border-radius:4px;padding:.4em 0;overflow-x:auto}"
	".c>*{white-space:pre;width:max-content;min-width:100%}.c>div::before,summary::before{content:'';display:inline-"
	"block;width:2ch}"
	"summary{list-style:none;cursor:pointer}summary::-webkit-details-marker{display:none}"
	"summary::before{content:'\\25b8';color:#888}details[open]>summary::before{content:'\\25be'}"
	"summary:hover,summary:focus-visible{background:#eef3fa}.n{color:#999}.v{font-weight:600}"
	".w1{background:#fff7e8}.w2{background:#ffedcf}.w3{background:#ffdcb0}"
	".a{color:#345;background:#f6f8fa;box-shadow:inset 3px 0 #9bc;padding:.1em 0 .1em 2ch}.d,.e{color:#8a8f98}"
	".e{color:#a33}ul{columns:22em;padding-left:1.2em}"
	"@media(prefers-color-scheme:dark){body{background:#16181c;color:#ddd}p,pre{color:#aaa}.c{border-color:#333}"
	".a{background:#1d2127;color:#bcd}summary:hover,summary:focus-visible{background:#23303f}a{color:#8bf}"
	".w1{background:#2b2517}.w2{background:#3d3018}.w3{background:#553c15}}";

/* ---- text ---- */

static void write_escaped(struct out *out, const char *text, size_t size)
{
	static const char special[] = "<>&\"";
	static const char *const escapes[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
	const char *end = text + size;

	while (text < end) {
		const char *at = text;

		while (at < end && !strchr(special, *at))
			at++;
		out_bytes(out, text, (size_t)(at - text));
		if (at == end)
			return;
		out_text(out, escapes[strchr(special, *at) - special]);
		text = at + 1;
	}
}

/* What was written as text, for people; ends that. */
static void move_text(struct out *out, struct out *text)
{
	size_t size;
	const char *bytes = out_memory_bytes(text, &size);

	write_escaped(out, bytes, size);
	out_discard(text);
}

static void write_name(struct out *out, const char *name)
{
	struct out *text = out_memory();

	out_name(text, name);
	move_text(out, text);
}

/* ---- which instructions belong to which line ---- */

/* An instruction of a line: frame number depth of it lies there. */
struct hit {
	uint32_t part, line, inst, depth;
};

struct hits {
	struct hit *at;
	uint32_t n, cap;
};

struct part_key {
	const struct listing *listing;
	const char *name, *file;
};

static const char *file_of(const struct listing *listing, uint32_t part)
{
	return source_of(listing, &listing->parts[part])->file;
}

static bool same_part(const void *context, uint32_t part)
{
	const struct part_key *key = context;

	return strcmp(key->listing->parts[part].name, key->name) == 0 &&
	       strcmp(file_of(key->listing, part), key->file) == 0;
}

static uint64_t hash_part(const char *name, const char *file)
{
	return hash_pair(hash_bytes(name, strlen(name)), hash_bytes(file, strlen(file)));
}

static void index_parts(const struct listing *listing, struct index *index)
{
	for (uint32_t i = 0; i < listing->n_parts; i++)
		index_add(index, hash_part(listing->parts[i].name, file_of(listing, i)), i);
}

static void add_inst(const struct report *report, const struct index *parts, uint32_t inst, struct hits *hits)
{
	const struct code_inst *at = &report->code.insts[inst];

	for (uint32_t i = 0; i < at->n_frames; i++) {
		const struct code_frame *frame = &report->code.frames[at->first_frame + i];
		struct part_key key = {&report->listing, frame->name, frame->file};
		uint32_t part = index_find(parts, hash_part(frame->name, frame->file), same_part, &key);

		if (part == INDEX_NONE)
			continue;
		MEM_GROW(hits->at, hits->n, hits->cap);
		hits->at[hits->n++] = (struct hit){part, frame->line, inst, i};
	}
}

static int compare_hits(const void *x, const void *y)
{
	const struct hit *a = x, *b = y;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->inst != b->inst)
		return a->inst < b->inst ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

static struct hits find_hits(const struct report *report)
{
	struct index parts = {0};
	struct hits hits = {.at = mem_alloc(1, sizeof *hits.at), .cap = 1};

	index_parts(&report->listing, &parts);
	for (uint32_t i = 0; i < report->code.n_routines; i++) {
		const struct code_routine *routine = &report->code.routines[i];

		for (uint32_t k = 0; k < routine->n_insts; k++)
			add_inst(report, &parts, routine->first_inst + k, &hits);
	}
	qsort(hits.at, hits.n, sizeof *hits.at, compare_hits);
	index_free(&parts);
	return hits;
}

/* ---- instructions ---- */

/* The calls that were inlined into the line, outermost first, but for those that the instruction before has too. */
static void write_inlined(const struct report *report, const struct hit *hit, const struct hit *before,
                          struct out *text)
{
	const struct code_frame *frames = report->code.frames + report->code.insts[hit->inst].first_frame;
	const struct code_frame *old = before ? report->code.frames + report->code.insts[before->inst].first_frame : NULL;
	bool is_same = before;

	for (uint32_t i = hit->depth, k = before ? before->depth : 0; i-- > 0;) {
		const struct code_frame *frame = &frames[i];

		is_same = is_same && k-- > 0 && old[k].line == frame->line && strcmp(old[k].name, frame->name) == 0;
		if (is_same)
			continue;
		out_printf(text, "%39s  %*s", "", (int)(2 * (hit->depth - i - 1)), "");
		out_name(text, frame->name);
		out_text(text, "  ");
		out_name(text, file_base(frame->file));
		out_printf(text, ":%" PRIu32 "\n", frame->line);
	}
}

static void write_inst(const struct report *report, const struct hit *hit, struct out *text)
{
	const struct code_inst *inst = &report->code.insts[hit->inst];
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(text, "%17s %10s %10" PRIx64 "  %*s", source_value(flat, report, inst->flat),
	           source_value(cum, report, inst->cum), inst->vaddr, (int)(2 * hit->depth), "");
	out_name(text, inst->text);
	out_text(text, "\n");
}

static void write_calls(struct out *out, struct out *calls)
{
	size_t size;

	out_memory_bytes(calls, &size);
	if (size)
		out_text(out, "<span class=\"d\">");
	move_text(out, calls);
	if (size)
		out_text(out, "</span>");
}

static void write_insts(const struct report *report, const struct hit *hits, uint32_t n, struct out *out)
{
	out_text(out, "<div class=\"a\">");
	for (uint32_t i = 0; i < n && !out_has_failed(out); i++) {
		const struct hit *before = i && hits[i - 1].inst + 1 == hits[i].inst ? &hits[i - 1] : NULL;
		struct out *calls = out_memory(), *text = out_memory();

		if (i && !before)
			out_printf(calls, "%39s  ⋮\n", "");
		write_inlined(report, &hits[i], before, calls);
		write_inst(report, &hits[i], text);
		write_calls(out, calls);
		move_text(out, text);
	}
	out_text(out, "</div>");
}

/* ---- lines ---- */

/* How heavy a line is, in the colour of its background. */
static const char *weight_class(const struct report *report, const struct listing_line *line)
{
	double share = line && report->divisor_of_all > 0 ? fabs(line->cum) / report->divisor_of_all : 0;

	return share >= 0.25 ? " w3" : share >= 0.05 ? " w2" : share > 0 ? " w1" : "";
}

static void write_source(const struct report *report, const struct listing_part *part, uint32_t number,
                         const struct listing_line *line, struct out *out)
{
	struct out *text = out_memory();
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(out, "<span class=\"n\">%6" PRIu32 "</span> <span class=\"%s\">", number, line ? "v" : "n");
	out_printf(text, "%10s %10s", source_value(flat, report, line ? line->flat : 0),
	           source_value(cum, report, line ? line->cum : 0));
	move_text(out, text);
	out_text(out, "</span>  ");
	text = out_memory();
	source_text(text, source_of(&report->listing, part), number);
	move_text(out, text);
}

static void write_line(const struct report *report, const struct listing_part *part, uint32_t number,
                       const struct listing_line *line, const struct hit *hits, uint32_t n_hits, struct out *out)
{
	out_printf(out, n_hits ? "<details><summary class=\"s%s\">" : "<div class=\"s%s\">", weight_class(report, line));
	write_source(report, part, number, line, out);
	if (n_hits) {
		out_text(out, "</summary>");
		write_insts(report, hits, n_hits, out);
	}
	out_text(out, n_hits ? "</details>\n" : "</div>\n");
}

/* Of a function that ends soon behind its last value, all is shown; what lies farther only where it has instructions. */
static struct listing_part range_of(const struct listing_part *part, const struct hit *hits, uint32_t n)
{
	struct listing_part range = *part;
	uint32_t end = n ? hits[n - 1].line : 0;

	if (part->first <= part->last && end > part->last && end - part->last <= MOST_MORE)
		range.last = end;
	return range;
}

/* The lines of the range and those with a value, which source_walk gives, and those with an instruction. */
static void write_lines(const struct report *report, const struct listing_part *part, const struct hit *hits,
                        uint32_t n, struct out *out)
{
	struct listing_part range = range_of(part, hits, n);
	struct source_walk walk = source_walk_start(&report->listing, &range);
	const struct listing_line *line;
	uint32_t number;
	bool is_more = source_walk_next(&walk, &number, &line);

	for (uint32_t i = 0, end; (i < n || is_more) && !out_has_failed(out); i = end) {
		uint32_t at = is_more && (i == n || number < hits[i].line) ? number : hits[i].line;
		bool is_walked = is_more && number == at;

		for (end = i; end < n && hits[end].line == at;)
			end++;
		write_line(report, part, at, is_walked ? line : NULL, hits + i, end - i, out);
		if (is_walked)
			is_more = source_walk_next(&walk, &number, &line);
	}
}

/* ---- the page ---- */

static void write_part(const struct report *report, uint32_t number, const struct hit *hits, uint32_t n,
                       struct out *out)
{
	const struct listing_part *part = &report->listing.parts[number];
	const struct listing_source *source = source_of(&report->listing, part);
	struct unit_style flat_unit = report_unit_alone(report, part->flat),
					  cum_unit = report_unit_alone(report, part->cum);
	char flat[UNITS_TEXT], cum[UNITS_TEXT], percent[UNITS_TEXT];
	struct out *text = out_memory();

	out_printf(out, "<h2 id=\"f%" PRIu32 "\">", number);
	write_name(out, part->name);
	out_text(out, "</h2>\n<p>");
	write_name(out, *source->file ? source->file : "No source information");
	out_text(out, "<br/>");
	units_percent_label(percent, part->cum, report->divisor_of_all);
	out_printf(text, "%s flat, %s cum (%s of total)", units_label(flat, &flat_unit, part->flat),
	           units_label(cum, &cum_unit, part->cum), percent + strspn(percent, " "));
	move_text(out, text);
	out_text(out, "</p>\n");
	if (source->problem) {
		out_text(out, "<p class=\"e\">");
		write_name(out, source->problem);
		out_text(out, "</p>\n");
	}
	out_text(out, "<div class=\"c\">\n");
	write_lines(report, part, hits, n, out);
	out_text(out, "</div>\n");
}

static void write_contents(const struct report *report, struct out *out)
{
	out_text(out, "<ul>\n");
	for (uint32_t i = 0; i < report->listing.n_parts; i++) {
		out_printf(out, "<li><a href=\"#f%" PRIu32 "\">", i);
		write_name(out, report->listing.parts[i].name);
		out_text(out, "</a></li>\n");
	}
	out_text(out, "</ul>\n");
}

static void write_head(const struct report *report, struct out *out)
{
	struct unit_style unit = report_unit_alone(report, report->divisor_of_all);
	struct out *text = out_memory();
	char total[UNITS_TEXT];

	out_text(
		out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
	write_name(out, report->opts.pattern);
	out_printf(out, " - pprof</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", STYLE);
	write_name(out, report->opts.pattern);
	out_text(out, "</h1>\n<pre>");
	header_profile(report, text);
	out_printf(text, "Total: %s", units_label(total, &unit, report->divisor_of_all));
	move_text(out, text);
	out_text(out, "</pre>\n");
	if (report->code.n_routines)
		out_text(out, "<p>Columns: line, flat, cum. A line marked ▸ unfolds into its instructions.</p>\n");
	else
		out_text(out, "<p>Columns: line, flat, cum. There are no instructions to show.</p>\n");
	if (report->listing.n_parts > 1)
		write_contents(report, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct hits hits = find_hits(report);

	write_head(report, out);
	for (uint32_t i = 0, first = 0, end; i < report->listing.n_parts && !out_has_failed(out); i++, first = end) {
		for (end = first; end < hits.n && hits.at[end].part == i;)
			end++;
		write_part(report, i, hits.at + first, end - first, out);
	}
	out_text(out, "</body>\n</html>\n");
	free(hits.at);
	return NULL;
}

const struct renderer render_weblist = {
	.name = "weblist",
	.arg = "REGEX",
	.help = "a page for a browser: the source of functions that match, where each line unfolds into its instructions",
	.ext = "html",
	.parts = PART_LISTING | PART_CODE,
	.write = write,
};

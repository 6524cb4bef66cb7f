#include "render/source_page.h"

#include "analyze/base/file.h"
#include "analyze/base/index.h"
#include "render/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The listing as a page: each line of source unfolds into its instructions. Without a script: details does it. The page is
 * well-formed XML too, so that a strict parser can say that no name broke out. */

/* Of the calls that are inlined into each other, so many are unfolded; and so many lines of instructions are on a page. */
enum { MOST_MORE = 200, DEEPEST = 64, MOST_LINES = 4 << 20 };

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

/* ---- which instructions belong to which line ---- */

/* An instruction of a line: frame number depth of it lies there. */
struct hit {
	uint32_t part, line, inst, depth;
};

struct hits {
	struct hit *at;
	uint32_t n, cap;
	uint32_t n_lines; /* that are written for them at most */
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

	for (uint32_t i = 0; i < at->n_frames && i < DEEPEST; i++) {
		const struct code_frame *frame = &report->code.frames[at->first_frame + i];
		struct part_key key = {&report->listing, frame->name, frame->file};
		uint32_t part = index_find(parts, hash_part(frame->name, frame->file), same_part, &key);

		if (part == INDEX_NONE)
			continue;
		hits->n_lines += 1 + i;
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

		for (uint32_t k = 0; k < routine->n_insts && hits.n_lines < MOST_LINES; k++)
			add_inst(report, &parts, routine->first_inst + k, &hits);
	}
	qsort(hits.at, hits.n, sizeof *hits.at, compare_hits);
	index_free(&parts);
	return hits;
}

/* ---- instructions ---- */

static const struct code_frame *frames_of(const struct report *report, const struct hit *hit)
{
	return report->code.frames + report->code.insts[hit->inst].first_frame;
}

/* How many of the calls that were inlined into the line the instruction before has too, outermost first. */
static uint32_t count_shared(const struct report *report, const struct hit *hit, const struct hit *before)
{
	const struct code_frame *frames = frames_of(report, hit), *old = frames_of(report, before);
	uint32_t n = 0;

	for (; n < hit->depth && n < before->depth; n++) {
		const struct code_frame *a = &frames[hit->depth - n - 1], *b = &old[before->depth - n - 1];

		if (a->line != b->line || strcmp(a->name, b->name) != 0)
			break;
	}
	return n;
}

static void write_call(const struct code_frame *frame, uint32_t indent, struct out *out)
{
	out_printf(out, "%39s  %*s", "", (int)(2 * indent), "");
	out_name(out, frame->name);
	out_text(out, "  ");
	out_name(out, file_base(frame->file));
	out_printf(out, ":%" PRIu32 "\n", frame->line);
}

static void write_calls(const struct report *report, const struct hit *hit, uint32_t n_shared, bool is_gap,
                        struct out *out)
{
	if (!is_gap && n_shared == hit->depth)
		return;
	out_markup(out, "<span class=\"d\">");
	if (is_gap)
		out_printf(out, "%39s  ⋮\n", "");
	for (uint32_t n = n_shared; n < hit->depth; n++)
		write_call(&frames_of(report, hit)[hit->depth - n - 1], n, out);
	out_markup(out, "</span>");
}

static void write_inst(const struct report *report, const struct hit *hit, struct out *out)
{
	const struct code_inst *inst = &report->code.insts[hit->inst];
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(out, "%17s %10s %10" PRIx64 "  %*s", source_value(flat, report, inst->values.flat),
	           source_value(cum, report, inst->values.cum), inst->vaddr, (int)(2 * hit->depth), "");
	out_name(out, inst->text);
	out_text(out, "\n");
}

static void write_insts(const struct report *report, const struct hit *hits, uint32_t n, struct out *out)
{
	out_markup(out, "<div class=\"a\">");
	for (uint32_t i = 0; i < n && !out_has_failed(out); i++) {
		bool is_gap = i && hits[i - 1].inst + 1 != hits[i].inst;
		uint32_t n_shared = i && !is_gap ? count_shared(report, &hits[i], &hits[i - 1]) : 0;

		write_calls(report, &hits[i], n_shared, is_gap, out);
		write_inst(report, &hits[i], out);
	}
	out_markup(out, "</div>");
}

/* ---- lines ---- */

static void write_line(const struct report *report, const struct listing_part *part, uint32_t number,
                       const struct listing_line *line, const struct hit *hits, uint32_t n_hits, struct out *out)
{
	out_markup(out, n_hits ? "<details><summary class=\"s" : "<div class=\"s");
	out_markup(out, source_page_weight(report, line));
	out_markup(out, "\">");
	source_page_line(out, report, part, number, line);
	if (n_hits) {
		out_markup(out, "</summary>");
		write_insts(report, hits, n_hits, out);
	}
	out_markup(out, n_hits ? "</details>\n" : "</div>\n");
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

/* An element with a text in it. */
static void write_element(struct out *out, const char *start, const char *text, const char *end)
{
	out_markup(out, start);
	out_name(out, text);
	out_markup(out, end);
}

static void write_part(const struct report *report, uint32_t number, const struct hit *hits, uint32_t n,
                       struct out *out)
{
	const struct listing_part *part = &report->listing.parts[number];
	const struct listing_source *source = source_of(&report->listing, part);

	out_markup(out, "<h2 id=\"f");
	out_number(out, number);
	write_element(out, "\">", part->name, "</h2>\n");
	write_element(out, "<p>", *source->file ? source->file : "No source information", "<br/>");
	source_page_values(out, report, &part->values);
	out_markup(out, "</p>\n");
	if (source->problem)
		write_element(out, "<p class=\"e\">", source->problem, "</p>\n");
	out_markup(out, "<div class=\"c\">\n");
	write_lines(report, part, hits, n, out);
	out_markup(out, "</div>\n");
}

static void write_contents(const struct report *report, struct out *out)
{
	out_markup(out, "<ul>\n");
	for (uint32_t i = 0; i < report->listing.n_parts; i++) {
		out_markup(out, "<li><a href=\"#f");
		out_number(out, i);
		write_element(out, "\">", report->listing.parts[i].name, "</a></li>\n");
	}
	out_markup(out, "</ul>\n");
}

static void write_head(const struct report *report, struct out *out)
{
	out_markup(
		out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n");
	write_element(out, "<title>", report->opts.pattern, " - pprof</title>\n");
	out_markup(out, "<style>");
	out_markup(out, STYLE);
	out_markup(out, "</style>\n</head>\n<body>\n");
	write_element(out, "<h1>", report->opts.pattern, "</h1>\n");
}

static void write_legend(const struct report *report, bool is_cut, struct out *out)
{
	out_markup(out, "<pre>");
	header_profile(report, out);
	source_total(out, report);
	out_markup(out, "</pre>\n<p>Columns: line, flat, cum. ");
	if (report->code.n_routines)
		out_markup(out, "A line marked ▸ unfolds into its instructions.");
	else
		out_markup(out, "There are no instructions to show.");
	if (is_cut)
		out_markup(out, " They are too many: not all are here.");
	out_markup(out, "</p>\n");
}

static struct err *write(const struct report *report, struct out *out)
{
	struct hits hits = find_hits(report);

	out_set_page(out);
	write_head(report, out);
	write_legend(report, hits.n_lines >= MOST_LINES, out);
	if (report->listing.n_parts > 1)
		write_contents(report, out);
	for (uint32_t i = 0, first = 0, end; i < report->listing.n_parts && !out_has_failed(out); i++, first = end) {
		for (end = first; end < hits.n && hits.at[end].part == i;)
			end++;
		write_part(report, i, hits.at + first, end - first, out);
	}
	out_markup(out, "</body>\n</html>\n");
	free(hits.at);
	return NULL;
}

const struct renderer render_weblist = {
	.name = "weblist",
	.arg = "REGEX",
	.help = "a page for a browser: the source of functions that match, where each line unfolds into its instructions",
	.ext = "html",
	.for_browser = true,
	.parts = PART_LISTING | PART_CODE,
	.write = write,
};

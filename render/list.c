#include "render/source_line.h"

#include "analyze/base/index.h"
#include "render/renderer.h"

#include <inttypes.h>

/* google/pprof's listing: for each function its lines of source, with values in front. */

static void write_line(const struct report *report, const struct listing_line *line, uint32_t number, struct out *out)
{
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_printf(out, "%10s %10s %6" PRIu32 ":", source_value(flat, report, line ? line->values.flat : 0),
	           source_value(cum, report, line ? line->values.cum : 0), number);
}

static void write_lines(const struct report *report, const struct listing_part *part, struct out *out)
{
	const struct listing_source *source = &report->listing.sources[part->source];
	struct source_walk walk = source_walk_start(&report->listing, part);
	uint32_t number;
	const struct listing_line *line;

	while (source_walk_next(&walk, &number, &line) && !out_has_failed(out)) {
		write_line(report, line, number, out);
		source_text(out, source, number);
		out_text(out, "\n");
	}
}

static void write_part(const struct report *report, const struct listing_part *part, struct out *out)
{
	if (part->source == INDEX_NONE) {
		out_line(out, "No source information for ", part->name);
		return;
	}
	const struct listing_source *source = &report->listing.sources[part->source];
	out_text(out, "ROUTINE ======================== ");
	out_name(out, part->name);
	out_line(out, " in ", source->file);
	source_values(out, report, &part->values);
	if (source->problem)
		out_line(out, " Error: ", source->problem);
	write_lines(report, part, out);
}

static struct err *write(const struct report *report, struct out *out)
{
	source_total(out, report);
	out_text(out, "\n");
	for (uint32_t i = 0; i < report->listing.n_parts && !out_has_failed(out); i++)
		write_part(report, &report->listing.parts[i], out);
	return NULL;
}

const struct renderer render_list = {
	.name = "list",
	.arg = "REGEX",
	.help = "the source of functions that match, line by line",
	.ext = "txt",
	.parts = PART_LISTING,
	.write = write,
};

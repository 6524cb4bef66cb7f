#include "render/source_line.h"

#include "analyze/base/index.h"
#include "render/header.h"

#include <string.h>

enum { LONGEST_LINE = 4096 };

const struct listing_source *source_of(const struct listing *listing, const struct listing_part *part)
{
	static const struct listing_source none = {.file = ""};

	return part->source == INDEX_NONE ? &none : &listing->sources[part->source];
}

struct source_walk source_walk_start(const struct listing *listing, const struct listing_part *part)
{
	const struct listing_line *lines = listing->lines + part->first_line;
	uint32_t n_text = source_of(listing, part)->text.n;

	return (struct source_walk){
		.line = lines,
		.end = lines + part->n_lines,
		.next = part->first ? part->first : 1,
		.last = part->last < n_text ? part->last : n_text,
	};
}

bool source_walk_next(struct source_walk *walk, uint32_t *number_ret, const struct listing_line **line_ret)
{
	bool has_line = walk->line < walk->end;
	uint32_t number = walk->next;

	if (walk->next > walk->last && !has_line)
		return false;
	if (has_line && (walk->line->number < number || walk->next > walk->last))
		number = walk->line->number;
	*number_ret = number;
	*line_ret = has_line && walk->line->number == number ? walk->line++ : NULL;
	walk->next += number == walk->next;
	return true;
}

/* text[length] is a NUL. */
static void write_pieces(struct out *out, char *text, size_t length)
{
	for (char *end = text + length;;) {
		char *at = text + strcspn(text, "\t");
		bool is_tab = *at == '\t';

		*at = '\0';
		out_name(out, text);
		if (at == end)
			return;
		out_text(out, is_tab ? "\t" : "\\x00");
		text = at + 1;
	}
}

void source_text(struct out *out, const struct listing_source *source, uint32_t number)
{
	char copy[LONGEST_LINE + 1];
	size_t length;

	if (!number || number > source->text.n) {
		out_text(out, number ? "" : "(line not known)");
		return;
	}
	const char *text = text_line(&source->text, number, &length);
	size_t cut = text_cut_bytes(text, length, LONGEST_LINE);
	memcpy(copy, text, cut);
	copy[cut] = '\0';
	write_pieces(out, copy, cut);
	if (cut < length)
		out_text(out, "…");
}

void source_total(struct out *out, const struct report *report)
{
	struct unit_style unit = report_unit_alone(report, report->divisor_of_all);
	char total[UNITS_TEXT];

	if (report->view->opts.mean)
		header_mean(report, &unit, out);
	else
		out_printf(out, "Total: %s", units_label(total, &unit, report->divisor_of_all));
}

void source_values(struct out *out, const struct report *report, const struct values *values)
{
	char flat[UNITS_TEXT], cum[UNITS_TEXT], percent[UNITS_TEXT];

	out_printf(out, "%10s %10s (flat, cum)", report_label_alone(flat, report, values->flat),
	           report_label_alone(cum, report, values->cum));
	if (!report->view->opts.mean)
		out_printf(out, " %s of Total", units_percent_label(percent, values->cum, report->divisor_of_all));
	out_text(out, "\n");
}

const char *source_value(char text[UNITS_TEXT], const struct report *report, double value)
{
	return value == 0 ? "." : report_label_alone(text, report, value);
}

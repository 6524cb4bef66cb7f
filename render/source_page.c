#include "render/source_page.h"

#include <inttypes.h>
#include <math.h>

const char *source_page_weight(const struct report *report, const struct listing_line *line)
{
	double share = line ? fabs(report_share(report, line->values.cum, line->values.cum_count)) : 0;

	return share >= 0.25 ? " w3" : share >= 0.05 ? " w2" : share > 0 ? " w1" : "";
}

void source_page_line(struct out *out, const struct report *report, const struct listing_part *part, uint32_t number,
                      const struct listing_line *line)
{
	char flat[UNITS_TEXT], cum[UNITS_TEXT];

	out_markup(out, "<span class=\"n\">");
	out_printf(out, "%6" PRIu32, number);
	out_markup(out, line ? "</span> <span class=\"v\">" : "</span> <span class=\"n\">");
	out_printf(out, "%10s %10s", source_value(flat, report, line ? line->values.flat : 0),
	           source_value(cum, report, line ? line->values.cum : 0));
	out_markup(out, "</span>");
	out_text(out, "  ");
	source_text(out, source_of(&report->listing, part), number);
}

void source_page_values(struct out *out, const struct report *report, const struct values *values)
{
	char flat[UNITS_TEXT], cum[UNITS_TEXT], percent[UNITS_TEXT];

	out_printf(out, "%s flat, %s cum", report_label_alone(flat, report, values->flat),
	           report_label_alone(cum, report, values->cum));
	if (report->view->opts.mean)
		return;
	out_printf(out, " (%s of total)", units_percent_alone(percent, values->cum, report->divisor_of_all));
}

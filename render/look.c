#include "render/look.h"

#include <math.h>

enum out_style look_of_change(double change)
{
	return change > 0 ? OUT_GROWN : change < 0 ? OUT_SHRUNK : OUT_PLAIN;
}

static bool is_heavy(const struct report *report, const struct row *row)
{
	if (report->view->opts.mean)
		return fabs(report_share(report, row->flat, row->flat_count)) >= 0.1;
	return fabs(row->flat) >= 0.1 * fabs(report->divisor);
}

enum out_style look_of_row(const struct report *report, const struct row *row)
{
	if (report->view->has_base)
		return look_of_change(row->flat != 0 ? row->flat : row->cum);
	return row->flat != 0 && is_heavy(report, row) ? OUT_BOLD : OUT_PLAIN;
}

void look_end_row(struct out *out, const char *name, const char *behind)
{
	out_name_fitting(out, name, behind);
	out_style(out, OUT_PLAIN);
	out_text(out, "\n");
}

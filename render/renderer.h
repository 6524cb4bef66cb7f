/* What an output format is. */
#pragma once

#include "analyze/report.h"
#include "render/out.h"

struct renderer {
	const char *name; /* of the option: --name */
	const char *arg;  /* what the option's argument is called, a pattern of rows; NULL: it takes none */
	const char *help;
	const char *ext;              /* of a file in this format, without a dot */
	unsigned parts;               /* of the report (enum report_parts) */
	bool binary;                  /* not for a terminal */
	bool for_browser;             /* a shell shows it there where no file is named */
	bool holds_sums;              /* its readers add values up, so that it has none that do not add up (--mean) */
	bool both_sides;              /* of a difference, it shows the profile and its base, not only what changed */
	bool has_source;              /* report->source is set where the user wants it */
	const struct renderer *trend; /* the format with --trend; NULL: it has none */
	bool asks;                    /* the input is a list of questions, on standard input where no file is given */
	/* Write errors stick in out; the error here is about making the output (no layout, a missing plugin). */
	struct err *(*write)(const struct report *report, struct out *out);
};

extern const struct renderer render_text, render_top;
extern const struct renderer render_trend, render_trend_csv, render_trend_svg;
extern const struct renderer render_symbols;
extern const struct renderer render_info;
extern const struct renderer render_tree, render_peek;
extern const struct renderer render_list, render_disasm, render_weblist;
extern const struct renderer render_traces, render_tags, render_comments, render_raw;
extern const struct renderer render_collapsed;
extern const struct renderer render_callgrind;
extern const struct renderer render_json, render_speedscope, render_csv;
extern const struct renderer render_proto, render_topproto;
extern const struct renderer render_html, render_flame;
extern const struct renderer render_dot, render_svg, render_ps, render_pdf, render_png, render_gif;

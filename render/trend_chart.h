/* What the picture of --trend draws, before it is known where: a band for each of the first rows, what is left of the total, and
 * the range of their values. */
#pragma once

#include "render/axis.h"
#include "render/svg.h"

enum {
	CHART_HUES = 10,
	CHART_MOST_ROWS = 40, /* that can be told apart: each hue with each pattern */
};

struct band {
	const struct series_row *row; /* NULL: what is not drawn by itself */
	const char *name;
	const char *number; /* its rank: "1" */
	const char *class;  /* of its group */
	const char *over;   /* of a pattern over it; "" */
	const double *values;
	const double *below; /* what it stands on; NULL: it is a line */
};

struct chart {
	const struct report *report;
	const struct series *series;
	struct svg_lines lines;
	struct band *bands;
	uint32_t n_bands, n_rows; /* the first n_rows are rows, one more may be what is left */
	bool stacked;
	struct axis values;

	/* Where it stands, which is for who writes it to choose. */
	double left;    /* where the first snapshot stands, which leaves room for the values at their axis */
	double *places; /* of snapshots, in pixels */
	const char **snapshots;
	struct axis time;
	double top; /* where the highest value would be */
};

/* Fills the bands of a chart that has its report and series. */
void chart_choose_bands(struct chart *chart);
/* And then the axis of values; the chart is empty where all of them are 0. */
void chart_choose_values(struct chart *chart);
bool chart_is_empty(const struct chart *chart);

/* Round places on the axes of a picture, and what stands at them. */
#pragma once

#include "analyze/series.h"
#include "analyze/units.h"

struct axis {
	double low, high; /* both are ticks */
	double step;      /* from one to the next */
	struct unit_style unit;
};

/* From low to high, at most 0 and at least 0: of values in this unit, of which no tick is smaller than it can show. */
struct axis axis_of_values(const struct unit_style *unit, double low, double high);
/* From 0: of a time in nanoseconds. The last tick may lie before its end. */
struct axis axis_of_time(double nanos);
/* How many ticks there are. */
uint32_t axis_ticks(const struct axis *axis);
double axis_tick(const struct axis *axis, uint32_t tick);

/* The smallest of 1, 2, 5, 10, 20, 50 ... that is not below. */
double axis_round(double least);

/* What tells the files of the snapshots apart: the number in their names, as it stands there ("0001"), or where that says
 * too little their place, from 1. */
const char **axis_snapshots(const struct series *series, struct arena *arena);

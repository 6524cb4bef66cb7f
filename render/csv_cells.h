/* Cells of tables for spreadsheets (RFC 4180), and those that say where a row is. */
#pragma once

#include "analyze/report.h"
#include "render/out.h"

/* A comma and a text, which no spreadsheet runs as a formula. */
void csv_text(const char *text, struct out *out);

/* What values are shown in: exact ones in bytes, nanoseconds or what is counted. */
struct csv_unit {
	const char *name;
	double factor;
};
struct csv_unit csv_unit(const struct report *report);
/* The number alone, without a comma. */
void csv_value(const struct csv_unit *unit, double value, struct out *out);

/* What tells the rows apart beside their names, with a comma before each: file, line, column and address, as far as they
 * belong to the rows, and the object. The names of these columns, and their cells. */
void csv_place_head(const struct report *report, struct out *out);
void csv_place(const struct report *report, const struct row *row, struct out *out);

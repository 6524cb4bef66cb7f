/* What listings have in common: which lines of a function are shown, their text and their values. */
#pragma once

#include "render/renderer.h"

/* The file of a function; one without name and text where none is known. */
const struct listing_source *source_of(const struct listing *listing, const struct listing_part *part);

/* Goes over the lines of a function that are shown: those of its range that the file has, and those with a value. */
struct source_walk {
	const struct listing_line *line, *end; /* with a value */
	uint32_t next, last;                   /* of the file */
};
struct source_walk source_walk_start(const struct listing *listing, const struct listing_part *part);
/* *line_ret is NULL where the line has no value. False: that was the last one. */
bool source_walk_next(struct source_walk *walk, uint32_t *number_ret, const struct listing_line **line_ret);

/* The text of a line, escaped but for tabs, and cut where no reader would go on. */
void source_text(struct out *out, const struct listing_source *source, uint32_t number);

/* "Total: 4MB", or the mean of all samples; without a line end. */
void source_total(struct out *out, const struct report *report);
/* "2MB 3MB (flat, cum) 75% of Total" of a function, of means without the percentage; with its line end. */
void source_values(struct out *out, const struct report *report, const struct values *values);

/* A value in the unit it reads best in, or the user's; "." for 0. */
const char *source_value(char text[UNITS_TEXT], const struct report *report, double value);

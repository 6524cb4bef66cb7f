/* Annotated source: the functions that a pattern matches, with the values of their lines. */
#pragma once

#include "analyze/base/regex.h"
#include "analyze/base/text.h"
#include "analyze/tally.h"

/* Of the heaviest functions: so many, and so much of the total as cum. */
enum { LISTING_HEAVIEST = 200 };
static const double LISTING_FRACTION = 0.005;

/* A line with a value. */
struct listing_line {
	uint32_t number; /* 0: not known */
	struct values values;
};

/* A file of source. Who can open files fills text or problem. */
struct listing_source {
	const char *file; /* as the profile names it */
	struct text_lines text;
	const char *problem; /* why there is no text; NULL: there is */
};

/* A function, as far as it lies in one file. */
struct listing_part {
	const char *name;
	uint32_t source;              /* its number; INDEX_NONE: no file is known */
	uint32_t first, last;         /* the lines that are shown, as far as the file has them */
	uint32_t first_line, n_lines; /* a span of listing->lines, by number */
	struct values values;         /* of all its lines; cum counts each sample once */
};

struct listing {
	struct listing_part *parts; /* by name, then file; the heaviest: by cum, descending by size */
	struct listing_line *lines;
	struct listing_source *sources; /* each file once */
	uint32_t n_parts, n_lines, n_sources;
	uint32_t n_cut; /* functions of which only lines with a value are shown: all together are too long */
};

/* By string: it is the name of a function that matches, by that or by its full name. The caller frees it. */
bool *listing_match(const struct profile *profile, struct regex *regex);

/* The table is one by line. Functions that are inlined are listed too. */
void listing_build(const struct table *table, const bool *matches, struct arena *arena, struct listing *ret);
/* Likewise the heaviest of all functions; total is what LISTING_FRACTION is of. */
void listing_build_heaviest(const struct table *table, double total, struct arena *arena, struct listing *ret);
void listing_free(struct listing *listing);

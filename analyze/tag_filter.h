/* Which samples the user chooses by their labels. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/profile.h"

/* Each is NULL where it is not given. */
struct tag_opts {
	const char *focus;       /* keep samples with labels that match: [KEY=]VALUE */
	const char *ignore;      /* drop them */
	const char *show, *hide; /* patterns of the keys whose labels reports show, or do not */
};

/* VALUE is a range of numbers (tag_range.h), or else patterns with commas between them. A range takes a numeric label in
 * it, the size of a heap's blocks too (the label "bytes"), and a text label that is the same text. Patterns are for text
 * labels: with a KEY one of its values must match one of them; without, each of them must match "key:value" of some
 * label. By sample: whether it passes; NULL where neither filter is given. The caller frees it. Notes tell of filters
 * that matched nothing; the error is a bad pattern. */
struct err *tag_filter_find(const struct profile *profile, const struct tag_opts *opts, struct diag *notes,
                            bool **ret) MUST_CHECK;

/* The range in the text of such a filter, for a message; NULL: it has patterns. */
const char *tag_filter_range(const char *text);

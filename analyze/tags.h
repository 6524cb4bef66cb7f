/* How much of a profile each value of each label marks. */
#pragma once

#include "analyze/view.h"

struct tag_value {
	const char *text; /* numbers with their unit, "4kB": those that read alike are one */
	double weight;    /* values of the samples that have it, as they are shown */
};

struct tag_key {
	const char *key;
	double weight;
	uint32_t first, n; /* a span of values, heaviest first */
};

/* Keys and values by |weight|, then by text. */
struct tags {
	struct tag_key *keys;
	struct tag_value *values;
	uint32_t n_keys, n_values;
};

/* The texts are in the arena or the profile. */
void tags_tally(const struct view *view, struct arena *arena, struct tags *ret);
void tags_free(struct tags *tags);

/* The labels of samples as reports show them: the profile's own, and the size of the blocks of a heap's rows. */
#pragma once

#include "analyze/profile.h"
#include "analyze/units.h"

/* A label with its texts; they belong to the profile. */
struct shown_label {
	const char *key;
	const char *text; /* NULL: a number */
	int64_t number;
	const char *unit; /* of the number, as the input says it; "": it does not */
	str_id key_id;
	bool is_block_size; /* no label of the profile, and key_id is none */
};

struct label_list {
	struct shown_label *items;
	uint32_t n, cap;
};

/* The size of the blocks of a heap's sample, in bytes: as the input says, else space by objects, those in use or else
 * all, rounded down. False: the profile is no heap of blocks, or says the size by a text label of its own ("bytes"). The
 * size is no label of the profile, so that stacks match whose blocks have grown. */
bool labels_block_size(const struct profile *profile, uint32_t sample, int64_t *ret);

/* The types of a heap of blocks of which this is one: what counts them and what sums up their sizes, both of those in use
 * or both of all that were allocated. False: it is none of a heap. */
bool labels_block_types(const struct profile *profile, uint32_t type, uint32_t *objects_ret, uint32_t *space_ret);
/* Likewise labels_block_size in one set, by two such types. False: it is not known. */
bool labels_block_size_in(const struct profile *profile, uint32_t sample, uint32_t set, uint32_t objects,
                          uint32_t space, int64_t *ret);

/* Puts the labels of a sample into the list in place of what is there; the caller frees list->items. */
void labels_of_sample(const struct profile *profile, uint32_t sample, struct label_list *list);

/* The unit of a number of this key: where the input says none (unit is ""), the key tells. */
const char *labels_unit(const char *key, const char *unit);

/* A number with its unit, "4kB", as google/pprof reads it: without a unit the key tells ("bytes"). */
const char *labels_number(char text[UNITS_TEXT], const struct shown_label *label);

/* The mappings of a profile that is written, numbered from 1: those of all inputs, one each where inputs of one program
 * share theirs. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/view.h"

struct listed_map {
	struct mapping map;
	uint32_t source;    /* the input that it is from */
	bool reaches_below; /* it holds an address below its start */
	uint64_t highest;   /* of the addresses that it holds */
};

struct map_list {
	const struct profile *p;
	struct listed_map *items; /* number 1 first */
	uint32_t n, cap;
	uint32_t *number_of; /* by the profile's mapping; row 0: what lies in none has 0 */
	struct index index;
};

/* The profile has to outlive the list. */
void map_list_init(struct map_list *list, const struct profile *profile);
void map_list_free(struct map_list *list);

/* Adds one that no input has; returns its number. */
uint32_t map_list_push(struct map_list *list, const struct mapping *map);
/* The first mapping is taken for the main program's: those of number 1 and of this number change places. */
void map_list_put_first(struct map_list *list, uint32_t number);

/* The mapping holds this address, of its own address space. */
void map_list_reach(struct map_list *list, uint32_t number, uint64_t addr);
/* Its flags tell of these lines of a location which lies in it. */
void map_list_note_names(struct map_list *list, uint32_t number, const struct location *loc, struct view_lines lines);
/* The mapping from where it begins when it reaches to all its addresses: some lie in the rest of its file, of which the
 * map says nothing. */
struct mapping map_list_extent(const struct map_list *list, uint32_t number);

/* Rows of text profiles: the addresses at their ends, and the ones that are passed over. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

struct rows {
	struct cursor *in;
	struct build *build;
	const char *noun; /* what a row is called in messages */
	uint64_t *addrs;  /* of the row that was read last, leaf first */
	uint32_t n_addrs, cap_addrs;
	loc_id *frames; /* room for a stack */
	uint32_t cap_frames;
	uint32_t n_bad;
	const char *first_bad;
	uint64_t first_bad_line;
};

void rows_clear(struct rows *rows);

/* The name in a header: "contentionz 1" of "--- contentionz 1 ---". */
struct span rows_header(struct span line);

/* Reads hexadecimal addresses to the end of the line. Returns NULL, or what is wrong with them. */
const char *rows_take_addrs(struct rows *rows, struct span line);

/* Makes a place for n_addrs frames, for readers that make their locations themselves. */
loc_id *rows_frames(struct rows *rows);
/* The stack of these addresses, which are return addresses: each location is one less. */
stack_id rows_stack(struct rows *rows);

/* The row that was read last is passed over; what is a string constant. */
void rows_skip(struct rows *rows, const char *what);
/* One warning for all rows that were passed over. lost: percent of the file's total that the rows do not hold, negative:
 * not known; without rows that were passed over it tells of a file that ends early. */
void rows_note_losses(const struct rows *rows, double lost);

/* Rows of a text profile that are lost, and the warning on what they cost. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* Rows of one kind of trouble. */
struct row_trouble {
	uint32_t n;
	uint64_t line;    /* of the first */
	const char *what; /* is wrong with the first: "expected ...", a constant */
};

/* Counts the row that in handed out last. */
void row_trouble_add(struct row_trouble *trouble, const struct cursor *in, const char *what);
/* Adds that of a piece of the file that begins behind so many lines. */
void row_trouble_join(struct row_trouble *sum, const struct row_trouble *piece, uint64_t n_lines_before);

/* Which rows they are: "the row is", "3 rows like this are"; in text, which is returned. */
enum { TROUBLE_TEXT = 64 };
const char *row_trouble_which(const struct row_trouble *trouble, const char *noun, char text[TROUBLE_TEXT]);

struct losses {
	const struct row_trouble *skipped;
	const char *noun;  /* what a row is called: "row" */
	double percent;    /* of the total that the rows which were read do not hold; negative: not known */
	const char *total; /* what that total is called, where there is one: "the header's total" */
	const char *guess; /* why rows may end early, in brackets; NULL: nothing is guessed */
};

/* One warning on the rows that are skipped. Where none are and yet a share is missing, it tells of a file that ends early
 * at the cursor. */
void losses_note(const struct losses *losses, const struct cursor *in, struct build *build);
/* Likewise, on a profile that begins with the line which in handed out last, behind one that has been read. */
void losses_note_next_profile(const struct cursor *in, struct build *build);

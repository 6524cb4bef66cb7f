#include "analyze/namesakes.h"

#include <stdlib.h>

/* Overloads share a short name but not the linker's, and a function may have lines of several files; so these alone do
 * not tell. */
static bool are_two(const struct function *a, const struct function *b)
{
	return a->file.row && b->file.row && a->file.row != b->file.row && a->system_name.row == b->system_name.row &&
	       a->start_line && b->start_line && a->start_line != b->start_line;
}

bool *namesakes_find(const struct table *table)
{
	const struct profile *p = table->view->profile;
	func_id *first = mem_zalloc(table->n, sizeof *first); /* by row: the first function that has a file */
	bool *found = mem_zalloc(table->n, sizeof *found);

	for (uint32_t i = 1; i < p->n_locs; i++) {
		const struct step *steps = table->entries + table->of_loc[i];

		for (uint32_t k = 0; k < p->locs[i].n_lines; k++) {
			func_id func = p->lines[p->locs[i].first_line + k].func;
			uint32_t row = steps[k].row;

			if (!p->funcs[first[row].row].file.row)
				first[row] = func;
			found[row] |= are_two(&p->funcs[first[row].row], &p->funcs[func.row]);
		}
	}
	free(first);
	return found;
}

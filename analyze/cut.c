#include "analyze/cut.h"

#include "analyze/base/index.h"

#include <stdlib.h>

/* A frame with those of its lines that are left, rows of the new profile. */
struct piece {
	loc_id loc;
	uint32_t first, n;
};

struct cut {
	const struct profile *old;
	const struct frames_start *starts;
	const struct cut_filters *filters;
	struct profile *p; /* the new one */
	uint32_t cap_locs, cap_frames;
	struct index parts;  /* of locations that are parts of others */
	uint32_t *from_line; /* by line of the new profile: the old one's */
	loc_id *whole;       /* by location of the new profile: whose part it is */
	uint32_t cap_whole;
	bool *is_gone, *done; /* by location: no line is left; by stack */
	struct piece *pieces; /* of the stack at hand, leaf first */
};

bool cut_drops_stacks(const struct cut_filters *filters)
{
	return filters->retain || filters->exclude || filters->hide || filters->show || filters->show_from;
}

bool cut_is_needed(const struct cut_filters *filters)
{
	return cut_drops_stacks(filters) || filters->prune_from || filters->outermost_only;
}

/* ---- which lines are left of each location ---- */

static bool has_text(const struct profile *p, const struct line *line)
{
	const struct function *func = &p->funcs[line->func.row];

	return func->name.row || func->file.row;
}

/* As google/pprof does, show keeps a line that tells nothing. */
static bool keeps_line(const struct cut *cut, uint32_t loc, uint32_t line)
{
	const struct filter *hide = cut->filters->hide, *show = cut->filters->show;

	if (hide && (hide->of_loc[loc] || hide->of_line[line]))
		return false;
	return !show || show->of_loc[loc] || show->of_line[line] || !has_text(cut->old, &cut->old->lines[line]);
}

static bool keeps_unnamed(const struct cut_filters *filters, uint32_t loc)
{
	return !(filters->hide && filters->hide->of_loc[loc]) && !(filters->show && !filters->show->of_loc[loc]);
}

static void copy_lines(struct cut *cut, uint32_t row)
{
	const struct location *from = &cut->old->locs[row];
	struct location *to = &cut->p->locs[row];
	struct profile *p = cut->p;

	to->first_line = p->n_lines;
	for (uint32_t i = from->first_line; i < from->first_line + from->n_lines; i++) {
		if (!keeps_line(cut, row, i))
			continue;
		cut->from_line[p->n_lines] = i;
		p->lines[p->n_lines++] = cut->old->lines[i];
	}
	to->n_lines = p->n_lines - to->first_line;
}

static void copy_locs(struct cut *cut)
{
	const struct profile *old = cut->old;

	for (uint32_t row = 0; row < old->n_locs; row++) {
		bool has_lines = old->locs[row].n_lines;

		cut->p->locs[row] = old->locs[row];
		copy_lines(cut, row);
		cut->is_gone[row] = (has_lines ? !cut->p->locs[row].n_lines : !keeps_unnamed(cut->filters, row)) ||
		                    !cut_keeps_frame(cut->filters, (loc_id){row});
	}
}

/* ---- parts of locations ---- */

struct part_key {
	const struct cut *cut;
	const struct piece *piece;
};

static bool same_part(const void *context, uint32_t row)
{
	const struct part_key *key = context;
	const struct location *loc = &key->cut->p->locs[row];

	return key->cut->whole[row].row == key->piece->loc.row && loc->first_line == key->piece->first &&
	       loc->n_lines == key->piece->n;
}

static loc_id add_part(struct cut *cut, const struct piece *piece)
{
	struct profile *p = cut->p;
	struct location part = p->locs[piece->loc.row];

	part.first_line = piece->first;
	part.n_lines = piece->n;
	MEM_GROW(cut->whole, p->n_locs, cut->cap_whole);
	MEM_GROW(p->locs, p->n_locs, cut->cap_locs);
	cut->whole[p->n_locs] = piece->loc;
	p->locs[p->n_locs] = part;
	return (loc_id){p->n_locs++};
}

/* The location that has these lines. */
static loc_id loc_of_piece(struct cut *cut, const struct piece *piece)
{
	const struct location *loc = &cut->p->locs[piece->loc.row];
	struct part_key key = {cut, piece};
	uint64_t hash = hash_pair(piece->loc.row, hash_pair(piece->first, piece->n));

	if (piece->first == loc->first_line && piece->n == loc->n_lines)
		return piece->loc;
	uint32_t found = index_find(&cut->parts, hash, same_part, &key);
	if (found != INDEX_NONE)
		return (loc_id){found};
	loc_id part = add_part(cut, piece);
	index_add(&cut->parts, hash, part.row);
	return part;
}

/* ---- stacks ---- */

static struct piece make_piece(const struct cut *cut, loc_id loc, uint32_t n_skipped)
{
	const struct location *old = &cut->old->locs[loc.row], *new = &cut->p->locs[loc.row];
	struct piece piece = {loc, new->first_line, new->n_lines};

	while (piece.n && cut->from_line[piece.first] < old->first_line + n_skipped) {
		piece.first++;
		piece.n--;
	}
	return piece;
}

/* The frames that are neither hidden nor dropped before; returns their number. */
static uint32_t take_frames(struct cut *cut, stack_id id)
{
	const struct stack *stack = &cut->old->stacks[id.row];
	const struct frames_start *start = &cut->starts[id.row];
	uint32_t n = 0;

	for (uint32_t i = start->frame; i < stack->n; i++) {
		loc_id loc = cut->old->frames[stack->first + i];

		if (cut->is_gone[loc.row] || (i == 1 && start->drops_second))
			continue;
		cut->pieces[n] = make_piece(cut, loc, i == start->frame ? start->line : 0);
		n += cut->pieces[n].n || !cut->old->locs[loc.row].n_lines;
	}
	return n;
}

static bool matches_line(const struct cut *cut, const struct filter *filter, uint32_t line)
{
	return filter->of_line[cut->from_line[line]];
}

/* Nothing root-side of the root-most match; returns how many of n frames are left. */
static uint32_t begin_at_match(const struct cut *cut, uint32_t n)
{
	const struct filter *filter = cut->filters->show_from;

	for (; n > 0; n--) {
		struct piece *piece = &cut->pieces[n - 1];

		if (filter->of_loc[piece->loc.row])
			return n;
		while (piece->n && !matches_line(cut, filter, piece->first + piece->n - 1))
			piece->n--;
		if (piece->n)
			return n;
	}
	return 0;
}

/* Nothing leaf-side of the leaf-most match; returns how many frames are dropped. */
static uint32_t end_at_match(const struct cut *cut, uint32_t n)
{
	const struct filter *filter = cut->filters->prune_from;

	for (uint32_t i = 0; i < n; i++) {
		struct piece *piece = &cut->pieces[i];

		for (uint32_t k = 0; k < piece->n; k++) {
			if (!matches_line(cut, filter, piece->first + k))
				continue;
			piece->first += k;
			piece->n -= k;
			return i;
		}
	}
	return 0;
}

static void keep_outermost(struct piece *piece)
{
	if (piece->n < 2)
		return;
	piece->first += piece->n - 1;
	piece->n = 1;
}

static void push_frame(struct cut *cut, loc_id loc)
{
	MEM_GROW(cut->p->frames, cut->p->n_frames, cut->cap_frames);
	cut->p->frames[cut->p->n_frames++] = loc;
}

static void write_stack(struct cut *cut, stack_id id)
{
	const struct cut_filters *filters = cut->filters;
	struct stack *stack = &cut->p->stacks[id.row];
	uint32_t n = take_frames(cut, id), first;

	if (filters->show_from)
		n = begin_at_match(cut, n);
	first = filters->prune_from ? end_at_match(cut, n) : 0;
	stack->first = cut->p->n_frames;
	stack->n = n - first;
	for (uint32_t i = first; i < n; i++) {
		if (filters->outermost_only)
			keep_outermost(&cut->pieces[i]);
		push_frame(cut, loc_of_piece(cut, &cut->pieces[i]));
	}
}

uint32_t cut_stack(struct cut *cut, stack_id stack)
{
	if (!cut->done[stack.row]) {
		cut->done[stack.row] = true;
		write_stack(cut, stack);
	}
	return cut->p->stacks[stack.row].n;
}

/* ---- all together ---- */

static uint32_t longest_stack(const struct profile *p)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < p->n_stacks; i++)
		if (p->stacks[i].n > longest)
			longest = p->stacks[i].n;
	return longest;
}

struct cut *cut_new(const struct profile *profile, const struct frames_start *starts, const struct cut_filters *filters)
{
	struct cut *cut = mem_zalloc(1, sizeof *cut);

	*cut = (struct cut){.old = profile, .starts = starts, .filters = filters, .p = mem_alloc(1, sizeof *cut->p)};
	*cut->p = *profile;
	cut->p->locs = mem_alloc(cut->cap_locs = profile->n_locs, sizeof *cut->p->locs);
	cut->p->lines = mem_alloc(profile->n_lines, sizeof *cut->p->lines);
	cut->p->n_lines = 0;
	cut->from_line = mem_alloc(profile->n_lines, sizeof *cut->from_line);
	cut->is_gone = mem_zalloc(profile->n_locs, sizeof *cut->is_gone);
	copy_locs(cut);
	cut->whole = mem_zalloc(cut->cap_whole = profile->n_locs, sizeof *cut->whole);
	cut->p->stacks = mem_zalloc(profile->n_stacks, sizeof *cut->p->stacks);
	cut->done = mem_zalloc(profile->n_stacks, sizeof *cut->done);
	/* No frame, but a column: the empty spans of stacks point at it. */
	cut->p->frames = mem_alloc(cut->cap_frames = 1, sizeof *cut->p->frames);
	cut->p->n_frames = 0;
	cut->pieces = mem_alloc(longest_stack(profile), sizeof *cut->pieces);
	return cut;
}

struct profile *cut_finish(struct cut *cut)
{
	struct profile *p = cut->p;

	index_free(&cut->parts);
	free(cut->from_line);
	free(cut->whole);
	free(cut->is_gone);
	free(cut->done);
	free(cut->pieces);
	free(cut);
	return p;
}

void cut_free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->locs);
	free(profile->lines);
	free(profile->stacks);
	free(profile->frames);
	free(profile);
}

#include "analyze/listing.h"

#include "analyze/base/index.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* google/pprof shows so many lines before the first with a value, where it does not know where the function begins, and
 * behind the last. */
enum { MARGIN = 5 };
/* No reader gets through that; a hostile file has a function of a million lines for each of its names. */
enum { MOST_LINES = 2000000 };

struct work {
	const struct profile *p;
	const struct table *table;
	struct listing *listing;
	const bool *matches;  /* by string, as listing_match has it; NULL: all match */
	str_id *files;        /* by part */
	str_id *names;        /* likewise */
	uint32_t *part_of;    /* by row of the table: one more than its part; 0: none */
	uint32_t *start_line; /* by row: the least that its functions have; 0: not known */
	struct index index;   /* of parts */
	uint32_t cap_parts, cap_files, cap_names;
};

/* ---- which functions ---- */

bool *listing_match(const struct profile *profile, struct regex *regex)
{
	enum { UNKNOWN, NO, YES };
	uint8_t *of_text = mem_zalloc(profile->n_strs, 1);
	bool *matches = mem_zalloc(profile->n_strs, sizeof *matches);

	for (uint32_t i = 0; i < profile->n_funcs; i++) {
		const struct function *func = &profile->funcs[i];
		const str_id names[] = {func->name, func->full_name};

		for (size_t k = 0; k < sizeof names / sizeof *names && func->name.row; k++) {
			uint8_t *known = &of_text[names[k].row];

			if (names[k].row && *known == UNKNOWN)
				*known = regex_match(regex, profile_text(profile, names[k])) ? YES : NO;
			matches[func->name.row] |= *known == YES;
		}
	}
	free(of_text);
	return matches;
}

struct part_key {
	const struct work *work;
	str_id name, file;
};

static bool same_part(const void *context, uint32_t part)
{
	const struct part_key *key = context;

	return key->work->names[part].row == key->name.row && key->work->files[part].row == key->file.row;
}

static uint32_t intern_part(struct work *work, const struct function *func)
{
	struct listing *listing = work->listing;
	struct part_key key = {work, func->name, func->file};
	uint64_t hash = hash_pair(func->name.row, func->file.row);
	uint32_t found = index_find(&work->index, hash, same_part, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(listing->parts, listing->n_parts, work->cap_parts);
	MEM_GROW(work->names, listing->n_parts, work->cap_names);
	MEM_GROW(work->files, listing->n_parts, work->cap_files);
	listing->parts[listing->n_parts] = (struct listing_part){.name = profile_text(work->p, func->name)};
	work->names[listing->n_parts] = func->name;
	work->files[listing->n_parts] = func->file;
	index_add(&work->index, hash, listing->n_parts);
	return listing->n_parts++;
}

/* What has no values may have counts, which are part of the function's mean. */
static bool has_samples(const struct row *row)
{
	return row->n_samples || row->cum_count != 0;
}

static void claim_row(struct work *work, uint32_t row, const struct function *func)
{
	uint32_t *start = &work->start_line[row];

	if ((work->matches && !work->matches[func->name.row]) || !has_samples(&work->table->rows[row]))
		return;
	work->part_of[row] = intern_part(work, func) + 1;
	if (func->start_line && (!*start || func->start_line < *start))
		*start = func->start_line;
}

static void claim_rows(struct work *work)
{
	const struct profile *p = work->p;

	work->part_of = mem_zalloc(work->table->n, sizeof *work->part_of);
	work->start_line = mem_zalloc(work->table->n, sizeof *work->start_line);
	for (uint32_t i = 1; i < p->n_locs; i++)
		for (uint32_t k = 0; k < p->locs[i].n_lines; k++) {
			const struct line *line = &p->lines[p->locs[i].first_line + k];

			claim_row(work, work->table->entries[work->table->of_loc[i] + k].row, &p->funcs[line->func.row]);
		}
}

/* ---- values ---- */

static void add_row(struct work *work, uint32_t at)
{
	const struct row *row = &work->table->rows[at];
	struct listing_part *part = &work->listing->parts[work->part_of[at] - 1];
	uint32_t start = work->start_line[at];

	work->listing->lines[part->first_line + part->n_lines++] =
		(struct listing_line){row->line, {row->flat, row->cum, row->flat_count, row->cum_count}};
	part->values.flat += row->flat;
	part->values.flat_count += row->flat_count;
	if (!row->line)
		return;
	/* A function that is declared in another file has a line of that one. */
	if (!start || start > row->line)
		start = row->line > MARGIN ? row->line - MARGIN : 1;
	if (!part->first || start < part->first)
		part->first = start;
	uint32_t last = row->line < UINT32_MAX - MARGIN ? row->line + MARGIN : UINT32_MAX - 1;
	if (last > part->last)
		part->last = last;
}

static int by_number(const void *x, const void *y)
{
	const struct listing_line *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* Rows of one line, which differ in what a line does not tell, become one. */
static void join_lines(struct listing_line *lines, struct listing_part *part)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < part->n_lines; i++) {
		if (n && lines[n - 1].number == lines[i].number)
			values_add(&lines[n - 1].values, &lines[i].values);
		else
			lines[n++] = lines[i];
	}
	part->n_lines = n;
}

static void add_rows(struct work *work)
{
	struct listing *listing = work->listing;

	for (uint32_t i = 0; i < work->table->n; i++)
		if (work->part_of[i]) {
			listing->parts[work->part_of[i] - 1].n_lines++;
			listing->n_lines++;
		}
	listing->lines = mem_alloc(listing->n_lines, sizeof *listing->lines);
	for (uint32_t i = 0, first = 0; i < listing->n_parts; i++) {
		listing->parts[i].first_line = first;
		first += listing->parts[i].n_lines;
		listing->parts[i].n_lines = 0;
	}
	for (uint32_t i = 0; i < work->table->n; i++)
		if (work->part_of[i])
			add_row(work, i);
	for (uint32_t i = 0; i < listing->n_parts; i++) {
		struct listing_part *part = &listing->parts[i];

		qsort(listing->lines + part->first_line, part->n_lines, sizeof *listing->lines, by_number);
		join_lines(listing->lines + part->first_line, part);
	}
}

static void add_sample(struct work *work, uint32_t *last, uint32_t sample)
{
	struct values values = view_values(work->table->view, sample);
	uint32_t n = table_expand(work->table, sample);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t part = work->part_of[work->table->steps[i].row];

		if (!part || last[part - 1] == sample + 1)
			continue;
		last[part - 1] = sample + 1;
		work->listing->parts[part - 1].values.cum += values.cum;
		work->listing->parts[part - 1].values.cum_count += values.cum_count;
	}
}

/* The sum of a function's lines would count a stack that passes through two of them twice. */
static void add_samples(struct work *work)
{
	const struct view *view = work->table->view;
	struct listing *listing = work->listing;
	uint32_t *last = mem_zalloc(listing->n_parts, sizeof *last);

	for (uint32_t i = 0; i < view->profile->n_samples && listing->n_parts; i++)
		if (view_has_value(view, i))
			add_sample(work, last, i);
	free(last);
}

static void finish_values(struct work *work)
{
	const struct view *view = work->table->view;
	struct listing *listing = work->listing;

	for (uint32_t i = 0; i < listing->n_parts; i++) {
		struct listing_part *part = &listing->parts[i];

		view_finish_values(view, &part->values);
		for (uint32_t k = 0; k < part->n_lines; k++)
			view_finish_values(view, &listing->lines[part->first_line + k].values);
	}
}

/* ---- the heaviest ---- */

static int compare_weights(const struct listing_part *a, const struct listing_part *b)
{
	double a_cum = fabs(a->values.cum), b_cum = fabs(b->values.cum);

	return a_cum > b_cum ? -1 : a_cum < b_cum;
}

static int compare_numbers(const void *x, const void *y, void *parts)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = compare_weights((struct listing_part *)parts + a, (struct listing_part *)parts + b);

	return order ? order : (a > b) - (a < b);
}

/* By part: it is one of the heaviest, and has as much. */
static bool *find_heaviest(const struct listing *listing, double least)
{
	uint32_t *CLEANUP(mem_free_local) order = mem_alloc(listing->n_parts, sizeof *order);
	bool *found = mem_zalloc(listing->n_parts, sizeof *found);

	for (uint32_t i = 0; i < listing->n_parts; i++)
		order[i] = i;
	if (listing->n_parts)
		qsort_r(order, listing->n_parts, sizeof *order, compare_numbers, listing->parts);
	for (uint32_t i = 0; i < listing->n_parts && i < LISTING_HEAVIEST; i++)
		found[order[i]] = fabs(listing->parts[order[i]].values.cum) >= least;
	return found;
}

static void keep_heaviest(struct work *work, double least)
{
	struct listing *listing = work->listing;
	bool *CLEANUP(mem_free_local) keeps = find_heaviest(listing, least);
	uint32_t n = 0;

	assert(!listing->n_parts || (work->names && work->files)); /* each part has both */
	for (uint32_t i = 0; i < listing->n_parts; i++) {
		if (!keeps[i])
			continue;
		work->names[n] = work->names[i];
		work->files[n] = work->files[i];
		listing->parts[n++] = listing->parts[i];
	}
	listing->n_parts = n;
}

/* ---- sources, and the order ---- */

static void list_sources(struct work *work, struct arena *arena)
{
	struct listing *listing = work->listing;
	uint32_t *number = mem_zalloc(work->p->n_strs, sizeof *number), n_parts = listing->n_parts;

	assert(!n_parts || work->files);
	listing->sources = arena_alloc(arena, n_parts, sizeof *listing->sources);
	for (uint32_t i = 0; i < n_parts; i++) {
		str_id file = work->files[i];

		listing->parts[i].source = INDEX_NONE;
		if (!file.row)
			continue;
		if (!number[file.row]) {
			listing->sources[listing->n_sources].file = profile_text(work->p, file);
			number[file.row] = ++listing->n_sources;
		}
		listing->parts[i].source = number[file.row] - 1;
	}
	free(number);
}

static int compare_parts(const void *x, const void *y, void *context)
{
	const struct listing *listing = context;
	const struct listing_part *a = x, *b = y;
	int order = text_compare(a->name, b->name);

	if (order || a->source == INDEX_NONE || b->source == INDEX_NONE)
		return order ? order : (a->source == INDEX_NONE) - (b->source == INDEX_NONE);
	return text_compare(listing->sources[a->source].file, listing->sources[b->source].file);
}

static int compare_heavy_parts(const void *x, const void *y, void *listing)
{
	int order = compare_weights(x, y);

	return order ? order : compare_parts(x, y, listing);
}

static void order_by_weight(struct listing *listing)
{
	if (listing->n_parts)
		qsort_r(listing->parts, listing->n_parts, sizeof *listing->parts, compare_heavy_parts, listing);
}

/* Of a function with a source, what has none is not shown. */
static void drop_without_source(struct listing *listing)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < listing->n_parts; i++)
		if (!n || listing->parts[i].source != INDEX_NONE || listing->parts[i].name != listing->parts[n - 1].name)
			listing->parts[n++] = listing->parts[i];
	listing->n_parts = n;
}

static void cut_long(struct listing *listing)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < listing->n_parts; i++) {
		struct listing_part *part = &listing->parts[i];
		uint64_t n_part = part->last < part->first ? 0 : (uint64_t)part->last - part->first + 1;

		if (n + n_part <= MOST_LINES) {
			n += n_part;
			continue;
		}
		part->first = part->last + 1;
		listing->n_cut++;
	}
}

static struct work begin(const struct table *table, const bool *matches, struct listing *listing)
{
	struct work work = {.p = table->view->profile, .table = table, .listing = listing, .matches = matches};

	*listing = (struct listing){0};
	claim_rows(&work);
	add_rows(&work);
	add_samples(&work);
	finish_values(&work);
	return work;
}

static void order_by_name(struct work *work, struct arena *arena)
{
	struct listing *listing = work->listing;

	list_sources(work, arena);
	if (listing->n_parts)
		qsort_r(listing->parts, listing->n_parts, sizeof *listing->parts, compare_parts, listing);
	drop_without_source(listing);
}

static void end(struct work *work)
{
	cut_long(work->listing);
	index_free(&work->index);
	free(work->names);
	free(work->files);
	free(work->part_of);
	free(work->start_line);
}

void listing_build(const struct table *table, const bool *matches, struct arena *arena, struct listing *ret)
{
	struct work work = begin(table, matches, ret);

	order_by_name(&work, arena);
	end(&work);
}

void listing_build_heaviest(const struct table *table, double total, struct arena *arena, struct listing *ret)
{
	struct work work = begin(table, NULL, ret);

	keep_heaviest(&work, LISTING_FRACTION * total);
	order_by_name(&work, arena);
	order_by_weight(ret);
	end(&work);
}

void listing_free(struct listing *listing)
{
	free(listing->parts);
	free(listing->lines);
	*listing = (struct listing){0};
}

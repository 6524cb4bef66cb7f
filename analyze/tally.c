#include "analyze/tally.h"

#include "analyze/base/index.h"
#include "analyze/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys: which row a line or a location belongs to ---- */

enum { LONGEST_PART = 64 << 10, SHORT_PART = 100, FREE_LABEL_BYTES = 128 << 20 };

struct keys {
	const struct profile *p;
	struct table *table;
	struct row_opts opts;
	struct index index;
	uint32_t *row_of_str; /* by the string that is a row's whole label: one more than the row; 0: not looked up yet */
	uint32_t *object_of;  /* by row: whose unnamed address it is, or 0 */
	uint32_t object_cap;
	uint64_t label_bytes; /* of texts in labels that were made up */
};

struct row_key {
	const struct keys *keys;
	const char *label;
	uint32_t object;
};

static bool same_row(const void *context, uint32_t row)
{
	const struct row_key *key = context;

	return key->keys->object_of[row] == key->object && strcmp(key->keys->table->rows[row].label, key->label) == 0;
}

static uint32_t intern_row(struct keys *keys, const struct row *row, uint32_t object)
{
	struct table *table = keys->table;
	struct row_key key = {keys, row->label, object};
	uint64_t hash = hash_pair(hash_bytes(row->label, strlen(row->label)), object);
	uint32_t found = index_find(&keys->index, hash, same_row, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(keys->object_of, table->n, keys->object_cap);
	MEM_GROW(table->rows, table->n, table->cap);
	keys->object_of[table->n] = object;
	table->rows[table->n] = *row;
	index_add(&keys->index, hash, table->n);
	return table->n++;
}

/* How much of a text goes into a label. A long one that stands in a million labels is cut once they take too much. */
static int label_part(struct keys *keys, const char *text)
{
	size_t n = strnlen(text, keys->label_bytes < FREE_LABEL_BYTES ? LONGEST_PART : SHORT_PART);

	keys->label_bytes += n;
	return (int)n;
}

static const char *place_label(struct keys *keys, const char *name, const char *file, const struct line *line)
{
	struct arena *arena = keys->table->arena;
	int n = label_part(keys, name), n_file = label_part(keys, file);

	if (!*file)
		return arena_printf(arena, "%.*s", n, name);
	const char *gap = *name ? " " : "";
	if (!line->line)
		return arena_printf(arena, "%.*s%s%.*s", n, name, gap, n_file, file);
	if (!keys->opts.columns || !line->column)
		return arena_printf(arena, "%.*s%s%.*s:%" PRIu32, n, name, gap, n_file, file, line->line);
	return arena_printf(arena, "%.*s%s%.*s:%" PRIu32 ":%" PRIu32, n, name, gap, n_file, file, line->line, line->column);
}

/* How far what is shown of a location is behind its address. */
static uint64_t shown_behind(const struct keys *keys, const struct location *loc)
{
	return keys->opts.returns && loc->is_return;
}

/* 0 where rows do not go by addresses, or none is known. */
static uint64_t row_addr(const struct keys *keys, const struct location *loc)
{
	enum granularity granularity = keys->opts.granularity;
	bool is_key = granularity == BY_ADDRESS || (keys->opts.addresses && granularity != BY_FILE);

	return is_key && loc->addr ? loc->addr + shown_behind(keys, loc) : 0;
}

/* What maps name like files without there being any: "[vdso]" as it stands, "/memfd:x (deleted)" as "[memfd:x]". */
static const char *special_label(struct arena *arena, const char *file)
{
	static const char deleted[] = " (deleted)";
	size_t length = sizeof deleted - 1;

	if (*file == '[')
		return file;
	file += strspn(file, "/");
	size_t n = strlen(file);
	if (n >= length && strcmp(file + n - length, deleted) == 0)
		n -= length;
	return n ? arena_printf(arena, "[%.*s]", (int)n, file) : "[anon]";
}

/* Its offset goes into the brackets. */
static const char *special_address(struct arena *arena, const char *label, uint64_t offset)
{
	size_t n = strlen(label);
	bool is_closed = label[n - 1] == ']';

	return arena_printf(arena, "%.*s+0x%" PRIx64 "%s", (int)(n - is_closed), label, offset, is_closed ? "]" : "");
}

/* A zero stands where the producer knew no address. */
static const char *label_without_address(const struct keys *keys, object_id object)
{
	if (!object.row)
		return "<unknown>";
	return arena_printf(keys->table->arena, "[%s]", profile_object_base(keys->p, object));
}

/* An address without a name: by its object and link-time address, which are the same in every run. */
static const char *unnamed_label(struct keys *keys, const struct location *loc)
{
	struct arena *arena = keys->table->arena;
	const struct object *object = &keys->p->objects[loc->object.row];
	uint64_t behind = shown_behind(keys, loc);

	if (object->fate == OBJECT_SPECIAL) {
		const char *label = special_label(arena, profile_text(keys->p, object->file));

		return keys->opts.granularity == BY_ADDRESS ? special_address(arena, label, loc->offset + behind) : label;
	}
	if (!loc->addr)
		return label_without_address(keys, loc->object);
	if (loc->object.row) {
		const char *base = profile_object_base(keys->p, loc->object);

		return arena_printf(arena, "[%.*s+0x%" PRIx64 "]", label_part(keys, base), base, loc->vaddr + behind);
	}
	return arena_printf(arena, "0x%016" PRIx64, loc->addr + behind);
}

static uint32_t unnamed_row(struct keys *keys, const struct location *loc)
{
	struct row row = {.file = "", .label = unnamed_label(keys, loc), .addr = row_addr(keys, loc)};

	row.name = row.label;
	return intern_row(keys, &row, loc->object.row);
}

/* A name may be long and that of a million lines, so it is read once. */
static uint32_t row_of_label(struct keys *keys, str_id label, str_id file, uint32_t line)
{
	uint32_t *known = &keys->row_of_str[label.row];

	if (!*known) {
		struct row row = {.file = profile_text(keys->p, file), .line = line};

		row.name = row.label = profile_text(keys->p, label);
		*known = intern_row(keys, &row, 0) + 1;
	}
	return *known - 1;
}

/* gperftools' way to tell the rows of one function or line apart. */
static bool has_address_behind(const struct keys *keys, const struct location *loc)
{
	return keys->opts.granularity != BY_ADDRESS && row_addr(keys, loc);
}

static const char *label_with_address(struct keys *keys, const struct location *loc, const char *label)
{
	return arena_printf(keys->table->arena, "%.*s (%016" PRIx64 ")", label_part(keys, label), label,
	                    row_addr(keys, loc));
}

static uint32_t placed_row(struct keys *keys, const struct location *loc, const struct line *line)
{
	const struct function *func = &keys->p->funcs[line->func.row];
	struct row row = {
		.name = profile_text(keys->p, func->name), .file = profile_text(keys->p, func->file), .line = line->line};

	row.column = keys->opts.columns && line->line ? line->column : 0;
	row.addr = row_addr(keys, loc);
	row.label = place_label(keys, row.name, row.file, line);
	if (*row.label && has_address_behind(keys, loc))
		row.label = label_with_address(keys, loc, row.label);
	else if (keys->opts.granularity == BY_ADDRESS && loc->addr)
		row.label = arena_printf(keys->table->arena, "%016" PRIx64 " %s", row.addr, row.label);
	return *row.label ? intern_row(keys, &row, 0) : unnamed_row(keys, loc);
}

/* A function without the file that it is from. */
static uint32_t function_row(struct keys *keys, const struct location *loc, str_id name, uint32_t line)
{
	if (!name.row)
		return unnamed_row(keys, loc);
	if (!has_address_behind(keys, loc))
		return row_of_label(keys, name, (str_id){0}, line);
	struct row row = {.name = profile_text(keys->p, name), .file = "", .line = line};
	row.label = label_with_address(keys, loc, row.name);
	row.addr = row_addr(keys, loc);
	return intern_row(keys, &row, 0);
}

static uint32_t file_row(struct keys *keys, const struct location *loc, str_id file)
{
	return file.row ? row_of_label(keys, file, file, 0) : unnamed_row(keys, loc);
}

static uint32_t named_row(struct keys *keys, const struct location *loc, const struct line *line)
{
	const struct function *func = &keys->p->funcs[line->func.row];
	bool has_name_alone = func->name.row && !func->file.row;

	switch (keys->opts.granularity) {
	case BY_FUNCTION:
		return function_row(keys, loc, func->name, 0);
	case BY_FUNCTION_AND_FILE:
		return has_name_alone ? function_row(keys, loc, func->name, 0)
		                      : placed_row(keys, loc, &(struct line){.func = line->func});
	case BY_FILE:
		return file_row(keys, loc, func->file);
	case BY_LINE:
		return has_name_alone ? function_row(keys, loc, func->name, line->line) : placed_row(keys, loc, line);
	case BY_ADDRESS:
		break;
	}
	return placed_row(keys, loc, line);
}

static void note_location(const struct profile *p, struct row *row, uint32_t loc)
{
	object_id object = p->locs[loc].object;

	if (!row->loc.row) {
		row->loc.row = loc;
		row->has_object = object.row != 0;
	}
	row->has_object &= object.row == p->locs[row->loc.row].object.row;
}

static void push_step(struct table *table, struct step step)
{
	MEM_GROW(table->entries, table->n_entries, table->cap_entries);
	table->entries[table->n_entries++] = step;
}

static void push_entry(struct keys *keys, const struct location *loc, struct step step)
{
	note_location(keys->p, &keys->table->rows[step.row], (uint32_t)(loc - keys->p->locs));
	push_step(keys->table, step);
}

/* What a location adds to a stack: its functions, inner first, or the address alone. */
static void make_entries(struct keys *keys, const struct location *loc)
{
	uint32_t end = loc->first_line + loc->n_lines;

	if (!loc->n_lines)
		push_entry(keys, loc, (struct step){unnamed_row(keys, loc), false});
	for (uint32_t k = loc->first_line; k < end; k++)
		push_entry(keys, loc, (struct step){named_row(keys, loc, &keys->p->lines[k]), k + 1 < end});
}

static void make_keys(struct table *table, const struct row_opts *opts)
{
	const struct profile *p = table->view->profile;
	struct keys keys = {.p = p, .table = table, .opts = *opts};

	keys.row_of_str = mem_zalloc(p->n_strs, sizeof *keys.row_of_str);
	table->of_loc = mem_zalloc((size_t)p->n_locs + 1, sizeof *table->of_loc);
	for (uint32_t i = 1; i < p->n_locs; i++) {
		table->of_loc[i] = table->n_entries;
		make_entries(&keys, &p->locs[i]);
	}
	table->of_loc[p->n_locs] = table->n_entries;
	index_free(&keys.index);
	free(keys.row_of_str);
	free(keys.object_of);
}

/* ---- stacks ---- */

static uint32_t longest_stack(const struct table *table)
{
	const struct profile *p = table->view->profile;
	uint32_t longest = 0;

	for (uint32_t i = 0; i < p->n_stacks; i++) {
		const loc_id *frames = p->frames + p->stacks[i].first;
		uint32_t n = 0;

		for (uint32_t k = 0; k < p->stacks[i].n; k++)
			n += table->of_loc[frames[k].row + 1] - table->of_loc[frames[k].row];
		if (n > longest)
			longest = n;
	}
	return longest;
}

static uint32_t expand_stack(const struct table *table, uint32_t sample)
{
	const struct profile *p = table->view->profile;
	stack_id id = p->sample_stacks[sample];
	const struct frames_start *start = &table->view->starts[id.row];
	const loc_id *frames = p->frames + p->stacks[id.row].first;
	uint32_t skipped = start->line, n = 0;

	for (uint32_t i = start->frame; i < p->stacks[id.row].n; i++, skipped = 0) {
		uint32_t first = table->of_loc[frames[i].row] + skipped, end = table->of_loc[frames[i].row + 1];

		if (!view_has_frame(table->view, id, i))
			continue;
		for (uint32_t k = first; k < end; k++)
			table->steps[n++] = table->entries[k];
	}
	return n;
}

/* Puts the rows of a call tree into the steps; a tree that is not as deep as the stack lacks those at the leaf. */
static uint32_t place_in_tree(const struct table *table, uint32_t sample, uint32_t n_steps)
{
	uint32_t n = 0;

	for (uint32_t row = table->leaf_of[sample]; row != TABLE_NONE; row = table->callers[row])
		table->steps[n++].row = row;
	for (uint32_t i = 0; i < n; i++)
		table->steps[i].inlined = table->steps[n_steps - n + i].inlined;
	return n;
}

uint32_t table_expand(const struct table *table, uint32_t sample)
{
	uint32_t n = expand_stack(table, sample);

	return table->callers ? place_in_tree(table, sample, n) : n;
}

/* ---- sums ---- */

/* What a row gathers; apart from the rows, so that a large profile's fit into the processor's cache. */
struct sum {
	double cum;
	uint32_t last; /* one more than the sample that counted the row last */
	uint32_t n_samples;
};

static void add_sample(struct table *table, struct sum *sums, uint32_t sample, double value)
{
	uint32_t n = table_expand(table, sample);

	if (n)
		table->rows[table->steps[0].row].flat += value;
	for (uint32_t k = 0; k < n; k++) {
		struct sum *sum = &sums[table->steps[k].row];

		if (sum->last == sample + 1)
			continue;
		sum->last = sample + 1;
		sum->cum += value;
		sum->n_samples++;
	}
}

static void add_samples(struct table *table, const double *values)
{
	struct sum *sums = mem_zalloc(table->n, sizeof *sums);

	for (uint32_t i = 0; i < table->view->profile->n_samples; i++)
		if (values[i] != 0)
			add_sample(table, sums, i, values[i]);
	for (uint32_t i = 0; i < table->n; i++) {
		table->rows[i].cum = sums[i].cum;
		table->rows[i].n_samples = sums[i].n_samples;
	}
	free(sums);
}

/* The same way through all stacks as for the values, which go into the same columns after it. */
static void add_counts(struct table *table)
{
	add_samples(table, table->view->counts);
	for (uint32_t i = 0; i < table->n; i++) {
		table->rows[i].flat_count = table->rows[i].flat;
		table->rows[i].cum_count = table->rows[i].cum;
		table->rows[i].flat = 0;
	}
}

void table_take_means(struct table *table)
{
	for (uint32_t i = 0; i < table->n; i++) {
		struct row *row = &table->rows[i];

		row->flat = view_shown(table->view, row->flat, row->flat_count);
		row->cum = view_shown(table->view, row->cum, row->cum_count);
	}
}

static void hold_rows(struct table *table)
{
	for (uint32_t i = 0; i < table->n; i++) {
		table->rows[i].flat = view_row_sum(table->view, table->rows[i].flat);
		table->rows[i].cum = view_row_sum(table->view, table->rows[i].cum);
	}
}

void table_sum(struct table *table)
{
	if (table->view->counts)
		add_counts(table);
	add_samples(table, table->view->values);
	hold_rows(table);
}

void tally(const struct view *view, const struct row_opts *opts, struct arena *arena, struct table *ret)
{
	*ret = (struct table){.view = view, .arena = arena};
	make_keys(ret, opts);
	ret->steps = mem_alloc(longest_stack(ret), sizeof *ret->steps);
	table_sum(ret);
}

void table_of_view(const struct table *of, const struct view *view, struct table *ret)
{
	*ret = *of;
	ret->view = view;
	ret->cap = of->n;
	ret->rows = mem_alloc(of->n, sizeof *ret->rows);
	for (uint32_t i = 0; i < of->n; i++) {
		ret->rows[i] = of->rows[i];
		ret->rows[i].flat = ret->rows[i].cum = ret->rows[i].flat_count = ret->rows[i].cum_count = 0;
	}
	table_sum(ret);
}

void table_free(struct table *table)
{
	free(table->rows);
	free(table->of_loc);
	free(table->entries);
	free(table->steps);
	free(table->callers);
	free(table->leaf_of);
	*table = (struct table){0};
}

/* ---- order ---- */

struct sort {
	const struct table *table;
	enum row_order how;
	bool by_cum;
};

static int descending(double a, double b)
{
	return a > b ? -1 : a < b;
}

static double flat_of(const struct sort *sort, const struct row *row)
{
	return view_shown(sort->table->view, row->flat, row->flat_count);
}

static double cum_of(const struct sort *sort, const struct row *row)
{
	return view_shown(sort->table->view, row->cum, row->cum_count);
}

static int compare_rows(const void *x, const void *y, void *context)
{
	const struct sort *sort = context;
	const struct row *a = &sort->table->rows[*(const uint32_t *)x], *b = &sort->table->rows[*(const uint32_t *)y];
	double a_flat = flat_of(sort, a), a_cum = cum_of(sort, a), b_flat = flat_of(sort, b), b_cum = cum_of(sort, b);
	double a_key = sort->by_cum ? a_cum : a_flat, b_key = sort->by_cum ? b_cum : b_flat;
	double a_other = sort->by_cum ? a_flat : a_cum, b_other = sort->by_cum ? b_flat : b_cum;
	int order = sort->how == ORDER_CLASSIC ? descending(a_key, b_key) : descending(fabs(a_key), fabs(b_key));

	if (!order)
		order = text_compare(a->label, b->label);
	if (!order)
		order = descending(fabs(a_other), fabs(b_other));
	return order ? order : a < b ? -1 : a > b;
}

void table_sort(const struct table *table, enum row_order how, bool by_cum, uint32_t *order, uint32_t n)
{
	struct sort sort = {table, how, by_cum};

	qsort_r(order, n, sizeof *order, compare_rows, &sort);
}

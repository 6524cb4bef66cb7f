#include "render/html_data.h"

#include "analyze/base/file.h"
#include "analyze/base/gzip.h"
#include "analyze/base/index.h"
#include "analyze/base/text.h"
#include "render/json_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- the columns ---- */

enum { ALIGNMENT = 8 };

enum kind { U8, U32, F64 };
static const struct {
	const char *name;
	size_t size;
} kinds[] = {[U8] = {"u8", 1}, [U32] = {"u32", 4}, [F64] = {"f64", 8}};

struct column {
	const char *name;
	enum kind kind;
	size_t at, end; /* of its bytes */
};

struct block {
	const struct report *report;
	const struct html_total *totals; /* by type of the flame */
	struct out *bytes;               /* of the columns */
	struct column *columns;
	uint32_t n_columns, cap_columns;

	struct series *series; /* of snapshots, by type of the flame, without the rows; else NULL */
	struct arena *arena;

	uint32_t *ends; /* the nodes in which samples end */
	uint32_t n_ends;
	bool *has_row; /* by row: the page tells of it */

	/* Strings, each once. */
	struct index index;
	const char **texts;
	uint32_t n_texts, cap_texts;
};

static void pad(struct out *out)
{
	static const char zeros[ALIGNMENT];

	out_bytes(out, zeros, -out_memory_size(out) % ALIGNMENT);
}

static void begin_column(struct block *block, const char *name, enum kind kind)
{
	pad(block->bytes);
	MEM_GROW(block->columns, block->n_columns, block->cap_columns);
	block->columns[block->n_columns++] = (struct column){name, kind, out_memory_size(block->bytes), 0};
}

static void end_column(struct block *block)
{
	block->columns[block->n_columns - 1].end = out_memory_size(block->bytes);
}

/* The little end first, whatever this host does. */
static void put_u32(struct out *out, uint32_t value)
{
	uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};

	out_bytes(out, bytes, sizeof bytes);
}

static void put_f64(struct out *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	put_u32(out, (uint32_t)bits);
	put_u32(out, (uint32_t)(bits >> 32));
}

/* For each type and each side: of columns of n values, those at some places; NULL: all. */
static void add_values(struct block *block, const char *name, const double *values, uint32_t n, const uint32_t *places,
                       uint32_t n_places)
{
	for (uint32_t i = 0; i < flame_n_columns(&block->report->flame); i++, values += n) {
		begin_column(block, name, F64);
		for (uint32_t k = 0; k < n_places; k++)
			put_f64(block->bytes, values[places ? places[k] : k]);
		end_column(block);
	}
}

static bool has_value(const struct flame *flame, const double *values, uint32_t n, uint32_t at)
{
	for (uint32_t i = 0; i < flame_n_columns(flame); i++)
		if (values[(size_t)i * n + at] != 0)
			return true;
	return false;
}

/* ---- nodes ---- */

static void find_ends(struct block *block)
{
	const struct flame *flame = &block->report->flame;

	block->ends = mem_alloc(flame->n, sizeof *block->ends);
	for (uint32_t i = 0; i < flame->n; i++)
		if (has_value(flame, flame->self, flame->n, i))
			block->ends[block->n_ends++] = i;
}

/* Callers and ends are told by how far it is to them, which packs well. */
static void add_nodes(struct block *block)
{
	const struct flame *flame = &block->report->flame;

	begin_column(block, "up", U32);
	for (uint32_t i = 0; i < flame->n; i++)
		put_u32(block->bytes, flame->nodes[i].caller == TABLE_NONE ? 0 : i - flame->nodes[i].caller);
	end_column(block);
	begin_column(block, "row", U32);
	for (uint32_t i = 0; i < flame->n; i++)
		put_u32(block->bytes, flame->nodes[i].row);
	end_column(block);
	begin_column(block, "folded", U32);
	for (uint32_t i = 0; i < flame->n; i++)
		if (flame->n_folded[i])
			put_u32(block->bytes, flame->n_folded[i]);
	end_column(block);
	begin_column(block, "end", U32);
	for (uint32_t i = 0; i < block->n_ends; i++)
		put_u32(block->bytes, i ? block->ends[i] - block->ends[i - 1] : block->ends[i]);
	end_column(block);
	add_values(block, "self", flame->self, flame->n, block->ends, block->n_ends);
}

/* ---- rows ---- */

/* What the filters left nothing of is not for the page: such a row is there, for its number's sake, but has no name. */
static void find_rows(struct block *block)
{
	const struct flame *flame = &block->report->flame;
	uint32_t n = block->report->table.n;

	block->has_row = mem_alloc(n, sizeof *block->has_row);
	for (uint32_t i = 0; i < n; i++)
		block->has_row[i] = has_value(flame, flame->cum, n, i);
	for (uint32_t i = 0; i < flame->n; i++)
		if (flame->nodes[i].row < FLAME_NO_STACK)
			block->has_row[flame->nodes[i].row] = true;
	for (uint32_t i = 0; i < block->report->series.n_rows; i++)
		block->has_row[block->report->series.rows[i].row] = true;
}

struct text_key {
	const struct block *block;
	const char *text;
};

static bool same_text(const void *context, uint32_t at)
{
	const struct text_key *key = context;

	return strcmp(key->block->texts[at], key->text) == 0;
}

static uint32_t intern(struct block *block, const char *text)
{
	struct text_key key = {block, text};
	uint64_t hash = hash_bytes(text, strlen(text));
	uint32_t found = index_find(&block->index, hash, same_text, &key);

	if (found != INDEX_NONE)
		return found;
	MEM_GROW(block->texts, block->n_texts, block->cap_texts);
	block->texts[block->n_texts] = text;
	index_add(&block->index, hash, block->n_texts);
	return block->n_texts++;
}

/* By row: its source file. Rows of functions are of any file: that of the first place which the row stands for. */
static const char **find_files(const struct table *table)
{
	const struct profile *p = table->view->profile;
	const char **files = mem_alloc(table->n, sizeof *files);

	for (uint32_t i = 0; i < table->n; i++)
		files[i] = table->rows[i].file;
	for (uint32_t i = 1; i < p->n_locs; i++) {
		for (uint32_t k = 0; k < p->locs[i].n_lines; k++) {
			const struct function *func = &p->funcs[p->lines[p->locs[i].first_line + k].func.row];
			uint32_t row = table->entries[table->of_loc[i] + k].row;

			if (!*files[row] && text_compare(table->rows[row].name, profile_text(p, func->name)) == 0)
				files[row] = profile_text(p, func->file);
		}
	}
	return files;
}

static const char *object_of(const struct report *report, const struct row *row)
{
	object_id object = report->profile->locs[row->loc.row].object;

	return row->has_object && object.row ? profile_text(report->profile, report->profile->objects[object.row].file)
	                                     : "";
}

static void add_text(struct block *block, uint32_t row, const char *text)
{
	put_u32(block->bytes, intern(block, block->has_row[row] ? text : ""));
}

static void add_texts(struct block *block)
{
	const struct table *table = &block->report->table;
	const char **files = find_files(table);

	begin_column(block, "label", U32);
	for (uint32_t i = 0; i < table->n; i++)
		add_text(block, i, table->rows[i].label);
	end_column(block);
	begin_column(block, "file", U32);
	for (uint32_t i = 0; i < table->n; i++)
		add_text(block, i, files[i]);
	end_column(block);
	begin_column(block, "object", U32);
	for (uint32_t i = 0; i < table->n; i++)
		add_text(block, i, object_of(block->report, &table->rows[i]));
	end_column(block);
	free(files);
}

static void add_rows(struct block *block)
{
	const struct flame *flame = &block->report->flame;
	uint32_t n = block->report->table.n;

	add_texts(block);
	add_values(block, "flat", flame->flat, n, NULL, n);
	add_values(block, "cum", flame->cum, n, NULL, n);
}

/* A browser has no texts of more than 512 MB, so long ones are cut, all the more where there are many. */
static void put_text(struct out *out, const char *text, size_t n_before)
{
	enum { LONGEST = 64 << 10, SHORT = 100, FREE_BYTES = 128 << 20 };
	size_t n = strnlen(text, n_before < FREE_BYTES ? LONGEST : SHORT);
	char *CLEANUP(mem_free_local) part = mem_strndup(text, n);

	out_name(out, part);
	out_bytes(out, "", 1);
}

/* Texts as a terminal may show them, one behind the other, with a NUL after each. */
static void add_strings(struct block *block)
{
	begin_column(block, "strings", U8);
	size_t start = out_memory_size(block->bytes);
	for (uint32_t i = 0; i < block->n_texts; i++)
		put_text(block->bytes, block->texts[i], out_memory_size(block->bytes) - start);
	end_column(block);
}

/* ---- snapshots ---- */

enum { NO_SHAPE = 255 };

/* By row of the table, in scratch memory of the caller: its row of the series; NULL: it has none. */
static void index_rows(const struct series *series, const struct series_row **rows, uint32_t n)
{
	memset(rows, 0, n * sizeof *rows);
	for (uint32_t i = 0; i < series->n_rows; i++)
		rows[series->rows[i].row] = &series->rows[i];
}

static void add_judgement(struct block *block, const struct series_row **rows)
{
	uint32_t n = block->report->table.n;

	begin_column(block, "score", F64);
	for (uint32_t i = 0; i < n; i++)
		put_f64(block->bytes, rows[i] ? rows[i]->score : 0);
	end_column(block);
	begin_column(block, "churn", F64);
	for (uint32_t i = 0; i < n; i++)
		put_f64(block->bytes, rows[i] ? rows[i]->churn : 0);
	end_column(block);
	begin_column(block, "shape", U8);
	for (uint32_t i = 0; i < n; i++)
		out_bytes(block->bytes, (uint8_t[]){rows[i] ? (uint8_t)rows[i]->shape : NO_SHAPE}, 1);
	end_column(block);
}

/* The rows of a type are forgotten once they are written: all of them would be as much as the flame has. */
static void add_series_of(struct block *block, uint32_t place, const struct series_row **rows)
{
	const struct report *report = block->report;
	struct view *view = view_of_type(report->view, report->flame.types[place]);
	struct table table = report->table; /* rows do not go by type */
	struct arena *arena = arena_new();
	struct series *series = &block->series[place];

	table.view = view;
	series_build(&table, report->opts.by_cum, arena, series);
	index_rows(series, rows, table.n);
	add_judgement(block, rows);
	double *totals = arena_alloc(block->arena, series->n_snapshots, sizeof *totals);
	memcpy(totals, series->total.values, series->n_snapshots * sizeof *totals);
	series->total.values = totals;
	arena_free(arena);
	view_free(view);
}

static void add_series(struct block *block)
{
	const struct report *report = block->report;

	if (!report->series.n_snapshots)
		return;
	const struct series_row **rows = mem_alloc(report->table.n, sizeof *rows);
	block->series = arena_alloc(block->arena, report->flame.n_types, sizeof *block->series);
	for (uint32_t i = 0; i < report->flame.n_types; i++)
		add_series_of(block, i, rows);
	free(rows);
}

/* ---- the head ---- */

/* Which of a type's units --unit names, or how it is chosen. What it says may be for other types. */
static const char *shown_unit(const struct report *report, const char *unit)
{
	const char *wanted = report->opts.unit ? report->opts.unit : report->opts.show_bytes ? "B" : "minimum";
	struct unit_style style;

	if (strcmp(wanted, "auto") == 0)
		return wanted;
	struct err *err = units_wanted(wanted, unit, 0, 0, &style);
	bool is_unit = !err && strcmp(wanted, "minimum") != 0;
	err_free(err);
	return is_unit ? style.name : "minimum";
}

/* Those in which the values can be shown, the one for what is less than one of any, and what --unit says of them. */
static void write_units(struct json *json, const struct report *report, const char *unit)
{
	struct unit_style styles[UNITS_MOST];
	uint32_t n = units_list(unit, styles);

	json_begin(json, "units", '[');
	for (uint32_t i = 0; i < n; i++) {
		json_begin(json, NULL, '[');
		json_text(json, NULL, styles[i].name);
		json_number(json, NULL, styles[i].factor);
		json_end(json, ']');
	}
	json_end(json, ']');
	json_text(json, "usual", units_auto(unit, 0).name);
	json_text(json, "shown_unit", shown_unit(report, unit));
}

/* What the page needs to show what --normalize shows. */
static void write_scale(struct json *json, const struct view *shown, uint32_t type, double divisor)
{
	struct view *scaled = view_scaled(shown, type);

	json_number(json, "profile_total", scaled->ratios[type].of);
	json_number(json, "base_total", scaled->ratios[type].to);
	json_number(json, "scaled_divisor", shown->opts.of_base ? divisor : view_divisor(view_whole(scaled)));
	view_free(scaled);
}

/* What all samples have that the filters left. */
static void write_totals(struct json *json, const struct series *series)
{
	json_begin(json, "totals", '[');
	for (uint32_t i = 0; i < series->n_snapshots; i++)
		json_number(json, NULL, series->total.values[i]);
	json_end(json, ']');
	json_number(json, "total_churn", series->total.churn);
	json_text(json, "total_shape", shape_name(series->total.shape));
	json_bool(json, "has_churn", series->has_churn);
	json_number(json, "growth_divisor", series->divisor);
}

static void write_type(struct json *json, const struct block *block, uint32_t place)
{
	const struct report *report = block->report;
	const struct view *view = report->view;
	const struct profile *p = report->profile;
	const struct value_type *type = &p->types[report->flame.types[place]];

	json_begin(json, NULL, '{');
	json_text(json, "name", profile_text(p, type->type));
	json_text(json, "unit", profile_text(p, type->unit));
	json_number(json, "total", block->totals[place].total);
	json_number(json, "divisor", block->totals[place].divisor);
	if (view->has_base && !view->opts.normalize)
		write_scale(json, view, report->flame.types[place], block->totals[place].divisor);
	if (block->series)
		write_totals(json, &block->series[place]);
	write_units(json, report, profile_text(p, type->unit));
	json_end(json, '}');
}

static void write_columns(struct json *json, const struct block *block)
{
	json_begin(json, "columns", '[');
	for (uint32_t i = 0; i < block->n_columns; i++) {
		const struct column *column = &block->columns[i];

		json_begin(json, NULL, '[');
		json_text(json, NULL, column->name);
		json_text(json, NULL, kinds[column->kind].name);
		json_whole(json, NULL, (int64_t)((column->end - column->at) / kinds[column->kind].size));
		json_whole(json, NULL, (int64_t)column->at);
		json_end(json, ']');
	}
	json_end(json, ']');
}

static void write_snapshots(struct json *json, const struct block *block)
{
	const struct report *report = block->report;
	const struct series *series = &report->series;

	json_begin(json, "snapshots", '[');
	for (uint32_t i = 0; i < series->n_snapshots; i++) {
		json_begin(json, NULL, '{');
		json_text(json, "name", series->snapshots[i].name);
		json_whole(json, "set", profile_snapshot_set(report->profile, i));
		if (series->has_times) {
			json_number(json, "time", (double)series->snapshots[i].time_nanos / 1e9);
			json_number(json, "elapsed", series_nanos(series, i) / 1e9);
		}
		json_end(json, '}');
	}
	json_end(json, ']');
	json_text(json, "by", report->opts.by_cum ? "cum" : "flat");
	json_begin(json, "shapes", '[');
	for (enum shape shape = 0; shape < N_SHAPES; shape++)
		json_text(json, NULL, shape_name(shape));
	json_end(json, ']');
}

static void write_head(const struct block *block, struct out *out)
{
	const struct report *report = block->report;
	struct json json = {.out = out, .n_lines = 2};

	json_begin(&json, NULL, '{');
	json_whole(&json, "version", 1);
	json_text(&json, "program", report->program);
	json_whole(&json, "type", report->flame.shown);
	json_whole(&json, "sets", report->flame.n_sets);
	json_whole(&json, "nodes", report->flame.n);
	json_whole(&json, "nodes_before", report->flame.n_before);
	json_number(&json, "node_fraction", report->opts.trim ? report->opts.node_fraction : 0);
	json_begin(&json, "types", '[');
	for (uint32_t i = 0; i < report->flame.n_types; i++)
		write_type(&json, block, i);
	json_end(&json, ']');
	if (block->series)
		write_snapshots(&json, block);
	write_columns(&json, block);
	json_end(&json, '}');
}

/* ---- base64 (RFC 4648) ---- */

static void write_base64(struct out *out, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	enum { LINE = 57 };
	char line[LINE / 3 * 4 + 1];

	for (size_t i = 0; i < n;) {
		size_t used = 0;

		for (size_t end = i + LINE < n ? i + LINE : n; i < end; i += 3) {
			size_t left = n - i;
			uint32_t word =
				(uint32_t)bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);

			line[used++] = digits[word >> 18];
			line[used++] = digits[word >> 12 & 63];
			line[used++] = (char)(left > 1 ? digits[word >> 6 & 63] : '=');
			line[used++] = (char)(left > 2 ? digits[word & 63] : '=');
		}
		line[used++] = '\n';
		out_bytes(out, line, used);
	}
}

/* ---- the whole ---- */

/* The length of the head in four bytes; the head; the columns, whose places count from the next multiple of eight behind
 * it. */
static void write_block(const struct block *block, struct out *out)
{
	struct out *head = out_memory(), *whole = out_memory();
	struct bytes packed;
	size_t n;

	write_head(block, head);
	put_u32(whole, (uint32_t)out_memory_size(head));
	out_bytes(whole, out_memory_bytes(head, &n), out_memory_size(head));
	pad(whole);
	out_bytes(whole, out_memory_bytes(block->bytes, &n), out_memory_size(block->bytes));
	const char *bytes = out_memory_bytes(whole, &n);
	gzip_deflate(bytes, n, &packed);
	write_base64(out, packed.data, packed.size);
	free(packed.data);
	out_discard(head);
	out_discard(whole);
}

void html_data_write(const struct report *report, const struct html_total *totals, struct out *out)
{
	struct block block = {.report = report, .totals = totals, .bytes = out_memory(), .arena = arena_new()};

	find_ends(&block);
	find_rows(&block);
	add_nodes(&block);
	add_rows(&block);
	add_series(&block);
	add_strings(&block);
	write_block(&block, out);
	out_discard(block.bytes);
	index_free(&block.index);
	free(block.ends);
	free(block.has_row);
	free(block.texts);
	free(block.columns);
	arena_free(block.arena);
}

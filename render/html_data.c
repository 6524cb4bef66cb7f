#include "render/html_data.h"

#include "analyze/base/file.h"
#include "analyze/base/gzip.h"
#include "analyze/base/index.h"
#include "render/json_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- the columns ---- */

enum { ALIGNMENT = 8 };

struct column {
	const char *name;
	const char *type; /* "u8", "u32", "f64" */
	uint32_t n;
	size_t at; /* of its bytes */
};

struct block {
	const struct report *report;
	struct column *columns;
	uint32_t n_columns, cap_columns;
	uint8_t *bytes;
	size_t n_bytes, cap_bytes;

	/* Strings, each once. */
	struct index index;
	const char **texts;
	uint32_t n_texts, cap_texts;
};

static void *add_bytes(struct block *block, size_t size)
{
	size_t at = (block->n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	if (at + size > block->cap_bytes) {
		block->cap_bytes = 2 * block->cap_bytes + at + size;
		block->bytes = mem_realloc(block->bytes, block->cap_bytes, 1);
	}
	memset(block->bytes + block->n_bytes, 0, at - block->n_bytes);
	block->n_bytes = at + size;
	return block->bytes + at;
}

static void *add_column(struct block *block, const char *name, const char *type, uint32_t n)
{
	size_t size = type[1] == '8' ? 1 : type[1] == '3' ? 4 : 8;
	uint8_t *bytes = add_bytes(block, n * size);

	MEM_GROW(block->columns, block->n_columns, block->cap_columns);
	block->columns[block->n_columns++] = (struct column){name, type, n, (size_t)(bytes - block->bytes)};
	return bytes;
}

/* ---- nodes ---- */

static bool ends_samples(const struct flame *flame, uint32_t node)
{
	for (uint32_t i = 0; i < flame->n_types * flame->n_sets; i++)
		if (flame->self[(size_t)i * flame->n + node] != 0)
			return true;
	return false;
}

static uint32_t *list_ends(const struct flame *flame, uint32_t *n_ret)
{
	uint32_t *ends = mem_alloc(flame->n, sizeof *ends), n = 0;

	for (uint32_t i = 0; i < flame->n; i++)
		if (ends_samples(flame, i))
			ends[n++] = i;
	*n_ret = n;
	return ends;
}

static void add_folded(struct block *block, const struct flame *flame)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < flame->n; i++)
		n += flame->nodes[i].row == FLAME_FOLDED;
	uint32_t *folded = add_column(block, "folded", "u32", n);
	for (uint32_t i = 0; i < flame->n; i++)
		if (flame->nodes[i].row == FLAME_FOLDED)
			*folded++ = flame->n_folded[i];
}

static void add_nodes(struct block *block, const struct flame *flame)
{
	uint32_t *up = add_column(block, "up", "u32", flame->n);
	for (uint32_t i = 0; i < flame->n; i++)
		up[i] = flame->nodes[i].caller == TABLE_NONE ? 0 : i - flame->nodes[i].caller;
	uint32_t *rows = add_column(block, "row", "u32", flame->n);
	for (uint32_t i = 0; i < flame->n; i++)
		rows[i] = flame->nodes[i].row;
	add_folded(block, flame);
}

static void add_self(struct block *block, const struct flame *flame)
{
	uint32_t n, *CLEANUP(mem_free_local) ends = list_ends(flame, &n);
	uint32_t *steps = add_column(block, "end", "u32", n);

	for (uint32_t i = 0; i < n; i++)
		steps[i] = i ? ends[i] - ends[i - 1] : ends[i];
	for (uint32_t column = 0; column < flame->n_types * flame->n_sets; column++) {
		double *values = add_column(block, "self", "f64", n);

		for (uint32_t i = 0; i < n; i++)
			values[i] = flame->self[(size_t)column * flame->n + ends[i]];
	}
}

/* ---- rows ---- */

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

static const char *object_of(const struct report *report, const struct row *row)
{
	object_id object = report->profile->locs[row->loc.row].object;

	return row->has_object && object.row ? profile_text(report->profile, report->profile->objects[object.row].file)
	                                     : "";
}

static void add_texts(struct block *block)
{
	const struct report *report = block->report;
	const struct table *table = &report->table;
	uint32_t *labels = mem_alloc(table->n, 3 * sizeof *labels), *files = labels + table->n, *objects = files + table->n;

	for (uint32_t i = 0; i < table->n; i++) {
		labels[i] = intern(block, table->rows[i].label);
		files[i] = intern(block, table->rows[i].file);
		objects[i] = intern(block, object_of(report, &table->rows[i]));
	}
	memcpy(add_column(block, "label", "u32", table->n), labels, table->n * sizeof *labels);
	memcpy(add_column(block, "file", "u32", table->n), files, table->n * sizeof *labels);
	memcpy(add_column(block, "object", "u32", table->n), objects, table->n * sizeof *labels);
	free(labels);
}

static void add_rows(struct block *block)
{
	const struct flame *flame = &block->report->flame;
	uint32_t n = block->report->table.n;

	add_texts(block);
	for (uint32_t i = 0; i < flame->n_types * flame->n_sets; i++)
		memcpy(add_column(block, "flat", "f64", n), flame->flat + (size_t)i * n, n * sizeof(double));
	for (uint32_t i = 0; i < flame->n_types * flame->n_sets; i++)
		memcpy(add_column(block, "cum", "f64", n), flame->cum + (size_t)i * n, n * sizeof(double));
}

/* Texts as a terminal may show them, one behind the other, with a NUL after each. */
static void add_strings(struct block *block)
{
	struct out *texts = out_memory();
	size_t size;

	for (uint32_t i = 0; i < block->n_texts; i++) {
		out_name(texts, block->texts[i]);
		out_bytes(texts, "", 1);
	}
	const char *bytes = out_memory_bytes(texts, &size);
	memcpy(add_column(block, "strings", "u8", (uint32_t)size), bytes, size);
	out_discard(texts);
}

/* ---- the head ---- */

static void write_type(struct json *json, const struct report *report, uint32_t place)
{
	const struct profile *p = report->profile;
	const struct value_type *type = &p->types[report->flame.types[place]];
	const struct report *graph = report->graphs[place];

	json_begin(json, NULL, '{');
	json_text(json, "name", profile_text(p, type->type));
	json_text(json, "unit", profile_text(p, type->unit));
	json_number(json, "total", graph ? graph->total : report->total);
	json_number(json, "divisor", graph ? graph->divisor_of_all : report->divisor_of_all);
	json_end(json, '}');
}

static void write_columns(struct json *json, const struct block *block)
{
	json_begin(json, "columns", '[');
	for (uint32_t i = 0; i < block->n_columns; i++) {
		json_begin(json, NULL, '[');
		json_text(json, NULL, block->columns[i].name);
		json_text(json, NULL, block->columns[i].type);
		json_whole(json, NULL, block->columns[i].n);
		json_whole(json, NULL, (int64_t)block->columns[i].at);
		json_end(json, ']');
	}
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
	json_begin(&json, "types", '[');
	for (uint32_t i = 0; i < report->flame.n_types; i++)
		write_type(&json, report, i);
	json_end(&json, ']');
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
			line[used++] = left > 1 ? digits[word >> 6 & 63] : '=';
			line[used++] = left > 2 ? digits[word & 63] : '=';
		}
		line[used++] = '\n';
		out_bytes(out, line, used);
	}
}

/* The length of the head in four bytes, little end first; the head; the columns, whose places count from the next
 * multiple of eight behind it. */
static void write_block(const struct block *block, struct out *out)
{
	struct out *head = out_memory(), *whole = out_memory();
	struct bytes packed;
	size_t n_head, n_whole;

	write_head(block, head);
	const char *head_bytes = out_memory_bytes(head, &n_head);
	uint8_t length[4] = {(uint8_t)n_head, (uint8_t)(n_head >> 8), (uint8_t)(n_head >> 16), (uint8_t)(n_head >> 24)};
	out_bytes(whole, length, sizeof length);
	out_bytes(whole, head_bytes, n_head);
	out_bytes(whole, "\0\0\0\0\0\0\0", (size_t) - (n_head + sizeof length) % ALIGNMENT);
	out_bytes(whole, block->bytes, block->n_bytes);
	const char *bytes = out_memory_bytes(whole, &n_whole);
	gzip_deflate(bytes, n_whole, &packed);
	write_base64(out, packed.data, packed.size);
	free(packed.data);
	out_discard(head);
	out_discard(whole);
}

void html_data_write(const struct report *report, struct out *out)
{
	struct block block = {.report = report};

	add_nodes(&block, &report->flame);
	add_self(&block, &report->flame);
	add_rows(&block);
	add_strings(&block);
	write_block(&block, out);
	index_free(&block.index);
	free(block.texts);
	free(block.columns);
	free(block.bytes);
}

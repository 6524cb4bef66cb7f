#include "analyze/read/proto_tables.h"

#include "analyze/base/text.h"
#include "analyze/proto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_STRING = 64 << 10 };

/* Where the length of the field's bytes stands. */
static const char *length_at(const struct pb_field *field)
{
	struct span rest = {field->start, field->bytes.end};
	uint64_t tag;

	pb_take_varint(&rest, &tag);
	return rest.at;
}

/* What stands behind a length that has been checked. */
static struct span bytes_at(const struct proto_tables *tables, const char *at)
{
	struct span rest = {at, tables->end};
	uint64_t length = 0;

	pb_take_varint(&rest, &length);
	return (struct span){rest.at, rest.at + length};
}

/* ---- strings ---- */

static void add_string(struct proto_tables *tables, const struct pb_field *field)
{
	MEM_GROW(tables->strings, tables->n_strings, tables->cap_strings);
	tables->strings[tables->n_strings++] = length_at(field);
	if (tables->n_strings == 1 && field->bytes.at < field->bytes.end)
		proto_trouble(&tables->troubles, TABLE_FIRST_STRING, field->start, "expected the first string to be empty");
}

/* A NUL would end the name, so it is shown as other control characters are. */
static str_id escape_nuls(struct build *build, struct span text)
{
	static const char shown[] = {'\\', 'x', '0', '0'};
	size_t used = 0;
	char CLEANUP(mem_free_local) *escaped = mem_alloc(span_length(&text), sizeof shown);

	for (; text.at < text.end; text.at++) {
		if (*text.at) {
			escaped[used++] = *text.at;
		} else {
			memcpy(escaped + used, shown, sizeof shown);
			used += sizeof shown;
		}
	}
	return build_str(build, escaped, used);
}

/* One text may be the name of a million things, and each of them reads it. Not cut within a character. */
static struct span bound(struct proto_tables *tables, struct span text)
{
	if (span_length(&text) <= LONGEST_STRING)
		return text;
	proto_trouble(&tables->troubles, TABLE_LONG_STRING, text.at, "expected a string of at most %d bytes, found %zu",
	              LONGEST_STRING, span_length(&text));
	text.end = text.at + text_cut_bytes(text.at, span_length(&text), LONGEST_STRING);
	return text;
}

static str_id intern(struct build *build, struct span text)
{
	if (text.at < text.end && memchr(text.at, '\0', span_length(&text)))
		return escape_nuls(build, text);
	return build_str(build, text.at, span_length(&text));
}

bool proto_str(struct proto_tables *tables, uint64_t string, enum proto_trouble kind, const char *at, str_id *ret)
{
	if (!string) {
		*ret = (str_id){0};
		return true;
	}
	if (string >= tables->n_strings) {
		proto_trouble(&tables->troubles, kind, at, "expected one of %" PRIu32 " strings, found number %" PRIu64,
		              tables->n_strings, string);
		return false;
	}
	if (tables->str_ids[string].row == UINT32_MAX)
		tables->str_ids[string] = intern(tables->build, bound(tables, bytes_at(tables, tables->strings[string])));
	*ret = tables->str_ids[string];
	return true;
}

str_id proto_field_str(struct proto_tables *tables, const struct pb_field *field)
{
	str_id text = {0};

	proto_str(tables, field->value, TABLE_STRING, field->start, &text);
	return text;
}

/* ---- items by their ids ---- */

struct id_key {
	const struct id_table *table;
	uint64_t id;
};

static bool same_id(const void *context, uint32_t row)
{
	const struct id_key *key = context;

	return key->table->items[row].id == key->id;
}

struct table_item *proto_item(const struct id_table *table, uint64_t id)
{
	if (table->dense) {
		uint32_t at = id <= table->max_id ? table->dense[id] : 0;

		return at ? &table->items[at - 1] : NULL;
	}
	struct id_key key = {table, id};
	uint32_t row = index_find(&table->index, hash_u64(id), same_id, &key);
	return row == INDEX_NONE ? NULL : &table->items[row];
}

/* The id is field 1 of each of them. */
static bool take_id(struct proto_tables *tables, struct span message, uint64_t *ret)
{
	struct pb_reader in;
	struct pb_field field = {0};

	pb_open(&in, message);
	while (pb_next(&in, &field) && field.number != 1)
		;
	if (in.wrong || (field.number == 1 && field.wire != PB_VARINT)) {
		proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
		return false;
	}
	*ret = field.number == 1 ? field.value : 0;
	return true;
}

static void add_item(struct proto_tables *tables, struct id_table *table, const struct pb_field *field)
{
	uint64_t id;

	if (!take_id(tables, field->bytes, &id))
		return;
	if (!id) {
		proto_trouble(&tables->troubles, TABLE_ID, field->start, "expected a %s id above 0", table->name);
		return;
	}
	MEM_GROW(table->items, table->n, table->cap);
	table->items[table->n++] = (struct table_item){.id = id, .message = length_at(field)};
	if (id > table->max_id)
		table->max_id = id;
}

/* The first item of an id stands. */
static void seal_item(struct proto_tables *tables, struct id_table *table, uint32_t item)
{
	uint64_t id = table->items[item].id;

	if (proto_item(table, id))
		proto_trouble(&tables->troubles, TABLE_ID, table->items[item].message,
		              "expected one %s of id %" PRIu64 ", found another", table->name, id);
	else if (table->dense)
		table->dense[id] = item + 1;
	else
		index_add(&table->index, hash_u64(id), item);
}

/* Ids mostly count from 1. */
static void seal_table(struct proto_tables *tables, struct id_table *table)
{
	if (table->max_id / 4 <= table->n)
		table->dense = mem_zalloc(table->max_id + 1, sizeof *table->dense);
	for (uint32_t i = 0; i < table->n; i++)
		seal_item(tables, table, i);
}

struct span proto_item_message(const struct proto_tables *tables, const struct table_item *item)
{
	return bytes_at(tables, item->message);
}

/* ---- all of them ---- */

static void add_field(struct proto_tables *tables, const struct pb_field *field)
{
	switch (field->number) {
	case PROFILE_MAPPING:
		add_item(tables, &tables->mappings, field);
		break;
	case PROFILE_LOCATION:
		add_item(tables, &tables->locations, field);
		break;
	case PROFILE_FUNCTION:
		add_item(tables, &tables->functions, field);
		break;
	case PROFILE_STRING_TABLE:
		add_string(tables, field);
		break;
	default:
		break;
	}
}

void proto_tables_read(struct proto_tables *tables, struct span message, struct build *build)
{
	struct pb_reader in;
	struct pb_field field;

	*tables = (struct proto_tables){
		.build = build,
		.end = message.end,
		.mappings.name = "mapping",
		.functions.name = "function",
		.locations.name = "location",
	};
	pb_open(&in, message);
	while (pb_next(&in, &field))
		add_field(tables, &field);
	tables->str_ids = mem_alloc(tables->n_strings, sizeof *tables->str_ids);
	memset(tables->str_ids, 0xff, tables->n_strings * sizeof *tables->str_ids);
	seal_table(tables, &tables->mappings);
	seal_table(tables, &tables->functions);
	seal_table(tables, &tables->locations);
}

static void free_table(struct id_table *table)
{
	free(table->items);
	free(table->dense);
	index_free(&table->index);
}

void proto_tables_free(struct proto_tables *tables)
{
	free(tables->strings);
	free(tables->str_ids);
	free_table(&tables->mappings);
	free_table(&tables->functions);
	free_table(&tables->locations);
}

#include "analyze/read/proto_tables.h"

#include "analyze/proto.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Inlining goes no deeper; more would let a small file stand for endless stacks. */
enum { MOST_LINES = 1024 };

void proto_tables_init(struct proto_tables *tables, struct build *build, const char *end)
{
	*tables = (struct proto_tables){.build = build, .end = end};
	tables->mappings.name = "mapping";
	tables->functions.name = "function";
	tables->locations.name = "location";
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
	free(tables->lines);
	free_table(&tables->mappings);
	free_table(&tables->functions);
	free_table(&tables->locations);
}

/* ---- troubles ---- */

void proto_trouble(struct proto_tables *tables, enum trouble kind, const char *at, const char *format, ...)
{
	struct troubles *troubles = &tables->troubles[kind];
	va_list args;

	if (troubles->n++)
		return;
	troubles->at = at;
	va_start(args, format);
	vsnprintf(troubles->text, sizeof troubles->text, format, args);
	va_end(args);
}

void proto_bad_form(struct proto_tables *tables, enum trouble kind, const struct pb_reader *message,
                    const struct pb_field *field)
{
	if (message->wrong)
		proto_trouble(tables, kind, message->rest.at, "%s", message->wrong);
	else
		proto_trouble(tables, kind, field->start, "expected another type of field %" PRIu32, field->number);
}

/* ---- strings ---- */

void proto_add_string(struct proto_tables *tables, const struct pb_field *field)
{
	struct span tag = {field->start, field->bytes.end};
	uint64_t number;

	pb_take_varint(&tag, &number);
	MEM_GROW(tables->strings, tables->n_strings, tables->cap_strings);
	tables->strings[tables->n_strings++] = tag.at;
	if (tables->n_strings == 1 && field->bytes.at < field->bytes.end)
		proto_trouble(tables, TABLE_FIRST_STRING, field->start, "expected the first string to be empty");
}

/* What stands behind a length that has been checked. */
static struct span open_item(const struct proto_tables *tables, const char *at)
{
	struct span rest = {at, tables->end};
	uint64_t length = 0;

	pb_take_varint(&rest, &length);
	return (struct span){rest.at, rest.at + length};
}

/* A NUL would end the name, so it is shown as other control characters are. */
static str_id escape_nuls(struct build *build, struct span text)
{
	size_t used = 0;
	char CLEANUP(mem_free_local) *escaped = mem_alloc(span_length(&text), 4);

	for (; text.at < text.end; text.at++) {
		if (*text.at) {
			escaped[used++] = *text.at;
		} else {
			memcpy(escaped + used, "\\x00", 4);
			used += 4;
		}
	}
	return build_str(build, escaped, used);
}

static str_id intern(struct build *build, struct span text)
{
	if (text.at < text.end && memchr(text.at, '\0', span_length(&text)))
		return escape_nuls(build, text);
	return build_str(build, text.at, span_length(&text));
}

bool proto_str(struct proto_tables *tables, uint64_t string, enum trouble kind, const char *at, str_id *ret)
{
	if (!string) {
		*ret = (str_id){0};
		return true;
	}
	if (string >= tables->n_strings) {
		proto_trouble(tables, kind, at, "expected one of %" PRIu32 " strings, found number %" PRIu64, tables->n_strings,
		              string);
		return false;
	}
	if (tables->str_ids[string].row == UINT32_MAX)
		tables->str_ids[string] = intern(tables->build, open_item(tables, tables->strings[string]));
	*ret = tables->str_ids[string];
	return true;
}

/* A name that is not there is left out. */
static str_id table_str(struct proto_tables *tables, const struct pb_field *field)
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

static struct table_item *find(const struct id_table *table, uint64_t id)
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
		proto_bad_form(tables, TABLE_FORM, &in, &field);
		return false;
	}
	*ret = field.number == 1 ? field.value : 0;
	return true;
}

void proto_add_item(struct proto_tables *tables, struct id_table *table, const struct pb_field *field)
{
	struct span tag = {field->start, field->bytes.end};
	uint64_t number, id;

	if (!take_id(tables, field->bytes, &id))
		return;
	if (!id) {
		proto_trouble(tables, TABLE_ID, field->start, "expected a %s id above 0", table->name);
		return;
	}
	pb_take_varint(&tag, &number);
	MEM_GROW(table->items, table->n, table->cap);
	table->items[table->n++] = (struct table_item){.id = id, .message = tag.at};
	if (id > table->max_id)
		table->max_id = id;
}

/* The first item of an id stands. */
static void seal_item(struct proto_tables *tables, struct id_table *table, uint32_t item)
{
	uint64_t id = table->items[item].id;

	if (find(table, id))
		proto_trouble(tables, TABLE_ID, table->items[item].message, "expected one %s of id %" PRIu64 ", found another",
		              table->name, id);
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

/* ---- mappings ---- */

static str_id lower(struct proto_tables *tables, str_id id)
{
	const struct str *str = &build_profile(tables->build)->strs[id.row];
	char CLEANUP(mem_free_local) *text = mem_strndup(str->text, str->length);

	if (str->text[strspn(str->text, "0123456789abcdefABCDEF")])
		return id; /* of another kind, such as Go's */
	for (char *at = text; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return build_str(tables->build, text, str->length);
}

static object_id make_object(struct proto_tables *tables, str_id file, str_id build_id)
{
	if (!file.row && !build_id.row)
		return (object_id){0};
	return build_object(tables->build, file, lower(tables, build_id));
}

struct mapping_names {
	str_id file, build_id;
};

static void take_mapping_field(struct proto_tables *tables, const struct pb_field *field, struct mapping *mapping,
                               struct mapping_names *names)
{
	switch (field->number) {
	case MAPPING_MEMORY_START:
		mapping->start = field->value;
		break;
	case MAPPING_MEMORY_LIMIT:
		mapping->limit = field->value;
		break;
	case MAPPING_FILE_OFFSET:
		mapping->offset = field->value;
		break;
	case MAPPING_FILENAME:
		names->file = table_str(tables, field);
		break;
	case MAPPING_BUILD_ID:
		names->build_id = table_str(tables, field);
		break;
	case MAPPING_HAS_FUNCTIONS:
		mapping->has_functions = field->value;
		break;
	case MAPPING_HAS_FILENAMES:
		mapping->has_files = field->value;
		break;
	case MAPPING_HAS_LINE_NUMBERS:
		mapping->has_lines = field->value;
		break;
	case MAPPING_HAS_INLINE_FRAMES:
		mapping->has_inlines = field->value;
		break;
	default:
		break;
	}
}

static void make_mapping(struct proto_tables *tables, struct table_item *item)
{
	struct mapping mapping = {0};
	struct mapping_names names = {0};
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, open_item(tables, item->message));
	while (pb_next(&in, &field)) {
		if (field.wire == PB_VARINT)
			take_mapping_field(tables, &field, &mapping, &names);
		else if (field.number <= MAPPING_HAS_INLINE_FRAMES)
			proto_bad_form(tables, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(tables, TABLE_FORM, &in, &field);
	mapping.object = make_object(tables, names.file, names.build_id);
	item->row = build_map(tables->build, &mapping).row;
}

void proto_seal_tables(struct proto_tables *tables)
{
	tables->str_ids = mem_alloc(tables->n_strings, sizeof *tables->str_ids);
	memset(tables->str_ids, 0xff, tables->n_strings * sizeof *tables->str_ids);
	seal_table(tables, &tables->mappings);
	seal_table(tables, &tables->functions);
	seal_table(tables, &tables->locations);
	build_maps_begin(tables->build);
	for (uint32_t i = 0; i < tables->mappings.n; i++)
		make_mapping(tables, &tables->mappings.items[i]);
}

/* ---- functions ---- */

/* Lines and columns are int64 in the file; what no source file has counts as not known. */
static uint32_t line_number(uint64_t value)
{
	return value <= INT32_MAX ? (uint32_t)value : 0;
}

static void make_function(struct proto_tables *tables, struct table_item *item)
{
	struct function function = {0};
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, open_item(tables, item->message));
	while (pb_next(&in, &field)) {
		bool is_number = field.wire == PB_VARINT;

		if (field.number == FUNCTION_NAME && is_number)
			function.name = table_str(tables, &field);
		else if (field.number == FUNCTION_SYSTEM_NAME && is_number)
			function.system_name = table_str(tables, &field);
		else if (field.number == FUNCTION_FILENAME && is_number)
			function.file = table_str(tables, &field);
		else if (field.number == FUNCTION_START_LINE && is_number)
			function.start_line = line_number(field.value);
		else if (field.number <= FUNCTION_START_LINE && !is_number)
			proto_bad_form(tables, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(tables, TABLE_FORM, &in, &field);
	if (!function.name.row)
		function.name = function.system_name;
	item->row = build_func(tables->build, &function).row;
}

static bool find_function(struct proto_tables *tables, uint64_t id, const char *at, func_id *ret)
{
	struct table_item *item = find(&tables->functions, id);

	if (!item) {
		proto_trouble(tables, TABLE_FUNCTION, at, "expected a function of id %" PRIu64 ", found none", id);
		return false;
	}
	if (!item->row)
		make_function(tables, item);
	*ret = (func_id){item->row};
	return true;
}

/* ---- locations ---- */

static void push_line(struct proto_tables *tables, const struct pb_field *message)
{
	struct line line = {0};
	uint64_t function = 0;
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, message->bytes);
	while (pb_next(&in, &field)) {
		if (field.number == LINE_FUNCTION_ID && field.wire == PB_VARINT)
			function = field.value;
		else if (field.number == LINE_LINE && field.wire == PB_VARINT)
			line.line = line_number(field.value);
		else if (field.number == LINE_COLUMN && field.wire == PB_VARINT)
			line.column = line_number(field.value);
		else if (field.number <= LINE_COLUMN)
			proto_bad_form(tables, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(tables, TABLE_FORM, &in, &field);
	else if (tables->n_lines == MOST_LINES)
		proto_trouble(tables, TABLE_LINES, message->start, "expected at most %d lines in a location", MOST_LINES);
	else if (find_function(tables, function, message->start, &line.func)) {
		MEM_GROW(tables->lines, tables->n_lines, tables->cap_lines);
		tables->lines[tables->n_lines++] = line;
	}
}

static map_id find_mapping(struct proto_tables *tables, const struct pb_field *field)
{
	struct table_item *item = field->value ? find(&tables->mappings, field->value) : NULL;

	if (field->value && !item)
		proto_trouble(tables, TABLE_MAPPING, field->start, "expected a mapping of id %" PRIu64 ", found none",
		              field->value);
	return (map_id){item ? item->row : 0};
}

static void make_location(struct proto_tables *tables, struct table_item *item)
{
	uint64_t addr = 0;
	map_id map = {0};
	struct pb_reader in;
	struct pb_field field;

	tables->n_lines = 0;
	pb_open(&in, open_item(tables, item->message));
	while (pb_next(&in, &field)) {
		if (field.number == LOCATION_MAPPING_ID && field.wire == PB_VARINT)
			map = find_mapping(tables, &field);
		else if (field.number == LOCATION_ADDRESS && field.wire == PB_VARINT)
			addr = field.value;
		else if (field.number == LOCATION_LINE && field.wire == PB_BYTES)
			push_line(tables, &field);
		else if (field.number > LOCATION_ID && field.number <= LOCATION_LINE)
			proto_bad_form(tables, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(tables, TABLE_FORM, &in, &field);
	loc_id loc = build_placed_loc(tables->build, addr, map);
	item->row = loc.row;
	item->n_lines = tables->n_lines;
	if (tables->n_lines)
		build_lines(tables->build, loc, tables->lines, tables->n_lines);
}

const struct table_item *proto_loc(struct proto_tables *tables, uint64_t id)
{
	struct table_item *item = find(&tables->locations, id);

	if (item && !item->row)
		make_location(tables, item);
	return item;
}

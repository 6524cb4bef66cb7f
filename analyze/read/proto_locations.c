#include "analyze/read/proto_locations.h"

#include "analyze/proto.h"
#include "analyze/read/maps.h"

#include <inttypes.h>

/* Inlining goes no deeper; more would let a small file stand for endless stacks. */
enum { MOST_LINES = 1024 };

/* ---- mappings ---- */

static object_id make_object(struct proto_tables *tables, str_id file, str_id build_id)
{
	const struct str *id = &build_profile(tables->build)->strs[build_id.row];

	if (!file.row && !build_id.row)
		return (object_id){0};
	return build_object(tables->build, file,
	                    maps_build_id(tables->build, (struct span){id->text, id->text + id->length}));
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
		names->file = proto_field_str(tables, field);
		break;
	case MAPPING_BUILD_ID:
		names->build_id = proto_field_str(tables, field);
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

	pb_open(&in, proto_item_message(tables, item));
	while (pb_next(&in, &field)) {
		if (field.wire == PB_VARINT)
			take_mapping_field(tables, &field, &mapping, &names);
		else if (field.number <= MAPPING_HAS_INLINE_FRAMES)
			proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	mapping.object = make_object(tables, names.file, names.build_id);
	item->row = build_map(tables->build, &mapping).row;
}

void proto_make_mappings(struct proto_tables *tables)
{
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

	pb_open(&in, proto_item_message(tables, item));
	while (pb_next(&in, &field)) {
		bool is_number = field.wire == PB_VARINT;

		if (field.number == FUNCTION_NAME && is_number)
			function.name = proto_field_str(tables, &field);
		else if (field.number == FUNCTION_SYSTEM_NAME && is_number)
			function.system_name = proto_field_str(tables, &field);
		else if (field.number == FUNCTION_FILENAME && is_number)
			function.file = proto_field_str(tables, &field);
		else if (field.number == FUNCTION_START_LINE && is_number)
			function.start_line = line_number(field.value);
		else if (field.number <= FUNCTION_START_LINE && !is_number)
			proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	if (!function.name.row)
		function.name = function.system_name;
	item->row = build_func(tables->build, &function).row;
}

static bool find_function(struct proto_tables *tables, uint64_t id, const char *at, func_id *ret)
{
	struct table_item *item = proto_item(&tables->functions, id);

	if (!item) {
		proto_trouble(&tables->troubles, TABLE_FUNCTION, at, "expected a function of id %" PRIu64 ", found none", id);
		return false;
	}
	if (!item->row)
		make_function(tables, item);
	*ret = (func_id){item->row};
	return true;
}

/* ---- locations ---- */

/* The lines of a location, the innermost inlined function first. */
struct lines {
	struct line items[MOST_LINES];
	uint32_t n;
};

/* False: it is no sound message, or its function is not there. */
static bool parse_line(struct proto_tables *tables, const struct pb_field *message, struct line *ret)
{
	uint64_t function = 0;
	struct pb_reader in;
	struct pb_field field;

	*ret = (struct line){0};
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field)) {
		if (field.number == LINE_FUNCTION_ID && field.wire == PB_VARINT)
			function = field.value;
		else if (field.number == LINE_LINE && field.wire == PB_VARINT)
			ret->line = line_number(field.value);
		else if (field.number == LINE_COLUMN && field.wire == PB_VARINT)
			ret->column = line_number(field.value);
		else if (field.number <= LINE_COLUMN)
			proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	}
	if (!in.wrong)
		return find_function(tables, function, message->start, &ret->func);
	proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	return false;
}

static void push_line(struct proto_tables *tables, const struct pb_field *message, struct lines *lines)
{
	struct line line;

	if (lines->n == MOST_LINES)
		proto_trouble(&tables->troubles, TABLE_LINES, message->start, "expected at most %d lines in a location",
		              MOST_LINES);
	else if (parse_line(tables, message, &line))
		lines->items[lines->n++] = line;
}

static map_id find_mapping(struct proto_tables *tables, const struct pb_field *field)
{
	struct table_item *item = field->value ? proto_item(&tables->mappings, field->value) : NULL;

	if (field->value && !item)
		proto_trouble(&tables->troubles, TABLE_MAPPING, field->start,
		              "expected a mapping of id %" PRIu64 ", found none", field->value);
	return (map_id){item ? item->row : 0};
}

static void make_location(struct proto_tables *tables, struct table_item *item)
{
	struct lines lines;
	uint64_t addr = 0;
	map_id map = {0};
	struct pb_reader in;
	struct pb_field field;

	lines.n = 0;
	pb_open(&in, proto_item_message(tables, item));
	while (pb_next(&in, &field)) {
		if (field.number == LOCATION_MAPPING_ID && field.wire == PB_VARINT)
			map = find_mapping(tables, &field);
		else if (field.number == LOCATION_ADDRESS && field.wire == PB_VARINT)
			addr = field.value;
		else if (field.number == LOCATION_LINE && field.wire == PB_BYTES)
			push_line(tables, &field, &lines);
		else if (field.number > LOCATION_ID && field.number <= LOCATION_LINE)
			proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	}
	if (in.wrong)
		proto_bad_form(&tables->troubles, TABLE_FORM, &in, &field);
	loc_id loc = build_placed_loc(tables->build, addr, map);
	item->row = loc.row;
	if (lines.n)
		build_lines(tables->build, loc, lines.items, lines.n);
}

const struct table_item *proto_location(struct proto_tables *tables, uint64_t id)
{
	struct table_item *item = proto_item(&tables->locations, id);

	if (item && !item->row)
		make_location(tables, item);
	return item;
}

/* The tables of one Profile message: strings, mappings, functions and locations, in any order in the file. They are found
 * by their ids, and become rows of the profile where a sample first uses them. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/base/index.h"
#include "analyze/base/pb.h"
#include "analyze/build.h"

/* What can be wrong with a table or a sample; each kind gets one note. */
enum trouble {
	SAMPLE_FORM,   /* not a message, or a field of another type */
	SAMPLE_VALUES, /* not one for each type */
	SAMPLE_LOCATION,
	SAMPLE_STRING,
	SAMPLE_DEPTH,
	N_SAMPLE_TROUBLES,
	TABLE_FORM = N_SAMPLE_TROUBLES,
	TABLE_ID,
	TABLE_STRING,
	TABLE_FIRST_STRING,
	TABLE_FUNCTION,
	TABLE_MAPPING,
	TABLE_LINES,
	TABLE_COMMENTS,
	N_TROUBLES
};

struct troubles {
	uint32_t n;
	const char *at; /* where the first is, and what it is */
	char text[120];
};

struct table_item {
	uint64_t id;
	const char *message; /* at its length, which has been checked */
	uint32_t row;        /* of the profile; 0: not made yet */
	uint32_t n_lines;    /* of a location that has been made */
};

struct id_table {
	const char *name; /* "location", for messages */
	struct table_item *items;
	uint32_t n, cap;
	uint64_t max_id;
	uint32_t *dense; /* by id: one more than its item; NULL: ids are far apart, and index finds them */
	struct index index;
};

struct proto_tables {
	struct build *build;
	const char *end;      /* of the bytes that hold them */
	const char **strings; /* each at its length */
	str_id *str_ids;      /* row UINT32_MAX: not made yet */
	uint32_t n_strings, cap_strings;
	struct id_table mappings, functions, locations;
	struct line *lines; /* of the location that is being made */
	uint32_t n_lines, cap_lines;
	struct troubles troubles[N_TROUBLES];
};

void proto_tables_init(struct proto_tables *tables, struct build *build, const char *end);
void proto_tables_free(struct proto_tables *tables);

/* Counts a trouble; the text of the first of its kind is kept. */
void proto_trouble(struct proto_tables *tables, enum trouble kind, const char *at, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* Says what was wrong with a message that ended early, or with the type of one of its fields. */
void proto_bad_form(struct proto_tables *tables, enum trouble kind, const struct pb_reader *message,
                    const struct pb_field *field);

/* Fields of Profile: string_table, mapping, function and location. All of them come before the calls below. */
void proto_add_string(struct proto_tables *tables, const struct pb_field *field);
void proto_add_item(struct proto_tables *tables, struct id_table *table, const struct pb_field *field);
/* Makes all mappings, in their order. */
void proto_seal_tables(struct proto_tables *tables);

/* False, and a trouble of this kind, where the table has no such string; at is for the message. */
bool proto_str(struct proto_tables *tables, uint64_t string, enum trouble kind, const char *at, str_id *ret);
/* NULL where there is no location of this id. */
const struct table_item *proto_loc(struct proto_tables *tables, uint64_t id);

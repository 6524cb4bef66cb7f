/* The tables of one Profile message: strings, mappings, functions and locations, in any order in the file. Strings are
 * found by their numbers, the others by their ids. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/base/pb.h"
#include "analyze/build.h"
#include "analyze/read/proto_troubles.h"

struct table_item {
	uint64_t id;
	const char *message; /* at its length, which has been checked */
	uint32_t row;        /* of the profile; 0: not made yet */
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
	struct proto_troubles troubles; /* of all that is read by these tables */
};

/* Reads the tables of the message, whose bytes have to outlive them. */
void proto_tables_read(struct proto_tables *tables, struct span message, struct build *build);
void proto_tables_free(struct proto_tables *tables);

/* False, and a trouble of this kind, where the table has no such string; at is for the message. */
bool proto_str(struct proto_tables *tables, uint64_t string, enum proto_trouble kind, const char *at, str_id *ret);
/* The string whose number this field of a table holds. What is not there is left out (row 0), and is a trouble. */
str_id proto_field_str(struct proto_tables *tables, const struct pb_field *field);

/* NULL where there is no item of this id. */
struct table_item *proto_item(const struct id_table *table, uint64_t id);
/* The bytes of its message. */
struct span proto_item_message(const struct proto_tables *tables, const struct table_item *item);

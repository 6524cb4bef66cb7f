/* Mappings, functions and locations of a Profile message: they become rows of the profile, mappings at once, the others
 * where a sample first uses them. */
#pragma once

#include "analyze/read/proto_tables.h"

/* Makes all mappings, in their order. */
void proto_make_mappings(struct proto_tables *tables);
/* The location of this id, which is made at the first call; NULL: there is none. */
const struct table_item *proto_location(struct proto_tables *tables, uint64_t id);

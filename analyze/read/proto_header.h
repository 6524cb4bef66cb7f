/* What a Profile message says of the whole: sample types, period, times, comments. */
#pragma once

#include "analyze/read/proto_tables.h"

/* Reads it from the message into the build of the tables, which have been read. The error says that there are no sample
 * types, or too many, or one without a name. */
struct err *proto_header_read(struct span message, const struct cursor *in, struct proto_tables *tables) MUST_CHECK;

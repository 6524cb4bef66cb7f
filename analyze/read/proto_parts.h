/* The profiles in one file. Files that were put one behind the other are a single message to protobuf, whose tables would
 * then be mixed up. */
#pragma once

#include "analyze/base/pb.h"

struct proto_parts {
	struct span *items; /* the bytes of one Profile each; at least one; the caller frees them */
	uint32_t n;
	const char *damage; /* where the whole fields end; NULL: with the file */
	const char *wrong;  /* what was expected there */
};

/* Reads on to the end of the bytes, or to where they are damaged. */
void proto_parts_find(struct proto_parts *parts, struct span bytes);

/* True where the field is of the type that a Profile has it in, or of a later version. */
bool proto_field_is_known(const struct pb_field *field);

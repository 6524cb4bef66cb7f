/* protobuf's wire format: fields taken from a span and never from beyond it, and fields put into a growing buffer. */
#pragma once

#include "analyze/base/cursor.h"

#include <stdint.h>

/* How a field is written. Types 3 and 4, the groups, were given up before there was a profile.proto. */
enum pb_wire { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, PB_FIXED32 = 5 };

struct pb_field {
	uint32_t number;
	enum pb_wire wire;
	uint64_t value;    /* of a varint */
	struct span bytes; /* of PB_BYTES: a string, a message or packed numbers */
	const char *start; /* the field's first byte */
};

struct pb_reader {
	struct span rest;
	const char *wrong; /* what was expected where rest begins; NULL: nothing is wrong */
};

static inline void pb_open(struct pb_reader *in, struct span message)
{
	*in = (struct pb_reader){message, NULL};
}

/* The next field. False at the end of the message, and where what follows is no field: then in->wrong says why. */
bool pb_next(struct pb_reader *in, struct pb_field *ret);

bool pb_take_long_varint(struct span *span, uint64_t *ret);

/* Eats a number of at most 64 bits from the front; false, and nothing eaten, where there is none. */
static inline bool pb_take_varint(struct span *span, uint64_t *ret)
{
	if (span->at == span->end || (unsigned char)*span->at >= 0x80)
		return pb_take_long_varint(span, ret);
	*ret = (unsigned char)*span->at++;
	return true;
}

struct pb_writer {
	char *data; /* the caller frees it with pb_writer_free */
	size_t size, cap;
};

void pb_writer_free(struct pb_writer *out);
void pb_writer_clear(struct pb_writer *out); /* keeps the room */

/* A number without a field, for packed ones. */
void pb_put_varint(struct pb_writer *out, uint64_t value);
/* A field that holds a number. 0 is what a reader takes for a field that is not there, so it is left out. */
void pb_put_number(struct pb_writer *out, uint32_t field, uint64_t value);
void pb_put_bytes(struct pb_writer *out, uint32_t field, const void *data, size_t size);
void pb_put_message(struct pb_writer *out, uint32_t field, const struct pb_writer *message);

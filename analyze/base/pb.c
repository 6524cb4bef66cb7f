#include "analyze/base/pb.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_VARINT = 10, MOST_FIELDS = (1 << 29) - 1 };

/* ---- reading ---- */

bool pb_take_long_varint(struct span *span, uint64_t *ret)
{
	const char *at = span->at;
	uint64_t value = 0;

	for (unsigned shift = 0; at < span->end && shift < 7 * LONGEST_VARINT; shift += 7) {
		uint64_t bits = (unsigned char)*at++;

		value |= (bits & 0x7f) << shift;
		if (bits >= 0x80)
			continue;
		if (shift == 63 && bits > 1)
			return false;
		span->at = at;
		*ret = value;
		return true;
	}
	return false;
}

static bool take_bytes(struct span *span, struct span *ret)
{
	uint64_t length;

	if (!pb_take_varint(span, &length) || length > span_length(span))
		return false;
	*ret = (struct span){span->at, span->at + length};
	span->at += length;
	return true;
}

static bool skip(struct span *span, size_t n)
{
	if (span_length(span) < n)
		return false;
	span->at += n;
	return true;
}

/* NULL, or what was expected. */
static const char *take_value(struct span *span, struct pb_field *field)
{
	switch (field->wire) {
	case PB_VARINT:
		return pb_take_varint(span, &field->value) ? NULL : "expected a number of at most 64 bits";
	case PB_BYTES:
		return take_bytes(span, &field->bytes) ? NULL : "expected a length within the rest";
	case PB_FIXED64:
		return skip(span, 8) ? NULL : "expected 8 bytes";
	case PB_FIXED32:
		return skip(span, 4) ? NULL : "expected 4 bytes";
	}
	return "expected a field of type 0, 1, 2 or 5";
}

bool pb_next(struct pb_reader *in, struct pb_field *ret)
{
	struct span rest = in->rest;
	uint64_t tag;

	if (rest.at == rest.end || in->wrong)
		return false;
	ret->start = rest.at;
	if (!pb_take_varint(&rest, &tag) || !(tag >> 3) || tag >> 3 > MOST_FIELDS) {
		in->wrong = "expected a field";
		return false;
	}
	ret->number = (uint32_t)(tag >> 3);
	ret->wire = (enum pb_wire)(tag & 7);
	in->wrong = take_value(&rest, ret);
	if (in->wrong)
		return false;
	in->rest = rest;
	return true;
}

/* ---- writing ---- */

static void make_room(struct pb_writer *out, size_t n)
{
	if (out->cap - out->size >= n)
		return;
	out->cap = out->cap * 2 > out->size + n ? out->cap * 2 : out->size + n + 64;
	out->data = mem_realloc(out->data, out->cap, 1);
}

static void put(struct pb_writer *out, const void *data, size_t size)
{
	make_room(out, size);
	if (size)
		memcpy(out->data + out->size, data, size);
	out->size += size;
}

void pb_writer_free(struct pb_writer *out)
{
	free(out->data);
	*out = (struct pb_writer){0};
}

void pb_writer_clear(struct pb_writer *out)
{
	out->size = 0;
}

void pb_put_varint(struct pb_writer *out, uint64_t value)
{
	make_room(out, LONGEST_VARINT);
	for (; value >= 0x80; value >>= 7)
		out->data[out->size++] = (char)(value | 0x80);
	out->data[out->size++] = (char)value;
}

static void put_tag(struct pb_writer *out, uint32_t field, enum pb_wire wire)
{
	pb_put_varint(out, (uint64_t)field << 3 | wire);
}

void pb_put_number(struct pb_writer *out, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	put_tag(out, field, PB_VARINT);
	pb_put_varint(out, value);
}

void pb_put_bytes(struct pb_writer *out, uint32_t field, const void *data, size_t size)
{
	put_tag(out, field, PB_BYTES);
	pb_put_varint(out, size);
	put(out, data, size);
}

void pb_put_message(struct pb_writer *out, uint32_t field, const struct pb_writer *message)
{
	pb_put_bytes(out, field, message->data, message->size);
}

/* libFuzzer changes a message and the length before it together only by luck. So this takes a message out, lets libFuzzer
 * change that, and puts it back with its length; or it says a field twice, or not at all. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/base/pb.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 3 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

struct message {
	uint8_t *data;
	size_t size, max_size;
};

struct place {
	struct pb_field field;
	size_t begin, end; /* of the field in its message */
};

static bool pick_field(const struct message *message, unsigned *seed, struct place *ret)
{
	const char *data = (const char *)message->data;
	struct pb_reader in;
	struct pb_field field;
	int n = 0;

	pb_open(&in, (struct span){data, data + message->size});
	while (pb_next(&in, &field))
		if (rand_r(seed) % ++n == 0)
			*ret = (struct place){field, (size_t)(field.start - data), (size_t)(in.rest.at - data)};
	return n > 0;
}

/* Puts these bytes in the place of those from begin to end, if there is room. */
static void splice(struct message *message, size_t begin, size_t end, const void *bytes, size_t n)
{
	size_t behind = message->size - end;

	if (begin + n + behind > message->max_size)
		return;
	memmove(message->data + begin + n, message->data + end, behind);
	memcpy(message->data + begin, bytes, n);
	message->size = begin + n + behind;
}

static void say_twice(struct message *message, const struct place *place)
{
	size_t n = place->end - place->begin;
	uint8_t *copy = mem_alloc(n, 1);

	memcpy(copy, message->data + place->begin, n);
	splice(message, place->end, place->end, copy, n);
	free(copy);
}

static void mutate(struct message *message, unsigned *seed, int depth);

static void mutate_inner(struct message *message, const struct place *place, unsigned *seed, int depth)
{
	size_t n = span_length(&place->field.bytes);
	struct message inner = {mem_alloc(message->max_size, 1), n, message->max_size};
	struct pb_writer out = {0};

	memcpy(inner.data, place->field.bytes.at, n);
	mutate(&inner, seed, depth + 1);
	pb_put_bytes(&out, place->field.number, inner.data, inner.size);
	splice(message, place->begin, place->end, out.data, out.size);
	pb_writer_free(&out);
	free(inner.data);
}

static void mutate(struct message *message, unsigned *seed, int depth)
{
	struct place place;
	int choice = rand_r(seed) % 8;

	if (choice < 3 || depth == MOST_DEPTH || !pick_field(message, seed, &place))
		message->size = LLVMFuzzerMutate(message->data, message->size, message->max_size);
	else if (choice == 3)
		splice(message, place.begin, place.end, "", 0);
	else if (choice == 4)
		say_twice(message, &place);
	else if (place.field.wire == PB_BYTES)
		mutate_inner(message, &place, seed, depth);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct message message = {data, size, max_size};

	mutate(&message, &seed, 0);
	return message.size;
}

#include "analyze/base/index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

struct index_slot {
	uint32_t tag; /* the hash's upper half gives the place, and refuses most wrong rows without a call */
	uint32_t row;
};

uint64_t hash_secret[2] = {0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u};

/* The kernel gives each process 16 random bytes. A file that knew the secret could give all its rows one place. */
__attribute__((constructor)) static void choose_secret(void)
{
	const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);

	if (random)
		memcpy(hash_secret, random, sizeof hash_secret);
	hash_secret[1] |= 1;
}

uint64_t hash_u64(uint64_t value)
{
	return hash_fold(hash_mix(value), 0x9e3779b97f4a7c15u);
}

uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return hash_u64(hash_mix(a) + b);
}

uint64_t hash_bytes(const void *data, size_t size)
{
	const unsigned char *bytes = data;
	uint64_t hash = size;
	uint64_t word;

	for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
		memcpy(&word, bytes, sizeof word);
		hash = hash_mix(hash ^ word);
	}
	word = 0;
	if (size)
		memcpy(&word, bytes, size);
	return hash_u64(hash ^ word);
}

static uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

uint32_t index_find(const struct index *index, uint64_t hash, index_same_fn *same, const void *context)
{
	if (!index->cap)
		return INDEX_NONE;
	uint32_t mask = index->cap - 1;

	for (uint32_t i = tag_of(hash) & mask;; i = (i + 1) & mask) {
		const struct index_slot *slot = &index->slots[i];

		if (slot->row == INDEX_NONE)
			return INDEX_NONE;
		if (slot->tag == tag_of(hash) && same(context, slot->row))
			return slot->row;
	}
}

static void place(struct index_slot *slots, uint32_t mask, uint32_t at, struct index_slot slot)
{
	uint32_t i = at & mask;

	while (slots[i].row != INDEX_NONE)
		i = (i + 1) & mask;
	slots[i] = slot;
}

/* Places come from the tag, so that growing needs no other hash than the one kept. */
static void grow(struct index *index)
{
	uint32_t cap = index->cap ? index->cap * 2 : 64;
	struct index_slot *slots = mem_alloc(cap, sizeof *slots);

	memset(slots, 0xff, cap * sizeof *slots);
	for (uint32_t i = 0; i < index->cap; i++)
		if (index->slots[i].row != INDEX_NONE)
			place(slots, cap - 1, index->slots[i].tag, index->slots[i]);
	free(index->slots);
	index->slots = slots;
	index->cap = cap;
}

void index_add(struct index *index, uint64_t hash, uint32_t row)
{
	if (index->n >= index->cap / 4 * 3)
		grow(index);
	place(index->slots, index->cap - 1, tag_of(hash), (struct index_slot){tag_of(hash), row});
	index->n++;
}

void index_free(struct index *index)
{
	free(index->slots);
	*index = (struct index){0};
}

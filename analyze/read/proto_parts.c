#include "analyze/read/proto_parts.h"

#include "analyze/base/mem.h"
#include "analyze/proto.h"

#include <stdlib.h>

enum { MOST_PARTS = 4096 };

/* The bytes of a part, and what its fields so far tell. */
struct part {
	struct span bytes;
	bool has_types, has_strings, has_tables;
	bool starts_strings; /* its first string is the empty one */
	bool strings_ended;  /* another field came after a string */
	uint32_t last;       /* the number of the field that came last */
	uint32_t once;       /* a bit for each field that a profile has once */
};

struct list {
	struct part *items;
	uint32_t n, cap;
};

static bool is_message(uint32_t number)
{
	return number <= PROFILE_STRING_TABLE || number == PROFILE_PERIOD_TYPE;
}

bool proto_field_is_known(const struct pb_field *field)
{
	if (field->number >= N_PROFILE_FIELDS)
		return true;
	if (is_message(field->number))
		return field->wire == PB_BYTES;
	return field->wire == PB_VARINT || (field->wire == PB_BYTES && field->number == PROFILE_COMMENT);
}

static bool is_once(const struct pb_field *field)
{
	return field->number >= PROFILE_DROP_FRAMES && field->number < N_PROFILE_FIELDS && field->number != PROFILE_COMMENT;
}

/* Can the field not belong to what came before it? A second table of strings, a type behind the samples, or what a
 * profile has but once. */
static bool begins_another(const struct part *part, const struct pb_field *field)
{
	if (field->number == PROFILE_STRING_TABLE)
		return part->has_types && part->strings_ended && field->bytes.at == field->bytes.end;
	if (field->number == PROFILE_SAMPLE_TYPE)
		return part->has_types && part->has_strings && part->last != PROFILE_SAMPLE_TYPE;
	return is_once(field) && part->has_strings && part->once >> field->number & 1;
}

static void note_field(struct part *part, const struct pb_field *field)
{
	bool is_string = field->number == PROFILE_STRING_TABLE;

	part->last = field->number;
	part->has_types |= field->number == PROFILE_SAMPLE_TYPE;
	part->has_tables |= field->number > PROFILE_SAMPLE_TYPE && field->number < PROFILE_STRING_TABLE;
	if (is_string && !part->has_strings)
		part->starts_strings = field->bytes.at == field->bytes.end;
	part->strings_ended |= part->has_strings && !is_string;
	part->has_strings |= is_string;
	if (is_once(field))
		part->once |= 1u << field->number;
}

static struct part *push_part(struct list *list, const char *at)
{
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n] = (struct part){.bytes = {at, at}};
	return &list->items[list->n++];
}

/* NULL, or what is wrong with the field. */
static const char *take_field(struct list *list, const struct pb_field *field, const char *end)
{
	struct part *part = &list->items[list->n - 1];

	if (!proto_field_is_known(field))
		return "expected another type of field";
	if (begins_another(part, field)) {
		if (list->n == MOST_PARTS)
			return "expected at most 4096 profiles in a file";
		part = push_part(list, field->start);
	}
	note_field(part, field);
	part->bytes.end = end;
	return NULL;
}

/* A part that lacks its strings may yet be one: where the file is cut, they may be what is lost. */
static bool stands_alone(const struct part *part, bool is_cut, const struct part *before)
{
	if (!part->has_types)
		return false;
	return part->starts_strings || (is_cut && !part->has_strings && before->has_tables);
}

/* What cannot stand alone was a sign that misled: it goes back to the part before it. */
static void join_parts(struct proto_parts *parts, struct list *list)
{
	uint32_t n = 1;

	for (uint32_t i = 1; i < list->n; i++) {
		const struct part *part = &list->items[i];
		bool is_cut = parts->damage && i + 1 == list->n;

		if (stands_alone(part, is_cut, &list->items[n - 1]))
			list->items[n++] = *part;
		else
			list->items[n - 1].bytes.end = part->bytes.end;
	}
	parts->n = n;
	parts->items = mem_alloc(n, sizeof *parts->items);
	for (uint32_t i = 0; i < n; i++)
		parts->items[i] = list->items[i].bytes;
}

void proto_parts_find(struct proto_parts *parts, struct span bytes)
{
	struct list list = {0};
	struct pb_reader in;
	struct pb_field field;

	*parts = (struct proto_parts){0};
	push_part(&list, bytes.at);
	pb_open(&in, bytes);
	while (!parts->wrong && pb_next(&in, &field))
		parts->wrong = take_field(&list, &field, in.rest.at);
	if (!parts->wrong)
		parts->wrong = in.wrong;
	if (parts->wrong)
		parts->damage = list.items[list.n - 1].bytes.end;
	join_parts(parts, &list);
	free(list.items);
}

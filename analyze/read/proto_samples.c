#include "analyze/read/proto_samples.h"

#include "analyze/proto.h"
#include "analyze/read/proto_locations.h"
#include "analyze/read/stack_addrs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct samples {
	struct proto_tables *tables;
	struct build *build;
	bool is_heap; /* the label "bytes" says what space and objects do */
	bool has_block_sizes;
	int64_t block_size; /* of the sample at hand; 0: it is not said */
	loc_id *frames;     /* of the sample at hand, as the others */
	double *values;
	struct label *labels;
	uint32_t n_frames, n_values, n_labels, cap_frames, cap_values, cap_labels;
	uint64_t n, n_bad;
};

/* In a heap, the label "bytes" is the size of the blocks: space divided by objects. Kept, it would keep apart what grew. */
static bool measures_blocks(const struct profile *profile)
{
	static const char *const pairs[][2] = {
		{"inuse_space", "inuse_objects"}, {"alloc_space", "alloc_objects"}, {"space", "objects"}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (profile_find_type(profile, pairs[i][0]) < profile->n_types &&
		    profile_find_type(profile, pairs[i][1]) < profile->n_types)
			return true;
	return false;
}

static bool push_frame(struct samples *s, uint64_t id, const char *at)
{
	const struct table_item *loc = proto_location(s->tables, id);

	if (!loc) {
		proto_trouble(&s->tables->troubles, SAMPLE_LOCATION, at, "expected a location of id %" PRIu64 ", found none",
		              id);
		return false;
	}
	if (s->n_frames == DEEPEST_STACK) {
		proto_trouble(&s->tables->troubles, SAMPLE_DEPTH, at, "expected at most %d frames", DEEPEST_STACK);
		return false;
	}
	MEM_GROW(s->frames, s->n_frames, s->cap_frames);
	s->frames[s->n_frames++] = (loc_id){loc->row};
	return true;
}

static bool push_value(struct samples *s, uint64_t value, const char *at)
{
	(void)at;
	MEM_GROW(s->values, s->n_values, s->cap_values);
	s->values[s->n_values++] = (double)(int64_t)value;
	return true;
}

/* Numbers stand one a field, or packed into one. */
static inline bool push_numbers(struct samples *s, const struct pb_field *field,
                                bool (*push)(struct samples *s, uint64_t number, const char *at))
{
	struct span numbers = field->bytes;
	uint64_t number;

	if (field->wire == PB_VARINT)
		return push(s, field->value, field->start);
	while (numbers.at < numbers.end) {
		const char *at = numbers.at;

		if (!pb_take_varint(&numbers, &number)) {
			proto_trouble(&s->tables->troubles, SAMPLE_FORM, at, "expected a number of at most 64 bits");
			return false;
		}
		if (!push(s, number, at))
			return false;
	}
	return true;
}

static bool take_label_field(struct samples *s, const struct pb_reader *in, const struct pb_field *field,
                             struct label *label)
{
	str_id *text = field->number == LABEL_KEY        ? &label->key
	               : field->number == LABEL_STR      ? &label->text
	               : field->number == LABEL_NUM_UNIT ? &label->unit
	                                                 : NULL;

	if (field->number > LABEL_NUM_UNIT)
		return true;
	if (field->wire != PB_VARINT) {
		proto_bad_form(&s->tables->troubles, SAMPLE_FORM, in, field);
		return false;
	}
	if (text)
		return proto_str(s->tables, field->value, SAMPLE_STRING, field->start, text);
	label->number = (int64_t)field->value;
	return true;
}

static bool take_label(struct samples *s, const struct pb_field *message, struct label *ret)
{
	struct pb_reader in;
	struct pb_field field;

	*ret = (struct label){0};
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field))
		if (!take_label_field(s, &in, &field, ret))
			return false;
	if (in.wrong)
		proto_bad_form(&s->tables->troubles, SAMPLE_FORM, &in, &field);
	return !in.wrong;
}

static bool push_label(struct samples *s, const struct pb_field *message)
{
	struct label label;

	if (!take_label(s, message, &label))
		return false;
	if (s->is_heap && !label.text.row && strcmp(profile_text(build_profile(s->build), label.key), "bytes") == 0) {
		s->has_block_sizes = true;
		s->block_size = label.number;
		return true;
	}
	if (label.text.row)
		label.number = 0;
	MEM_GROW(s->labels, s->n_labels, s->cap_labels);
	s->labels[s->n_labels++] = label;
	return true;
}

static bool take_sample_field(struct samples *s, const struct pb_reader *in, const struct pb_field *field)
{
	bool is_numbers = field->wire == PB_VARINT || field->wire == PB_BYTES;

	if (field->number == SAMPLE_LOCATION_ID && is_numbers)
		return push_numbers(s, field, push_frame);
	if (field->number == SAMPLE_VALUE && is_numbers)
		return push_numbers(s, field, push_value);
	if (field->number == SAMPLE_LABEL && field->wire == PB_BYTES)
		return push_label(s, field);
	if (field->number > SAMPLE_LABEL)
		return true;
	proto_bad_form(&s->tables->troubles, SAMPLE_FORM, in, field);
	return false;
}

/* False: it cannot be used, and the trouble is told. */
static bool take_sample(struct samples *s, const struct pb_field *message)
{
	uint32_t n_types = build_profile(s->build)->n_types;
	struct pb_reader in;
	struct pb_field field;

	s->n_frames = s->n_values = s->n_labels = 0;
	s->block_size = 0;
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field))
		if (!take_sample_field(s, &in, &field))
			return false;
	if (in.wrong) {
		proto_bad_form(&s->tables->troubles, SAMPLE_FORM, &in, &field);
		return false;
	}
	if (s->n_values == n_types)
		return true;
	proto_trouble(&s->tables->troubles, SAMPLE_VALUES, message->start,
	              "expected %" PRIu32 " values in a sample, found %" PRIu32, n_types, s->n_values);
	return false;
}

static void add_sample(struct samples *s)
{
	stack_id stack = build_stack(s->build, s->frames, s->n_frames);

	build_sample(s->build, stack, build_labels(s->build, s->labels, s->n_labels), s->values);
	build_block_size(s->build, s->block_size);
	build_count_row(s->build);
}

static void take_samples(struct samples *s, struct span message)
{
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, message);
	while (pb_next(&in, &field)) {
		if (field.number != PROFILE_SAMPLE)
			continue;
		s->n++;
		if (take_sample(s, &field))
			add_sample(s);
		else
			s->n_bad++;
	}
}

struct err *proto_samples_read(struct span message, const struct cursor *in, struct proto_tables *tables,
                               uint64_t *n_ret)
{
	struct samples s = {.tables = tables, .build = tables->build};

	s.is_heap = measures_blocks(build_profile(s.build));
	take_samples(&s, message);
	if (!s.has_block_sizes)
		build_hide_blocks(s.build);
	*n_ret = s.n;
	free(s.frames);
	free(s.values);
	free(s.labels);
	return s.n && s.n_bad == s.n ? proto_troubles_err(&tables->troubles, in) : NULL;
}

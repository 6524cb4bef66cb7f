#include "render/proto_out.h"

#include "analyze/base/gzip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct str_key {
	const struct proto_out *to;
	const char *text;
};

static bool same_str(const void *context, uint32_t row)
{
	const struct str_key *key = context;

	return strcmp(key->to->strings[row], key->text) == 0;
}

static bool same_pointer(const void *context, uint32_t row)
{
	const struct str_key *key = context;

	return key->to->strings[row] == key->text;
}

uint64_t proto_out_str(struct proto_out *to, const char *text)
{
	struct str_key key = {to, text};
	uint64_t pointer = hash_u64((uintptr_t)text);
	uint32_t row = index_find(&to->pointers, pointer, same_pointer, &key);

	if (row != INDEX_NONE)
		return row;
	uint64_t hash = hash_bytes(text, strlen(text));
	row = index_find(&to->index, hash, same_str, &key);
	if (row != INDEX_NONE)
		return row;
	MEM_GROW(to->strings, to->n_strings, to->cap_strings);
	to->strings[to->n_strings] = text;
	index_add(&to->index, hash, to->n_strings);
	index_add(&to->pointers, pointer, to->n_strings);
	return to->n_strings++;
}

void proto_out_init(struct proto_out *to)
{
	*to = (struct proto_out){0};
	proto_out_str(to, ""); /* string 0 */
}

void proto_out_type(struct proto_out *to, enum profile_field field, const char *type, const char *unit)
{
	pb_writer_clear(&to->message);
	pb_put_number(&to->message, VALUE_TYPE_TYPE, proto_out_str(to, type));
	pb_put_number(&to->message, VALUE_TYPE_UNIT, proto_out_str(to, unit));
	pb_put_message(&to->profile, field, &to->message);
}

static int64_t whole(double value)
{
	double rounded = round(value);

	if (rounded >= 0x1p63)
		return INT64_MAX;
	return rounded <= -0x1p63 ? INT64_MIN : (int64_t)rounded;
}

void proto_out_values(struct pb_writer *sample, struct pb_writer *scratch, const double *values, uint32_t n)
{
	pb_writer_clear(scratch);
	for (uint32_t i = 0; i < n; i++)
		pb_put_varint(scratch, (uint64_t)whole(values[i]));
	pb_put_message(sample, SAMPLE_VALUE, scratch);
}

void proto_out_function(struct proto_out *to, uint64_t id, const char *name, const char *system_name, const char *file,
                        uint32_t start_line)
{
	pb_writer_clear(&to->message);
	pb_put_number(&to->message, FUNCTION_ID, id);
	pb_put_number(&to->message, FUNCTION_NAME, proto_out_str(to, name));
	pb_put_number(&to->message, FUNCTION_SYSTEM_NAME, proto_out_str(to, system_name));
	pb_put_number(&to->message, FUNCTION_FILENAME, proto_out_str(to, file));
	pb_put_number(&to->message, FUNCTION_START_LINE, start_line);
	pb_put_message(&to->profile, PROFILE_FUNCTION, &to->message);
}

void proto_out_line(struct pb_writer *location, struct pb_writer *scratch, uint64_t function, uint32_t line,
                    uint32_t column)
{
	pb_writer_clear(scratch);
	pb_put_number(scratch, LINE_FUNCTION_ID, function);
	pb_put_number(scratch, LINE_LINE, line);
	pb_put_number(scratch, LINE_COLUMN, column);
	pb_put_message(location, LOCATION_LINE, scratch);
}

void proto_out_times(struct proto_out *to, const struct profile *profile)
{
	const char *type = profile_text(profile, profile->period_type.type);
	const char *unit = profile_text(profile, profile->period_type.unit);

	pb_put_number(&to->profile, PROFILE_TIME_NANOS, (uint64_t)profile->time_nanos);
	pb_put_number(&to->profile, PROFILE_DURATION_NANOS, (uint64_t)profile->duration_nanos);
	if (*type || *unit)
		proto_out_type(to, PROFILE_PERIOD_TYPE, type, unit);
	pb_put_number(&to->profile, PROFILE_PERIOD, (uint64_t)profile->period);
}

void proto_out_finish(struct proto_out *to, struct out *out)
{
	struct bytes packed;

	for (uint32_t i = 0; i < to->n_strings; i++)
		pb_put_bytes(&to->profile, PROFILE_STRING_TABLE, to->strings[i], strlen(to->strings[i]));
	gzip_deflate(to->profile.data, to->profile.size, &packed);
	out_bytes(out, packed.data, packed.size);
	bytes_free(&packed);
	pb_writer_free(&to->profile);
	pb_writer_free(&to->message);
	pb_writer_free(&to->inner);
	free(to->strings);
	index_free(&to->index);
	index_free(&to->pointers);
}

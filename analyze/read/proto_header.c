#include "analyze/read/proto_header.h"

#include "analyze/proto.h"

#include <inttypes.h>

enum { MOST_TYPES = 256, MOST_COMMENTS = 4096 };

struct type_names {
	str_id type, unit;
};

struct header {
	const struct cursor *in;
	struct proto_tables *tables;
	struct build *build;
	struct type_names period_type;
	uint64_t period, time, duration;
	str_id default_type, drop_frames, keep_frames, doc_url;
	uint32_t n_comments;
};

/* ---- sample types ---- */

static struct err *take_type(struct header *header, const struct pb_field *message, struct type_names *ret)
{
	struct proto_tables *tables = header->tables;
	struct pb_reader in;
	struct pb_field field;
	bool known = true;

	*ret = (struct type_names){0};
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field)) {
		if (field.wire == PB_VARINT && field.number == VALUE_TYPE_TYPE)
			known &= proto_str(tables, field.value, TABLE_STRING, field.start, &ret->type);
		else if (field.wire == PB_VARINT && field.number == VALUE_TYPE_UNIT)
			known &= proto_str(tables, field.value, TABLE_STRING, field.start, &ret->unit);
	}
	if (in.wrong)
		return cursor_err_at(header->in, in.rest.at, "%s", in.wrong);
	if (known && ret->type.row)
		return NULL;
	return cursor_err_at(header->in, message->start, "expected the name of a sample type among %" PRIu32 " strings",
	                     tables->n_strings);
}

static const char *text_of(const struct header *header, str_id id)
{
	return profile_text(build_profile(header->build), id);
}

static struct err *declare_type(struct header *header, const struct pb_field *field)
{
	struct type_names names;

	if (build_profile(header->build)->n_types == MOST_TYPES)
		return cursor_err_at(header->in, field->start, "expected at most %d sample types", MOST_TYPES);
	struct err *err = take_type(header, field, &names);
	if (!err)
		build_set_default_type(header->build,
		                       build_type(header->build, text_of(header, names.type), text_of(header, names.unit)));
	return err;
}

/* ---- what comes once ---- */

static void take_comment(struct header *header, const struct pb_field *field)
{
	str_id comment = proto_field_str(header->tables, field);

	if (!comment.row)
		return;
	if (header->n_comments++ < MOST_COMMENTS)
		build_comment(header->build, comment);
	else
		proto_trouble(&header->tables->troubles, TABLE_COMMENTS, field->start, "expected at most %d comments",
		              MOST_COMMENTS);
}

static void take_comments(struct header *header, const struct pb_field *field)
{
	struct pb_field comment = *field;
	struct span numbers = field->bytes;

	if (field->wire == PB_VARINT)
		take_comment(header, field);
	else
		while (pb_take_varint(&numbers, &comment.value))
			take_comment(header, &comment);
}

static void take_field(struct header *header, const struct pb_field *field)
{
	switch (field->number) {
	case PROFILE_DROP_FRAMES:
		header->drop_frames = proto_field_str(header->tables, field);
		break;
	case PROFILE_KEEP_FRAMES:
		header->keep_frames = proto_field_str(header->tables, field);
		break;
	case PROFILE_TIME_NANOS:
		header->time = field->value;
		break;
	case PROFILE_DURATION_NANOS:
		header->duration = field->value;
		break;
	case PROFILE_PERIOD_TYPE:
		err_free(take_type(header, field, &header->period_type)); /* it may lack a name */
		break;
	case PROFILE_PERIOD:
		header->period = field->value;
		break;
	case PROFILE_COMMENT:
		take_comments(header, field);
		break;
	case PROFILE_DEFAULT_SAMPLE_TYPE:
		header->default_type = proto_field_str(header->tables, field);
		break;
	case PROFILE_DOC_URL:
		header->doc_url = proto_field_str(header->tables, field);
		break;
	default:
		break;
	}
}

static void name_default_type(const struct header *header)
{
	const struct profile *profile = build_profile(header->build);

	if (!header->default_type.row)
		return;
	uint32_t type = profile_find_type(profile, text_of(header, header->default_type));
	if (type < profile->n_types)
		build_name_default_type(header->build, type);
}

static void declare(const struct header *header)
{
	struct build *build = header->build;

	name_default_type(header);
	build_set_period(build, text_of(header, header->period_type.type), text_of(header, header->period_type.unit),
	                 (int64_t)header->period);
	build_set_time(build, (int64_t)header->time, (int64_t)header->duration);
	build_set_doc_url(build, header->doc_url);
	build_set_frame_filters(build, header->drop_frames, header->keep_frames);
	build_source_facts(build, "", "as the file has them", (int64_t)header->period);
}

struct err *proto_header_read(struct span message, const struct cursor *in, struct proto_tables *tables)
{
	struct header header = {.in = in, .tables = tables, .build = tables->build};
	struct pb_reader fields;
	struct pb_field field;
	struct err *err = NULL;

	pb_open(&fields, message);
	while (!err && pb_next(&fields, &field)) {
		if (field.number == PROFILE_SAMPLE_TYPE)
			err = declare_type(&header, &field);
		else
			take_field(&header, &field);
	}
	if (err)
		return err;
	if (!build_profile(tables->build)->n_types)
		return cursor_err_at(in, message.at, "expected sample types in a profile.proto, found none");
	declare(&header);
	return NULL;
}

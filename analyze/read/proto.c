#include "analyze/proto.h"
#include "analyze/read/proto_tables.h"
#include "analyze/read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* google/pprof's profile.proto: one Profile message, of fields in any order.
 *   1 sample_type  2 sample  3 mapping  4 location  5 function  6 string_table  7 drop_frames  8 keep_frames
 *   9 time_nanos  10 duration_nanos  11 period_type  12 period  13 comment  14 default_sample_type  15 doc_url */

enum { DEEPEST_STACK = 64 << 10, PROBED_FIELDS = 8, MOST_PARTS = 4096, MOST_TYPES = 256, MOST_COMMENTS = 4096 };

struct proto {
	struct cursor *in;
	struct build *build;
	struct proto_tables tables;
	bool drops_bytes; /* the label "bytes" says what space and objects do */
	loc_id *frames;
	double *values;
	struct label *labels;
	uint32_t n_frames, n_steps, n_values, n_labels, cap_frames, cap_values, cap_labels;
	uint64_t n_samples, n_bad;
};

/* ---- how it is known ---- */

static bool is_message(uint32_t number)
{
	return number <= PROFILE_STRING_TABLE || number == PROFILE_PERIOD_TYPE;
}

static bool has_right_wire(const struct pb_field *field)
{
	if (field->number >= N_PROFILE_FIELDS)
		return true; /* of a later version */
	if (is_message(field->number))
		return field->wire == PB_BYTES;
	return field->wire == PB_VARINT || (field->wire == PB_BYTES && field->number == PROFILE_COMMENT);
}

/* A message of small numbers and messages, as all those of a profile are. */
static bool looks_like_message(struct span bytes)
{
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, bytes);
	while (pb_next(&in, &field))
		if (field.number > 32 || field.wire == PB_FIXED32 || field.wire == PB_FIXED64)
			return false;
	return !in.wrong;
}

static bool probe(struct span head)
{
	struct pb_reader in;
	struct pb_field field;
	uint32_t n_messages = 0;

	pb_open(&in, head);
	for (int i = 0; i < PROBED_FIELDS && pb_next(&in, &field); i++) {
		if (!has_right_wire(&field) || field.number > 1000)
			return false;
		n_messages += field.wire == PB_BYTES && field.number <= PROFILE_STRING_TABLE;
		if (field.wire == PB_BYTES && field.number < PROFILE_STRING_TABLE && !looks_like_message(field.bytes))
			return false;
	}
	return n_messages > 0;
}

/* ---- several profiles in one file ---- */

/* The bytes of one Profile. Files that were put one behind the other are one message for protobuf, whose tables would
 * then be mixed up. */
struct part {
	struct span bytes;
	bool has_types, has_strings, has_tables;
	bool starts_strings; /* its first string is the empty one */
	bool strings_ended;  /* another field came after a string */
	uint32_t last;       /* the number of the field that came last */
	uint32_t once;       /* a bit for each field that a profile has once */
};

struct parts {
	struct part *items;
	uint32_t n, cap;
	const char *damage; /* where the whole fields end; NULL: with the file */
	const char *wrong;
};

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

static struct part *push_part(struct parts *parts, const char *at)
{
	MEM_GROW(parts->items, parts->n, parts->cap);
	parts->items[parts->n] = (struct part){.bytes = {at, at}};
	return &parts->items[parts->n++];
}

/* What cannot stand alone was a sign that misled: it goes back to the part before it. Where the file is cut, the last one's
 * strings may be what is lost. */
static void join_parts(struct parts *parts)
{
	uint32_t n = 1;

	for (uint32_t i = 1; i < parts->n; i++) {
		const struct part *part = &parts->items[i];
		bool is_cut = parts->damage && i + 1 == parts->n && part->has_types && !part->has_strings &&
		              parts->items[n - 1].has_tables;

		if ((part->has_types && part->starts_strings) || is_cut)
			parts->items[n++] = *part;
		else
			parts->items[n - 1].bytes.end = part->bytes.end;
	}
	parts->n = n;
}

/* What is wrong with a field, or NULL. */
static const char *judge_field(const struct parts *parts, const struct pb_field *field)
{
	if (!has_right_wire(field))
		return "expected another type of field";
	bool is_one_more = begins_another(&parts->items[parts->n - 1], field);
	return is_one_more && parts->n == MOST_PARTS ? "expected at most 4096 profiles in a file" : NULL;
}

static void find_parts(struct parts *parts, struct span bytes)
{
	struct pb_reader in;
	struct pb_field field;
	struct part *part = push_part(parts, bytes.at);

	pb_open(&in, bytes);
	while (pb_next(&in, &field)) {
		parts->wrong = judge_field(parts, &field);
		if (parts->wrong)
			break;
		if (begins_another(part, &field))
			part = push_part(parts, field.start);
		note_field(part, &field);
		part->bytes.end = in.rest.at;
	}
	if (!parts->wrong)
		parts->wrong = in.wrong;
	parts->damage = parts->wrong ? part->bytes.end : NULL;
	join_parts(parts);
}

/* ---- types and what is true of the whole ---- */

struct type_names {
	str_id type, unit;
};

static struct err *take_type(struct proto *p, const struct pb_field *message, struct type_names *ret)
{
	struct pb_reader in;
	struct pb_field field;
	bool known = true;

	*ret = (struct type_names){0};
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field)) {
		if (field.wire == PB_VARINT && field.number == VALUE_TYPE_TYPE)
			known &= proto_str(&p->tables, field.value, TABLE_STRING, field.start, &ret->type);
		else if (field.wire == PB_VARINT && field.number == VALUE_TYPE_UNIT)
			known &= proto_str(&p->tables, field.value, TABLE_STRING, field.start, &ret->unit);
	}
	if (in.wrong)
		return cursor_err_at(p->in, in.rest.at, "%s", in.wrong);
	if (known && ret->type.row)
		return NULL;
	return cursor_err_at(p->in, message->start, "expected the name of a sample type among %" PRIu32 " strings",
	                     p->tables.n_strings);
}

static const char *text_of(const struct proto *p, str_id id)
{
	return profile_text(build_profile(p->build), id);
}

static struct err *declare_type(struct proto *p, const struct pb_field *field)
{
	struct type_names names;

	if (build_profile(p->build)->n_types == MOST_TYPES)
		return cursor_err_at(p->in, field->start, "expected at most %d sample types", MOST_TYPES);
	struct err *err = take_type(p, field, &names);

	if (!err)
		build_set_default_type(p->build, build_type(p->build, text_of(p, names.type), text_of(p, names.unit)));
	return err;
}

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

struct header {
	struct type_names period_type;
	uint64_t period, time, duration;
	str_id default_type, drop_frames, keep_frames, doc_url;
	uint32_t n_comments;
};

static str_id header_str(struct proto *p, const struct pb_field *field)
{
	str_id text = {0};

	proto_str(&p->tables, field->value, TABLE_STRING, field->start, &text);
	return text;
}

static void take_comment(struct proto *p, struct header *header, const struct pb_field *field)
{
	str_id comment = header_str(p, field);

	if (!comment.row)
		return;
	if (header->n_comments++ < MOST_COMMENTS)
		build_comment(p->build, comment);
	else
		proto_trouble(&p->tables, TABLE_COMMENTS, field->start, "expected at most %d comments", MOST_COMMENTS);
}

static void take_comments(struct proto *p, struct header *header, const struct pb_field *field)
{
	struct pb_field comment = *field;
	struct span numbers = field->bytes;

	if (field->wire == PB_VARINT)
		take_comment(p, header, field);
	else
		while (pb_take_varint(&numbers, &comment.value))
			take_comment(p, header, &comment);
}

static void take_header_field(struct proto *p, struct header *header, const struct pb_field *field)
{
	switch (field->number) {
	case PROFILE_DROP_FRAMES:
		header->drop_frames = header_str(p, field);
		break;
	case PROFILE_KEEP_FRAMES:
		header->keep_frames = header_str(p, field);
		break;
	case PROFILE_TIME_NANOS:
		header->time = field->value;
		break;
	case PROFILE_DURATION_NANOS:
		header->duration = field->value;
		break;
	case PROFILE_PERIOD_TYPE:
		err_free(take_type(p, field, &header->period_type)); /* it may lack a name */
		break;
	case PROFILE_PERIOD:
		header->period = field->value;
		break;
	case PROFILE_COMMENT:
		take_comments(p, header, field);
		break;
	case PROFILE_DEFAULT_SAMPLE_TYPE:
		header->default_type = header_str(p, field);
		break;
	case PROFILE_DOC_URL:
		header->doc_url = header_str(p, field);
		break;
	default:
		break;
	}
}

static void write_header(struct proto *p, const struct header *header)
{
	const struct profile *profile = build_profile(p->build);
	uint32_t type =
		header->default_type.row ? profile_find_type(profile, text_of(p, header->default_type)) : profile->n_types;

	if (type < profile->n_types)
		build_name_default_type(p->build, type);
	build_set_period(p->build, text_of(p, header->period_type.type), text_of(p, header->period_type.unit),
	                 (int64_t)header->period);
	build_set_time(p->build, (int64_t)header->time, (int64_t)header->duration);
	build_set_doc_url(p->build, header->doc_url);
	build_set_frame_filters(p->build, header->drop_frames, header->keep_frames);
	build_source_facts(p->build, "", "as the file has them", (int64_t)header->period);
}

static void index_tables(struct proto *p, struct span part)
{
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, part);
	while (pb_next(&in, &field)) {
		if (field.number == PROFILE_MAPPING)
			proto_add_item(&p->tables, &p->tables.mappings, &field);
		else if (field.number == PROFILE_LOCATION)
			proto_add_item(&p->tables, &p->tables.locations, &field);
		else if (field.number == PROFILE_FUNCTION)
			proto_add_item(&p->tables, &p->tables.functions, &field);
		else if (field.number == PROFILE_STRING_TABLE)
			proto_add_string(&p->tables, &field);
	}
	proto_seal_tables(&p->tables);
}

static struct err *read_head(struct proto *p, struct span part)
{
	struct header header = {0};
	struct pb_reader in;
	struct pb_field field;
	struct err *err = NULL;

	pb_open(&in, part);
	while (!err && pb_next(&in, &field)) {
		if (field.number == PROFILE_SAMPLE_TYPE)
			err = declare_type(p, &field);
		else
			take_header_field(p, &header, &field);
	}
	if (err)
		return err;
	if (!build_profile(p->build)->n_types)
		return cursor_err_at(p->in, part.at, "expected sample types in a profile.proto, found none");
	write_header(p, &header);
	p->drops_bytes = measures_blocks(build_profile(p->build));
	return NULL;
}

/* ---- samples ---- */

/* One step of the stack for each line, since inlined functions are entries like any other. */
static bool push_frame(struct proto *p, uint64_t id, const char *at)
{
	const struct table_item *loc = proto_loc(&p->tables, id);

	if (!loc) {
		proto_trouble(&p->tables, SAMPLE_LOCATION, at, "expected a location of id %" PRIu64 ", found none", id);
		return false;
	}
	p->n_steps += loc->n_lines ? loc->n_lines : 1;
	if (p->n_steps > DEEPEST_STACK) {
		proto_trouble(&p->tables, SAMPLE_DEPTH, at, "expected at most %d frames", DEEPEST_STACK);
		return false;
	}
	MEM_GROW(p->frames, p->n_frames, p->cap_frames);
	p->frames[p->n_frames++] = (loc_id){loc->row};
	return true;
}

static bool push_value(struct proto *p, uint64_t value, const char *at)
{
	(void)at;
	MEM_GROW(p->values, p->n_values, p->cap_values);
	p->values[p->n_values++] = (double)(int64_t)value;
	return true;
}

/* Numbers stand one a field, or packed into one. */
static inline bool push_numbers(struct proto *p, const struct pb_field *field,
                                bool (*push)(struct proto *p, uint64_t number, const char *at))
{
	struct span numbers = field->bytes;
	uint64_t number;

	if (field->wire == PB_VARINT)
		return push(p, field->value, field->start);
	while (numbers.at < numbers.end) {
		const char *at = numbers.at;

		if (!pb_take_varint(&numbers, &number)) {
			proto_trouble(&p->tables, SAMPLE_FORM, at, "expected a number of at most 64 bits");
			return false;
		}
		if (!push(p, number, at))
			return false;
	}
	return true;
}

static bool take_label_field(struct proto *p, const struct pb_reader *in, const struct pb_field *field,
                             struct label *label)
{
	str_id *text = field->number == LABEL_KEY        ? &label->key
	               : field->number == LABEL_STR      ? &label->text
	               : field->number == LABEL_NUM_UNIT ? &label->unit
	                                                 : NULL;

	if (field->number > LABEL_NUM_UNIT)
		return true;
	if (field->wire != PB_VARINT) {
		proto_bad_form(&p->tables, SAMPLE_FORM, in, field);
		return false;
	}
	if (text)
		return proto_str(&p->tables, field->value, SAMPLE_STRING, field->start, text);
	label->number = (int64_t)field->value;
	return true;
}

static bool take_label(struct proto *p, const struct pb_field *message, struct label *ret)
{
	struct pb_reader in;
	struct pb_field field;

	*ret = (struct label){0};
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field))
		if (!take_label_field(p, &in, &field, ret))
			return false;
	if (in.wrong)
		proto_bad_form(&p->tables, SAMPLE_FORM, &in, &field);
	return !in.wrong;
}

static bool push_label(struct proto *p, const struct pb_field *message)
{
	struct label label;

	if (!take_label(p, message, &label))
		return false;
	if (p->drops_bytes && !label.text.row && strcmp(text_of(p, label.key), "bytes") == 0)
		return true;
	if (label.text.row)
		label.number = 0;
	MEM_GROW(p->labels, p->n_labels, p->cap_labels);
	p->labels[p->n_labels++] = label;
	return true;
}

static bool take_sample_field(struct proto *p, const struct pb_reader *in, const struct pb_field *field)
{
	bool is_numbers = field->wire == PB_VARINT || field->wire == PB_BYTES;

	if (field->number == SAMPLE_LOCATION_ID && is_numbers)
		return push_numbers(p, field, push_frame);
	if (field->number == SAMPLE_VALUE && is_numbers)
		return push_numbers(p, field, push_value);
	if (field->number == SAMPLE_LABEL && field->wire == PB_BYTES)
		return push_label(p, field);
	if (field->number > SAMPLE_LABEL)
		return true;
	proto_bad_form(&p->tables, SAMPLE_FORM, in, field);
	return false;
}

/* False: it cannot be used, and the trouble is told. */
static bool take_sample(struct proto *p, const struct pb_field *message)
{
	uint32_t n_types = build_profile(p->build)->n_types;
	struct pb_reader in;
	struct pb_field field;

	p->n_frames = p->n_steps = p->n_values = p->n_labels = 0;
	pb_open(&in, message->bytes);
	while (pb_next(&in, &field))
		if (!take_sample_field(p, &in, &field))
			return false;
	if (in.wrong) {
		proto_bad_form(&p->tables, SAMPLE_FORM, &in, &field);
		return false;
	}
	if (p->n_values == n_types)
		return true;
	proto_trouble(&p->tables, SAMPLE_VALUES, message->start, "expected %" PRIu32 " values in a sample, found %" PRIu32,
	              n_types, p->n_values);
	return false;
}

static void add_sample(struct proto *p)
{
	stack_id stack = build_stack(p->build, p->frames, p->n_frames);

	build_sample(p->build, stack, build_labels(p->build, p->labels, p->n_labels), p->values);
	build_count_row(p->build);
}

static void read_samples(struct proto *p, struct span part)
{
	struct pb_reader in;
	struct pb_field field;

	pb_open(&in, part);
	while (pb_next(&in, &field)) {
		if (field.number != PROFILE_SAMPLE)
			continue;
		p->n_samples++;
		if (take_sample(p, &field))
			add_sample(p);
		else
			p->n_bad++;
	}
}

/* ---- what was wrong ---- */

static const char *const costs[N_TROUBLES] = {
	[TABLE_FORM] = "what can be read of it is used", [TABLE_ID] = "it is left out",
	[TABLE_STRING] = "the name is left out",         [TABLE_FIRST_STRING] = "it is taken for empty",
	[TABLE_FUNCTION] = "the line is left out",       [TABLE_MAPPING] = "the location belongs to no object",
	[TABLE_LINES] = "those behind are left out",     [TABLE_COMMENTS] = "those behind are left out",
};

static void note_table_trouble(struct proto *p, const struct troubles *trouble, const char *cost)
{
	char times[40] = "";

	if (trouble->n > 1)
		snprintf(times, sizeof times, " (%" PRIu32 " times)", trouble->n);
	diag_add(build_notes(p->build), NOTE_WARNING, NOTE_LOSS, "%s+0x%zx: %s; %s%s", p->in->name,
	         (size_t)(trouble->at - p->in->start), trouble->text, cost, times);
}

static void note_sample_trouble(struct proto *p, const struct troubles *trouble)
{
	diag_add(build_notes(p->build), NOTE_WARNING, NOTE_LOSS,
	         "%s+0x%zx: %s; %" PRIu32 " of %" PRIu64 " samples %s skipped for this", p->in->name,
	         (size_t)(trouble->at - p->in->start), trouble->text, trouble->n, p->n_samples,
	         trouble->n == 1 ? "is" : "are");
}

static void note_troubles(struct proto *p)
{
	for (enum trouble kind = 0; kind < N_TROUBLES; kind++) {
		const struct troubles *trouble = &p->tables.troubles[kind];

		if (trouble->n && kind < N_SAMPLE_TROUBLES)
			note_sample_trouble(p, trouble);
		else if (trouble->n)
			note_table_trouble(p, trouble, costs[kind]);
	}
}

/* Where no sample can be used, the first one's trouble is the error. */
static struct err *refuse_if_all_are_bad(const struct proto *p)
{
	const struct troubles *first = NULL;

	if (!p->n_bad || p->n_bad < p->n_samples)
		return NULL;
	for (enum trouble kind = 0; kind < N_SAMPLE_TROUBLES; kind++) {
		const struct troubles *trouble = &p->tables.troubles[kind];

		if (trouble->n && (!first || trouble->at < first->at))
			first = trouble;
	}
	return cursor_err_at(p->in, first->at, "%s; no sample can be used", first->text);
}

/* ---- all together ---- */

static struct err *read_part(struct cursor *in, struct span part, struct build *build)
{
	struct proto p = {.in = in, .build = build};

	proto_tables_init(&p.tables, build, part.end);
	index_tables(&p, part);
	struct err *err = read_head(&p, part);
	if (!err) {
		read_samples(&p, part);
		err = refuse_if_all_are_bad(&p);
	}
	if (!err) {
		note_troubles(&p);
		build_fold(build);
		build_end_source(build, 0);
	}
	proto_tables_free(&p.tables);
	free(p.frames);
	free(p.values);
	free(p.labels);
	return err;
}

static struct err *add_part(struct cursor *in, struct span part, struct build *build)
{
	struct build *other = build_new();

	build_source(other, in->name, reader_proto.name);
	struct err *err = read_part(in, part, other);
	if (!err)
		err = build_append(build, build_profile(other), SET_MAIN);
	build_free(other);
	return err;
}

static void note_bad_parts(struct cursor *in, const struct err *first, uint32_t n_bad, uint32_t n, struct build *build)
{
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s; %" PRIu32 " of %" PRIu32 " profiles in %s %s left out",
	         err_text(first), n_bad, n, in->name, n_bad == 1 ? "is" : "are");
}

/* The others are added to the first; one that cannot be read costs its part only. */
static void add_parts(struct cursor *in, const struct parts *parts, struct build *build)
{
	struct err *first = NULL;
	uint32_t n_bad = 0;

	if (parts->n > 1)
		diag_add(build_notes(build), NOTE_INFO, NOTE_PLAIN,
		         "%s: holds %" PRIu32 " profiles, one behind the other; their sum is shown", in->name, parts->n);
	for (uint32_t i = 1; i < parts->n; i++) {
		struct err *err = add_part(in, parts->items[i].bytes, build);

		n_bad += err != NULL;
		if (first)
			err_free(err);
		else
			first = err;
	}
	if (first)
		note_bad_parts(in, first, n_bad, parts->n, build);
	err_free(first);
}

static void note_damage(struct cursor *in, const struct parts *parts, struct build *build)
{
	double lost = (double)(in->end - parts->damage), all = (double)(in->end - in->start);

	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
	         "%s+0x%zx: %s; what came before is used, %.1f%% of the file is lost", in->name,
	         (size_t)(parts->damage - in->start), parts->wrong, 100 * lost / all);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct parts parts = {0};

	(void)opts;
	find_parts(&parts, (struct span){in->at, in->end});
	struct err *err = read_part(in, parts.items[0].bytes, build);
	if (err && parts.damage)
		err = err_wrap(err, "%s+0x%zx: %s, and what came before is of no use", in->name,
		               (size_t)(parts.damage - in->start), parts.wrong);
	if (!err && parts.damage)
		note_damage(in, &parts, build);
	if (!err)
		add_parts(in, &parts, build);
	free(parts.items);
	return err;
}

const struct reader reader_proto = {
	.name = "proto",
	.help = "google/pprof's profile.proto, as Go, Java and this program write it",
	.probe = probe,
	.is_binary = true,
	.has_threads = true, /* as labels */
	.read = read,
};

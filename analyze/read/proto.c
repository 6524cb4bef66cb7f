#include "analyze/proto.h"
#include "analyze/read/proto_header.h"
#include "analyze/read/proto_locations.h"
#include "analyze/read/proto_parts.h"
#include "analyze/read/proto_samples.h"
#include "analyze/read/reader.h"

#include <inttypes.h>
#include <stdlib.h>

/* google/pprof's profile.proto: Profile messages, of fields in any order. */

enum { PROBED_FIELDS = 8 };

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
		if (!proto_field_is_known(&field) || field.number > 1000)
			return false;
		n_messages += field.wire == PB_BYTES && field.number <= PROFILE_STRING_TABLE;
		if (field.wire == PB_BYTES && field.number < PROFILE_STRING_TABLE && !looks_like_message(field.bytes))
			return false;
	}
	return n_messages > 0;
}

/* ---- one profile, and the others behind it ---- */

static struct err *read_samples(struct cursor *in, struct span part, struct proto_tables *tables)
{
	uint64_t n_samples;
	struct err *err = proto_samples_read(part, in, tables, &n_samples);

	if (!err)
		proto_troubles_note(&tables->troubles, n_samples, in, tables->build);
	return err;
}

static struct err *read_part(struct cursor *in, struct span part, struct build *build)
{
	struct proto_tables tables;

	proto_tables_read(&tables, part, build);
	proto_make_mappings(&tables);
	struct err *err = proto_header_read(part, in, &tables);
	if (!err)
		err = read_samples(in, part, &tables);
	proto_tables_free(&tables);
	if (err)
		return err;
	build_fold(build);
	build_end_source(build, 0);
	return NULL;
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
static void add_parts(struct cursor *in, const struct proto_parts *parts, struct build *build)
{
	struct err *first = NULL;
	uint32_t n_bad = 0;

	if (parts->n > 1)
		diag_add(build_notes(build), NOTE_INFO, NOTE_PLAIN,
		         "%s: holds %" PRIu32 " profiles, one behind the other; their sum is shown", in->name, parts->n);
	for (uint32_t i = 1; i < parts->n; i++) {
		struct err *err = add_part(in, parts->items[i], build);

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

static void note_damage(struct cursor *in, const struct proto_parts *parts, struct build *build)
{
	double lost = (double)(in->end - parts->damage), all = (double)(in->end - in->start);

	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
	         "%s+0x%zx: %s; what came before is used, %.1f%% of the file is lost", in->name,
	         (size_t)(parts->damage - in->start), parts->wrong, 100 * lost / all);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct proto_parts parts;

	(void)opts;
	proto_parts_find(&parts, (struct span){in->at, in->end});
	struct err *err = read_part(in, parts.items[0], build);
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

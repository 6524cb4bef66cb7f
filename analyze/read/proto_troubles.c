#include "analyze/read/proto_troubles.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* What a trouble with a table comes to. */
static const char *const costs[N_TROUBLES] = {
	[TABLE_FORM] = "what can be read of it is used",
	[TABLE_ID] = "it is left out",
	[TABLE_STRING] = "the name is left out",
	[TABLE_FIRST_STRING] = "it is taken for empty",
	[TABLE_FUNCTION] = "the line is left out",
	[TABLE_MAPPING] = "the location belongs to no object",
	[TABLE_LONG_STRING] = "the rest of it is left out",
	[TABLE_LINES] = "those behind are left out",
	[TABLE_COMMENTS] = "those behind are left out",
};

void proto_trouble(struct proto_troubles *troubles, enum proto_trouble kind, const char *at, const char *format, ...)
{
	struct proto_trouble_kind *trouble = &troubles->kinds[kind];
	va_list args;

	if (trouble->n++)
		return;
	trouble->at = at;
	va_start(args, format);
	vsnprintf(trouble->text, sizeof trouble->text, format, args);
	va_end(args);
}

void proto_bad_form(struct proto_troubles *troubles, enum proto_trouble kind, const struct pb_reader *message,
                    const struct pb_field *field)
{
	if (message->wrong)
		proto_trouble(troubles, kind, message->rest.at, "%s", message->wrong);
	else
		proto_trouble(troubles, kind, field->start, "expected another type of field %" PRIu32, field->number);
}

static void note_table(const struct proto_trouble_kind *trouble, const char *cost, const struct cursor *in,
                       struct build *build)
{
	char times[40] = "";

	if (trouble->n > 1)
		snprintf(times, sizeof times, " (%" PRIu32 " times)", trouble->n);
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s+0x%zx: %s; %s%s", in->name,
	         (size_t)(trouble->at - in->start), trouble->text, cost, times);
}

static void note_samples(const struct proto_trouble_kind *trouble, uint64_t n_samples, const struct cursor *in,
                         struct build *build)
{
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
	         "%s+0x%zx: %s; %" PRIu32 " of %" PRIu64 " samples %s skipped for this", in->name,
	         (size_t)(trouble->at - in->start), trouble->text, trouble->n, n_samples, trouble->n == 1 ? "is" : "are");
}

void proto_troubles_note(const struct proto_troubles *troubles, uint64_t n_samples, const struct cursor *in,
                         struct build *build)
{
	for (enum proto_trouble kind = 0; kind < N_SAMPLE_TROUBLES; kind++)
		if (troubles->kinds[kind].n)
			note_samples(&troubles->kinds[kind], n_samples, in, build);
	for (enum proto_trouble kind = N_SAMPLE_TROUBLES; kind < N_TROUBLES; kind++)
		if (troubles->kinds[kind].n)
			note_table(&troubles->kinds[kind], costs[kind], in, build);
}

struct err *proto_troubles_err(const struct proto_troubles *troubles, const struct cursor *in)
{
	const struct proto_trouble_kind *first = NULL;

	for (enum proto_trouble kind = 0; kind < N_SAMPLE_TROUBLES; kind++) {
		const struct proto_trouble_kind *trouble = &troubles->kinds[kind];

		if (trouble->n && (!first || trouble->at < first->at))
			first = trouble;
	}
	assert(first);
	return cursor_err_at(in, first->at, "%s; no sample can be used", first->text);
}

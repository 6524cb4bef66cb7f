#include "analyze/read/heap_dump.h"

#include "analyze/read/unbias.h"

#include <inttypes.h>
#include <stdio.h>

enum { LONGEST_WARNING = 1000 };

void heap_skip_commands(struct span *head)
{
	while (span_starts(head, "%")) {
		while (head->at < head->end && *head->at++ != '\n')
			;
	}
}

void heap_take_header(struct cursor *in, struct build *build, struct span *ret)
{
	*ret = (struct span){in->end, in->end};
	while (cursor_line(in, ret) && span_starts(ret, "%")) {
		if (!span_word(ret, "%warn "))
			continue;
		int length = span_length(ret) < LONGEST_WARNING ? (int)span_length(ret) : LONGEST_WARNING;
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN, "%s:%" PRIu64 ": the profile says: %.*s", in->name,
		         in->line, length, ret->at);
	}
}

void heap_four_types(struct build *build)
{
	build_type(build, "alloc_objects", "count");
	build_type(build, "alloc_space", "bytes");
	build_type(build, "inuse_objects", "count");
	build_set_default_type(build, build_type(build, "inuse_space", "bytes"));
}

void heap_add(struct build *build, stack_id stack, labels_id labels, const int64_t counts[N_COUNTS], int64_t period)
{
	double live_n = (double)counts[LIVE_N], live_b = (double)counts[LIVE_B];
	double all_n = (double)counts[ALL_N], all_b = (double)counts[ALL_B];

	unbias_poisson(period, &live_n, &live_b);
	unbias_poisson(period, &all_n, &all_b);
	build_sample(build, stack, labels, (double[]){all_n, all_b, live_n, live_b});
}

enum { SHARE_TEXT = 64 };

static const char *share_text(double share, char text[SHARE_TEXT])
{
	if (share < 0)
		return "the share that is lost is not known";
	if (share < 0.05)
		return "less than 0.1% of the header's total is lost";
	snprintf(text, SHARE_TEXT, "%.1f%% of the header's total is lost", share);
	return text;
}

void heap_note_losses(const struct row_trouble *lost, double share, const struct cursor *in, struct build *build)
{
	char text[SHARE_TEXT], rows[64] = "the row is";

	if (!lost->n)
		return;
	if (lost->n > 1)
		snprintf(rows, sizeof rows, "%" PRIu32 " rows like this are", lost->n);
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped, %s", in->name, lost->line,
	         lost->what, rows, share_text(share, text));
}

void heap_note_early_end(double share, const char *why, const struct cursor *in, struct build *build)
{
	char text[SHARE_TEXT];

	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": the rows end here, but %s%s", in->name,
	         in->line, share_text(share, text), why);
}

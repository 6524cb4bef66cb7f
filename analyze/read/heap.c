#include "analyze/read/heaprows.h"
#include "analyze/read/maps.h"
#include "analyze/read/reader.h"
#include "analyze/read/unbias.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gperftools' heap profile:
 *   heap profile: n: b [n2: b2] @ label
 *   n: b [n2: b2] @ 0x... 0x... ...
 *   MAPPED_LIBRARIES:
 * n and b are the live objects and bytes, n2 and b2 all that were ever allocated (heap-profile-table.cc). */

enum { TCMALLOC_PERIOD = 512 << 10 };

struct heap {
	struct cursor *in;
	const struct read_opts *opts;
	struct build *build;
	int64_t period; /* 1: exact */
	int64_t header[N_COUNTS], sum[N_COUNTS];
	bool header_is_known;
	struct row_trouble bad; /* rows that were passed over */
};

static bool probe(struct span head)
{
	while (span_starts(&head, "%")) {
		while (head.at < head.end && *head.at++ != '\n')
			;
	}
	return span_word(&head, "heap profile:");
}

/* "heap_v2/524288" is the word heap_v2 and its number; *has_number tells whether there is a sound one. */
static bool take_label(struct span label, const char *word, int64_t *number, bool *has_number)
{
	bool overflow = false;

	if (!span_word(&label, word) || (label.at < label.end && *label.at != '/' && *label.at != ' '))
		return false;
	*has_number = span_char(&label, '/') && span_int64(&label, number, &overflow) && !overflow && *number >= 0;
	return true;
}

static void warn(struct heap *heap, enum note_kind kind, const char *text)
{
	diag_add(build_notes(heap->build), NOTE_WARNING, kind, "%s:%" PRIu64 ": %s", heap->in->name, heap->in->line, text);
}

static struct err *parse_label(struct heap *heap, struct span label)
{
	int64_t number = 0;
	bool has_number;

	heap->period = 1;
	if (take_label(label, "heapprofile", &number, &has_number))
		return NULL;
	if (take_label(label, "heap_v2", &number, &has_number) || take_label(label, "heapz_v2", &number, &has_number)) {
		heap->period = has_number ? number : TCMALLOC_PERIOD;
		if (!has_number)
			warn(heap, NOTE_PLAIN, "the header names no sampling period; 524288, tcmalloc's default, is assumed");
		return NULL;
	}
	/* The Go runtime writes twice its rate here. */
	if (take_label(label, "heap", &number, &has_number) && has_number) {
		heap->period = number / 2;
		return NULL;
	}
	return cursor_err(heap->in,
	                  "expected \"@ heapprofile\", \"@ heap_v2/N\" or \"@ heap/N\" after the counts, found \"%.*s\"",
	                  span_length(&label) < 40 ? (int)span_length(&label) : 40, label.at);
}

static struct err *read_header(struct heap *heap)
{
	bool overflow = false;
	struct span line;

	while (cursor_line(heap->in, &line) && span_starts(&line, "%")) {
		if (span_word(&line, "%warn "))
			diag_add(build_notes(heap->build), NOTE_WARNING, NOTE_PLAIN, "%s:%" PRIu64 ": the profile says: %.*s",
			         heap->in->name, heap->in->line, (int)span_length(&line), line.at);
	}
	span_word(&line, "heap profile:");
	span_blanks(&line);
	if (!heap_counts(&line, heap->header, &overflow))
		return cursor_err(heap->in, "expected \"heap profile: N: BYTES [N: BYTES] @ LABEL\"");
	heap->header_is_known = !overflow;
	if (overflow)
		warn(heap, NOTE_PLAIN, "the header's counts do not fit 63 bits; the rows are used");
	if (!span_char(&line, '@'))
		return cursor_err(heap->in, "expected \"@ heapprofile\", \"@ heap_v2/N\" or \"@ heap/N\" after the counts");
	span_blanks(&line);
	return parse_label(heap, line);
}

static void add_row(void *context, const int64_t counts[N_COUNTS], stack_id stack)
{
	struct heap *heap = context;
	double live_n = (double)counts[LIVE_N], live_b = (double)counts[LIVE_B];
	double all_n = (double)counts[ALL_N], all_b = (double)counts[ALL_B];

	unbias_poisson(heap->period, &live_n, &live_b);
	unbias_poisson(heap->period, &all_n, &all_b);
	build_sample(heap->build, stack, (labels_id){0}, (double[]){all_n, all_b, live_n, live_b});
	build_count_row(heap->build);
	for (int i = 0; i < N_COUNTS; i++)
		if (__builtin_add_overflow(heap->sum[i], counts[i], &heap->sum[i]))
			heap->header_is_known = false;
}

static void take_comment(void *context, struct span line)
{
	(void)context;
	(void)line;
}

/* The share of the header's total that the rows do not hold. Negative: not known. */
static double share_lost(const struct heap *heap)
{
	int column = heap->header[LIVE_B] > 0 ? LIVE_B : ALL_B;
	int64_t total = heap->header[column];

	if (!heap->header_is_known || total <= 0)
		return -1;
	return 100 * ((double)total - (double)heap->sum[column]) / (double)total;
}

static void note_losses(struct heap *heap)
{
	double lost = share_lost(heap);
	struct diag *notes = build_notes(heap->build);
	char share[64] = "the share that is lost is not known", rows[64] = "the row is";

	if (lost >= 0 && lost < 0.05)
		snprintf(share, sizeof share, "less than 0.1%% of the header's total is lost");
	else if (lost >= 0)
		snprintf(share, sizeof share, "%.1f%% of the header's total is lost", lost);
	if (heap->bad.n > 1)
		snprintf(rows, sizeof rows, "%" PRIu32 " rows like this are", heap->bad.n);
	if (heap->bad.n)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped, %s", heap->in->name, heap->bad.line,
		         heap->bad.what, rows, share);
	else if (lost > 0)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu64 ": the rows end here, but %s (tcmalloc cuts a profile at 1 MiB)", heap->in->name,
		         heap->in->line, share);
}

static void declare_types(struct heap *heap)
{
	build_type(heap->build, "alloc_objects", "count");
	build_type(heap->build, "alloc_space", "bytes");
	build_type(heap->build, "inuse_objects", "count");
	build_set_default_type(heap->build, build_type(heap->build, "inuse_space", "bytes"));
	build_set_period(heap->build, "space", "bytes", heap->period);
}

static void read_rows(struct heap *heap)
{
	struct heap_rows rows = {.context = heap, .row = add_row, .comment = take_comment};

	heap_rows_read(heap->in, heap->build, heap->opts->n_threads, &rows);
	heap->bad = rows.bad;
	note_losses(heap);
	if (rows.has_maps)
		maps_read(heap->in, heap->build);
	build_end_source(heap->build, heap->in->line);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct heap heap = {.in = in, .opts = opts, .build = build};
	struct err *err = read_header(&heap);

	if (!err) {
		declare_types(&heap);
		read_rows(&heap);
	}
	return err;
}

const struct reader reader_heap = {
	.name = "heap",
	.help = "gperftools' heap profile, as HEAPPROFILE and GetHeapSample write it",
	.probe = probe,
	.read = read,
};

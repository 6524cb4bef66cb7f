#include "analyze/base/text.h"
#include "analyze/read/heap_rows.h"
#include "analyze/read/maps.h"
#include "analyze/read/names.h"
#include "analyze/read/reader.h"
#include "analyze/read/unbias.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tcmalloc's heap profiles, and the Go runtime's:
 *   heap profile: n: b [n2: b2] @ label
 *   n: b [n2: b2] @ 0x... 0x... ...
 *   MAPPED_LIBRARIES:
 * The label tells how the rows came about. */

enum { TCMALLOC_PERIOD = 512 << 10, LABEL_TEXT = 80 };

/* HEAPPROFILE's snapshots are made in a buffer of 1 MiB, which also holds the map. */
enum { SHORTEST_CUT = 512 << 10 };

enum label_kind {
	EXACT,
	SAMPLED,       /* followed by the period */
	SAMPLED_TWICE, /* by twice the period */
	TWO_COLUMNS,   /* exact, and n2 and b2 say nothing new */
	UNKNOWN,
};

static const struct label_row {
	const char *word;
	enum label_kind kind;
} label_rows[] = {
	{"heapprofile", EXACT}, /* HEAPPROFILE and the leak checker */
	{"heap_v2", SAMPLED},           {"heapz_v2", SAMPLED},
	{"heap", SAMPLED_TWICE}, /* the Go runtime; with a number only */
	{"fragmentation", TWO_COLUMNS}, {"fragmentationz", TWO_COLUMNS},
};

struct heap {
	struct cursor *in;
	struct build *build;
	const struct read_opts *opts;
	char label[LABEL_TEXT]; /* as it stands in the file */
	enum label_kind kind;
	int64_t period; /* 1: exact */
	int64_t header[N_COUNTS], sum[N_COUNTS];
	bool header_is_known;
	struct names *names;
};

static bool probe(struct span head)
{
	heap_skip_commands(&head);
	if (!span_word(&head, "heap profile:"))
		return false;
	span_blanks(&head);
	return head.at == head.end || *head.at == '\n' || *head.at == '-' || span_is_digit(*head.at);
}

/* ---- the header ---- */

static void note(struct heap *heap, enum note_level level, const char *text)
{
	diag_add(build_notes(heap->build), level, NOTE_PLAIN, "%s:%" PRIu64 ": %s", heap->in->name, heap->in->line, text);
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

static enum label_kind find_label(struct span label, int64_t *number, bool *has_number)
{
	/* Also in a URL: what was fetched from /pprof/growth may say so. */
	if (memmem(label.at, span_length(&label), "growth", 6))
		return TWO_COLUMNS;
	for (size_t i = 0; i < sizeof label_rows / sizeof *label_rows; i++)
		if (take_label(label, label_rows[i].word, number, has_number))
			return label_rows[i].kind == SAMPLED_TWICE && !*has_number ? UNKNOWN : label_rows[i].kind;
	return UNKNOWN;
}

/* Neither the file nor the user says how the rows were sampled. */
static void note_unknown_label(struct heap *heap)
{
	char subject[LABEL_TEXT + 16] = "header";

	if (heap->opts->sampling_period || heap->opts->no_unsample)
		return;
	if (*heap->label)
		snprintf(subject, sizeof subject, "label \"%s\"", heap->label);
	diag_add(build_notes(heap->build), NOTE_WARNING, NOTE_PLAIN,
	         "%s:%" PRIu64 ": the %s does not tell how the heap was sampled, so its counts are taken as exact; "
	         "--sampling-period=N scales them",
	         heap->in->name, heap->in->line, subject);
}

static void choose_period(struct heap *heap, int64_t number, bool has_number)
{
	const struct read_opts *opts = heap->opts;
	bool is_sampled = heap->kind == SAMPLED || heap->kind == SAMPLED_TWICE;

	if (heap->kind == SAMPLED && !has_number) {
		number = TCMALLOC_PERIOD;
		if (!opts->sampling_period && !opts->no_unsample)
			note(heap, NOTE_WARNING, "the header names no sampling period; 524288, tcmalloc's default, is assumed");
	}
	if (heap->kind == UNKNOWN)
		note_unknown_label(heap);
	if (is_sampled || heap->kind == UNKNOWN)
		heap->period = unbias_period(opts, !is_sampled ? 1 : heap->kind == SAMPLED_TWICE ? number / 2 : number);
	else if (opts->sampling_period)
		note(heap, NOTE_INFO, "--sampling-period changes nothing here: the label says that the counts are exact");
}

/* Writers that add up in fewer than 64 bits leave totals that mean nothing. */
static void check_totals(struct heap *heap, bool overflow)
{
	bool negative = false;

	for (int i = 0; i < N_COUNTS; i++)
		negative |= heap->header[i] < 0;
	heap->header_is_known = !overflow && !negative;
	if (overflow)
		note(heap, NOTE_WARNING, "the header's counts do not fit 63 bits; the rows are used");
	else if (negative)
		note(heap, NOTE_INFO, "the header's counts are negative; the rows are used");
}

static void keep_label(struct heap *heap, struct span label)
{
	size_t length = text_cut_bytes(label.at, span_length(&label), LABEL_TEXT - 1);

	memcpy(heap->label, label.at, length);
	heap->label[length] = '\0';
}

static struct err *read_header(struct heap *heap)
{
	bool overflow = false, has_number = false;
	int64_t number = 0;
	struct span line;

	heap_take_header(heap->in, heap->build, &line);
	span_word(&line, "heap profile:");
	span_blanks(&line);
	if (!heap_counts(&line, heap->header, &overflow))
		return cursor_err(heap->in, "expected \"heap profile: N: BYTES [N: BYTES] @ LABEL\"");
	if (line.at < line.end && !span_mark(&line, '@'))
		return cursor_err(heap->in, "expected \"@ LABEL\" after the counts");
	check_totals(heap, overflow);
	keep_label(heap, line);
	heap->kind = find_label(line, &number, &has_number);
	heap->period = 1;
	choose_period(heap, number, has_number);
	return NULL;
}

static void declare_types(struct heap *heap)
{
	char rule[UNBIAS_RULE];

	if (heap->kind == TWO_COLUMNS) {
		build_type(heap->build, "objects", "count");
		build_set_default_type(heap->build, build_type(heap->build, "space", "bytes"));
	} else {
		heap_four_types(heap->build);
	}
	build_set_period(heap->build, "space", "bytes", heap->period);
	build_source_facts(heap->build, heap->label, unbias_rule(heap->opts, heap->period, rule), heap->period);
}

/* ---- rows ---- */

static void sum_row(struct heap *heap, const int64_t counts[N_COUNTS])
{
	for (int i = 0; i < N_COUNTS; i++)
		if (__builtin_add_overflow(heap->sum[i], counts[i], &heap->sum[i]))
			heap->header_is_known = false;
}

static void add_row(void *context, const int64_t counts[N_COUNTS], stack_id stack)
{
	struct heap *heap = context;

	if (heap->kind == TWO_COLUMNS)
		build_sample(heap->build, stack, (labels_id){0}, (double[]){(double)counts[LIVE_N], (double)counts[LIVE_B]});
	else
		heap_add(heap->build, stack, (labels_id){0}, counts, heap->opts->no_unsample ? 1 : heap->period);
	build_count_row(heap->build);
	sum_row(heap, counts);
}

static void take_comment(void *context, struct span line)
{
	struct heap *heap = context;

	names_take_line(heap->names, heap->build, line);
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

static void note_losses(const struct heap *heap, const struct row_trouble *bad)
{
	bool may_be_cut = heap->kind != SAMPLED_TWICE && heap->in->at - heap->in->start >= SHORTEST_CUT;
	struct losses losses = {
		.skipped = bad,
		.noun = "row",
		.total = "the header's total",
		.percent = share_lost(heap),
		.guess = may_be_cut ? " (tcmalloc cuts a profile at 1 MiB)" : NULL,
	};

	losses_note(&losses, heap->in, heap->build);
}

static void note_negative(const struct heap *heap, const struct row_trouble *negative)
{
	char rows[64] = "a row with a negative count is kept";

	if (!negative->n)
		return;
	if (negative->n > 1)
		snprintf(rows, sizeof rows, "%" PRIu32 " rows with negative counts are kept", negative->n);
	diag_add(build_notes(heap->build), NOTE_INFO, NOTE_PLAIN, "%s:%" PRIu64 ": %s", heap->in->name, negative->line,
	         rows);
}

static void read_rows(struct heap *heap)
{
	struct heap_rows rows = {.context = heap, .row = add_row, .comment = take_comment};

	heap_rows_read(heap->in, heap->build, heap->opts->n_threads, &rows);
	note_negative(heap, &rows.negative);
	note_losses(heap, &rows.bad);
	if (rows.end == END_AT_PROFILE)
		losses_note_next_profile(heap->in, heap->build);
	if (rows.end == END_AT_MAPS)
		maps_read(heap->in, heap->build);
	names_apply(heap->names, heap->build);
	build_end_source(heap->build, heap->in->line);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct heap heap = {.in = in, .build = build, .opts = opts};
	struct err *err = read_header(&heap);

	if (!err) {
		declare_types(&heap);
		heap.names = names_new();
		read_rows(&heap);
	}
	names_free(heap.names);
	return err;
}

const struct reader reader_heap = {
	.name = "heap",
	.help = "tcmalloc's heap, sampled heap and heap growth; the Go runtime's heap as text",
	.probe = probe,
	.read = read,
};

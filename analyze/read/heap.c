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

enum { DEEPEST_STACK = 64 << 10, TCMALLOC_PERIOD = 512 << 10 };
enum { LIVE_N, LIVE_B, ALL_N, ALL_B, N_COUNTS };

struct heap {
	struct cursor *in;
	struct build *build;
	int64_t period; /* 1: exact */
	int64_t header[N_COUNTS], sum[N_COUNTS];
	bool header_is_known;
	loc_id *frames;
	uint32_t n_frames, cap_frames;
	uint32_t n_bad;        /* rows that were passed over */
	const char *first_bad; /* what was wrong with the first */
	uint64_t first_bad_line;
};

static bool probe(struct span head)
{
	while (span_starts(&head, "%")) {
		while (head.at < head.end && *head.at++ != '\n')
			;
	}
	return span_word(&head, "heap profile:");
}

/* One character, with or without blanks around it. */
static bool take_mark(struct span *line, char mark)
{
	span_blanks(line);
	if (!span_char(line, mark))
		return false;
	span_blanks(line);
	return true;
}

/* "n: b [n2: b2]"; false: the line has another shape. */
static bool parse_counts(struct span *line, int64_t counts[N_COUNTS], bool *overflow)
{
	static const char marks[N_COUNTS] = {':', '[', ':', ']'}; /* what follows each number */

	for (int i = 0; i < N_COUNTS; i++)
		if (!span_int64(line, &counts[i], overflow) || !take_mark(line, marks[i]))
			return false;
	return true;
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
	if (!parse_counts(&line, heap->header, &overflow))
		return cursor_err(heap->in, "expected \"heap profile: N: BYTES [N: BYTES] @ LABEL\"");
	heap->header_is_known = !overflow;
	if (overflow)
		warn(heap, NOTE_PLAIN, "the header's counts do not fit 63 bits; the rows are used");
	if (!span_char(&line, '@'))
		return cursor_err(heap->in, "expected \"@ heapprofile\", \"@ heap_v2/N\" or \"@ heap/N\" after the counts");
	span_blanks(&line);
	return parse_label(heap, line);
}

static void bad_row(struct heap *heap, const char *what)
{
	if (heap->n_bad++)
		return;
	heap->first_bad = what;
	heap->first_bad_line = heap->in->line;
}

/* A frame is a return address: the call that it belongs to ends one byte before. */
static void push_frame(struct heap *heap, uint64_t addr)
{
	MEM_GROW(heap->frames, heap->n_frames, heap->cap_frames);
	heap->frames[heap->n_frames++] = build_loc(heap->build, addr ? addr - 1 : 0);
}

/* NULL, or what is wrong with the row's addresses. */
static const char *parse_stack(struct heap *heap, struct span line)
{
	heap->n_frames = 0;
	for (;;) {
		bool overflow = false;
		uint64_t addr;

		span_blanks(&line);
		if (line.at == line.end)
			return NULL;
		if (!span_hex(&line, &addr, &overflow) || (line.at < line.end && *line.at != ' ' && *line.at != '\t'))
			return "expected a hexadecimal address";
		if (overflow)
			return "expected an address of at most 64 bits";
		if (heap->n_frames == DEEPEST_STACK)
			return "expected at most 65536 frames";
		push_frame(heap, addr);
	}
}

static void add_row(struct heap *heap, const int64_t counts[N_COUNTS])
{
	double live_n = (double)counts[LIVE_N], live_b = (double)counts[LIVE_B];
	double all_n = (double)counts[ALL_N], all_b = (double)counts[ALL_B];

	unbias_poisson(heap->period, &live_n, &live_b);
	unbias_poisson(heap->period, &all_n, &all_b);
	build_sample(heap->build, build_stack(heap->build, heap->frames, heap->n_frames), (labels_id){0},
	             (double[]){all_n, all_b, live_n, live_b});
	build_count_row(heap->build);
	for (int i = 0; i < N_COUNTS; i++)
		if (__builtin_add_overflow(heap->sum[i], counts[i], &heap->sum[i]))
			heap->header_is_known = false;
}

/* Rows begin with digits and a colon; what has another shape (blank lines, comments) is passed over. */
static bool looks_like_row(struct span line)
{
	bool overflow = false;
	int64_t number;

	return span_int64(&line, &number, &overflow) && take_mark(&line, ':');
}

static void read_row(struct heap *heap, struct span line)
{
	int64_t counts[N_COUNTS];
	bool overflow = false;
	const char *wrong = NULL;

	if (!looks_like_row(line))
		return;
	if (cursor_line_is_cut(heap->in))
		wrong = "the row is cut by the end of the file";
	else if (!parse_counts(&line, counts, &overflow) || !span_char(&line, '@'))
		wrong = "expected \"N: BYTES [N: BYTES] @ ADDRESS...\"";
	else if (overflow)
		wrong = "expected counts of at most 63 bits";
	else
		wrong = parse_stack(heap, line);
	if (wrong)
		bad_row(heap, wrong);
	else
		add_row(heap, counts);
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
	if (heap->n_bad > 1)
		snprintf(rows, sizeof rows, "%" PRIu32 " rows like this are", heap->n_bad);
	if (heap->n_bad)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped, %s", heap->in->name,
		         heap->first_bad_line, heap->first_bad, rows, share);
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
	struct span line;
	bool has_maps = false;

	while (!has_maps && cursor_line(heap->in, &line)) {
		has_maps = maps_begin(&line);
		if (!has_maps)
			read_row(heap, line);
	}
	note_losses(heap);
	if (has_maps)
		maps_read(heap->in, heap->build);
	build_end_source(heap->build, heap->in->line);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct heap heap = {.in = in, .build = build};
	struct err *err = read_header(&heap);

	(void)opts;

	if (!err) {
		declare_types(&heap);
		read_rows(&heap);
	}
	free(heap.frames);
	return err;
}

const struct reader reader_heap = {
	.name = "heap",
	.help = "gperftools' heap profile, as HEAPPROFILE and GetHeapSample write it",
	.probe = probe,
	.read = read,
};

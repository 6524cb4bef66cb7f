#include "analyze/read/heap_dump.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"
#include "analyze/read/unbias.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* jemalloc's heap profile (prof.dump), from version 4 on:
 *   heap_v2/N
 *     t*: n: b [n2: b2]
 *     t0: n: b [n2: b2] thread name
 *   @ 0x... 0x...
 *     t*: n: b [n2: b2]
 *     t0: n: b [n2: b2]
 *   MAPPED_LIBRARIES:
 * t* is all threads together, t0 and so on each of them; those before the first stack are totals. N is the mean number
 * of bytes from one sample to the next. */

enum { SHOWN_THREADS = 10, LONGEST_ID = 20 };

/* Of several rows: the counts as they stand, what they stand for, and how far rounding may have moved that. */
struct sums {
	double raw[N_COUNTS], scaled[N_COUNTS], slack[N_COUNTS];
};

struct jeheap {
	struct cursor *in;
	struct build *build;
	const struct read_opts *opts;
	int64_t period, scale; /* what the file was sampled with, what its rows are scaled by; 1: exact, not at all */
	bool has_stack;        /* there was an '@' */
	bool stack_is_bad;     /* what stands below it belongs to nothing */
	stack_id stack;
	struct sums header;  /* the t* of the head */
	struct sums all;     /* t* below stacks */
	struct sums threads; /* the others there */
	struct span shown[SHOWN_THREADS];
	uint32_t n_shown;
	bool has_more_threads; /* than are shown */
	bool has_thread;       /* the one that was asked for */
	str_id thread_key;
	struct stack_addrs addrs; /* of the stack that is read */
	struct row_trouble bad;
};

static bool probe(struct span head)
{
	heap_skip_commands(&head);
	return span_starts(&head, "heap_v");
}

/* ---- the header ---- */

static struct err *read_header(struct jeheap *heap)
{
	bool overflow = false;
	int64_t number;
	struct span line;

	heap_take_header(heap->in, heap->build, &line);
	struct span label = line;
	if (!span_word(&line, "heap_v2/") || !span_int64(&line, &number, &overflow) || number < 0 || overflow ||
	    line.at < line.end)
		return cursor_err(heap->in, "expected \"heap_v2/N\", N the bytes from one sample to the next");
	heap->period = unbias_period(heap->opts, number);
	heap->scale = heap->opts->no_unsample ? 1 : heap->period;
	heap_four_types(heap->build);
	build_set_period(heap->build, "space", "bytes", heap->period);
	char rule[UNBIAS_RULE], CLEANUP(mem_free_local) *header = mem_strndup(label.at, span_length(&label));
	build_source_facts(heap->build, header, unbias_rule(heap->opts, heap->period, rule), heap->period);
	return NULL;
}

/* ---- rows ---- */

static void read_stack(struct jeheap *heap, struct span line)
{
	const char *wrong =
		cursor_line_is_cut(heap->in) ? "the stack is cut by the end of the file" : stack_addrs_read(&heap->addrs, line);

	heap->has_stack = true;
	heap->stack_is_bad = wrong != NULL;
	if (wrong)
		row_trouble_add(&heap->bad, heap->in, wrong);
	else
		heap->stack = stack_addrs_build(&heap->addrs, heap->build);
}

/* What has another shape (blank lines, comments) is passed over. */
static bool looks_like_row(struct span line)
{
	return span_char(&line, 't') && line.at < line.end && (*line.at == '*' || span_is_digit(*line.at));
}

/* The "*" of "t*:", or the "12" of "t12:". */
static bool take_thread(struct span *line, struct span *ret)
{
	span_char(line, 't');
	ret->at = line->at;
	if (!span_char(line, '*'))
		while (line->at < line->end && span_is_digit(*line->at))
			line->at++;
	ret->end = line->at;
	return span_length(ret) <= LONGEST_ID && span_mark(line, ':');
}

/* NULL, or what is wrong with the row. */
static const char *parse_row(struct span line, struct span *thread, int64_t counts[N_COUNTS])
{
	bool overflow = false;

	if (!take_thread(&line, thread) || !heap_counts(&line, counts, &overflow))
		return "expected \"tTHREAD: N: BYTES [N: BYTES]\"";
	return overflow ? "expected counts of at most 63 bits" : NULL;
}

static bool is_wanted(const struct jeheap *heap, struct span thread)
{
	const char *wanted = heap->opts->thread;

	if (!wanted)
		return span_is(&thread, "*");
	return !span_is(&thread, "*") && (strcmp(wanted, "*") == 0 || span_is(&thread, wanted));
}

/* Remembers which threads there are, for the error on one that is not. */
static void note_thread(struct jeheap *heap, struct span thread)
{
	heap->has_thread |= is_wanted(heap, thread);
	if (span_is(&thread, "*"))
		return;
	for (uint32_t i = 0; i < heap->n_shown; i++)
		if (span_equal(&heap->shown[i], &thread))
			return;
	if (heap->n_shown == SHOWN_THREADS)
		heap->has_more_threads = true;
	else
		heap->shown[heap->n_shown++] = thread;
}

/* Version 5.3 writes each row so that it scales to the truth by itself: the counts as they stand do not add up, and what
 * they stand for does, but for the rounding of n. Older versions write counts that add up. */
static void sum_pair(const struct jeheap *heap, double n, double b, int at, struct sums *sums)
{
	double slack = heap->period > 1 && n > 0 ? 1.5 / n : 0;

	sums->raw[at] += n;
	sums->raw[at + 1] += b;
	unbias_poisson(heap->period, &n, &b);
	sums->scaled[at] += n;
	sums->scaled[at + 1] += b;
	sums->slack[at] += n * slack;
	sums->slack[at + 1] += b * slack;
}

static void sum_row(const struct jeheap *heap, const int64_t counts[N_COUNTS], struct sums *sums)
{
	for (int i = 0; i < N_COUNTS; i += 2)
		sum_pair(heap, (double)counts[i], (double)counts[i + 1], i, sums);
}

static void add_row(struct jeheap *heap, struct span thread, const int64_t counts[N_COUNTS])
{
	labels_id labels = {0};

	sum_row(heap, counts, span_is(&thread, "*") ? &heap->all : &heap->threads);
	if (!is_wanted(heap, thread))
		return;
	if (heap->opts->thread) {
		struct label label = {.key = heap->thread_key, .text = build_str(heap->build, thread.at, span_length(&thread))};
		labels = build_labels(heap->build, &label, 1);
	}
	heap_add(heap->build, heap->stack, labels, counts, heap->scale);
	build_count_row(heap->build);
}

static void read_thread(struct jeheap *heap, struct span line)
{
	int64_t counts[N_COUNTS];
	struct span thread;
	const char *wrong =
		cursor_line_is_cut(heap->in) ? "the row is cut by the end of the file" : parse_row(line, &thread, counts);

	if (wrong) {
		row_trouble_add(&heap->bad, heap->in, wrong);
		return;
	}
	note_thread(heap, thread);
	if (heap->has_stack)
		add_row(heap, thread, counts);
	else if (span_is(&thread, "*"))
		sum_row(heap, counts, &heap->header);
}

static void read_row(struct jeheap *heap, struct span line)
{
	if (span_char(&line, '@'))
		read_stack(heap, line);
	else if (looks_like_row(line) && !heap->stack_is_bad)
		read_thread(heap, line);
}

/* ---- what is said of the whole ---- */

static bool are_equal(const struct sums *a, const struct sums *b)
{
	for (int i = 0; i < N_COUNTS; i++)
		if (a->raw[i] != b->raw[i])
			return false;
	return true;
}

/* True where the difference is no more than rounding can make. */
static bool are_near(const struct sums *a, const struct sums *b)
{
	for (int i = 0; i < N_COUNTS; i++)
		if (fabs(a->scaled[i] - b->scaled[i]) > a->slack[i] + b->slack[i])
			return false;
	return true;
}

static bool adds_up(const struct sums *whole, const struct sums *parts)
{
	return are_equal(whole, parts) || are_near(whole, parts);
}

/* Percent of the header's total that the rows do not hold; negative: not known. */
static double share_lost(const struct jeheap *heap)
{
	int column = heap->header.scaled[LIVE_B] > 0 ? LIVE_B : ALL_B;
	double total = heap->header.scaled[column];

	return total > 0 ? 100 * (total - heap->all.scaled[column]) / total : -1;
}

static void note_losses(const struct jeheap *heap)
{
	struct losses losses = {
		.skipped = &heap->bad, .noun = "row", .total = "the header's total", .percent = share_lost(heap)};

	if (heap->bad.n || !adds_up(&heap->header, &heap->all))
		losses_note(&losses, heap->in, heap->build);
}

static void check_threads(const struct jeheap *heap)
{
	if (heap->n_shown && !heap->bad.n && !adds_up(&heap->all, &heap->threads))
		diag_add(build_notes(heap->build), NOTE_WARNING, NOTE_PLAIN,
		         "%s: the rows of the threads do not add up to those of all threads (t*)", heap->in->name);
}

static struct err *unknown_thread(const struct jeheap *heap)
{
	struct arena *arena = arena_new();
	const char *list = "";

	for (uint32_t i = 0; i < heap->n_shown; i++)
		list =
			arena_printf(arena, "%s%s%.*s", list, i ? ", " : "", (int)span_length(&heap->shown[i]), heap->shown[i].at);
	struct err *err = heap->n_shown
	                      ? err_new("%s: --thread=%s: expected one of the profile's threads: %s%s", heap->in->name,
	                                heap->opts->thread, list, heap->has_more_threads ? " and others" : "")
	                      : err_new("%s: --thread: expected a jemalloc heap profile that has threads", heap->in->name);
	arena_free(arena);
	return err;
}

static struct err *read_rows(struct jeheap *heap)
{
	struct span line;
	bool has_maps = false;

	while (!has_maps && cursor_line(heap->in, &line)) {
		has_maps = maps_begin(&line);
		if (!has_maps)
			read_row(heap, line);
	}
	if (heap->opts->thread && !heap->has_thread)
		return unknown_thread(heap);
	note_losses(heap);
	check_threads(heap);
	if (has_maps)
		maps_read(heap->in, heap->build);
	build_end_source(heap->build, heap->in->line);
	return NULL;
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct jeheap heap = {.in = in, .build = build, .opts = opts};
	struct err *err = read_header(&heap);

	heap.thread_key = build_cstr(build, "thread");
	if (!err)
		err = read_rows(&heap);
	stack_addrs_free(&heap.addrs);
	return err;
}

const struct reader reader_jeheap = {
	.name = "jemalloc",
	.help = "jemalloc's heap, for all threads or one of them",
	.has_threads = true,
	.probe = probe,
	.read = read,
};

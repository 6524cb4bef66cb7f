#include "analyze/read/attributes.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"

#include <string.h>

/* Where the threads of a program stand:
 *   --- threadz 1 ---
 *
 *   --- Thread 7f794ab90940 (name: main/14748) stack: ---
 *     PC:  0x00bc8f1c: helper(arg *)
 *     0x0040be31: main
 *         creator: 0xa45b96 0xa460b4
 *   --- Thread 7f7948978700 (name: thread3/14759) stack: ---
 *     [same as previous thread]
 *   --- Memory map: ---
 * Addresses stand one a line with a symbol, or many a line. The stack of the creator calls the thread's. */

struct threadz {
	struct cursor *in;
	struct build *build;
	struct stack_addrs addrs; /* of the row at hand */
	struct row_trouble bad;
	bool in_thread;
	const char *wrong; /* with the thread at hand; NULL: nothing */
	stack_id last;     /* stack, of the thread before, and what was wrong with that */
	const char *last_wrong;
};

static bool probe(struct span head)
{
	return span_starts(&head, "--- threadz") || span_starts(&head, "--- Thread ");
}

static bool take_addr(struct span *line, uint64_t *ret, bool *overflow)
{
	return span_starts(line, "0x") && span_hex(line, ret, overflow);
}

/* The addresses that stand side by side from the first 0x on; a symbol's text behind them may hold another. */
static void read_frames(struct threadz *t, struct span line)
{
	const char *first = memmem(line.at, span_length(&line), "0x", 2);
	bool overflow = false;
	uint64_t addr;

	line.at = first ? first : line.end;
	while (!t->wrong && take_addr(&line, &addr, &overflow)) {
		t->wrong = overflow ? "expected an address of at most 64 bits" : stack_addrs_push(&t->addrs, addr);
		span_blanks(&line);
	}
}

/* The leaf is where the thread stands; the others are return addresses. */
static stack_id make_stack(struct threadz *t)
{
	const uint64_t *addrs = t->addrs.addrs;
	loc_id *frames = stack_addrs_frames(&t->addrs);
	uint32_t n = 0;

	frames[n++] = build_loc(t->build, addrs[0]);
	for (uint32_t i = 1; i < t->addrs.n; i++)
		if (i > 1 || !is_leaf_again(addrs[0], call_addr(addrs[i])))
			frames[n++] = stack_addrs_return(t->build, addrs[i]);
	return build_stack(t->build, frames, n);
}

/* A thread without addresses stands where the one before it does. */
static void end_thread(struct threadz *t)
{
	if (!t->in_thread)
		return;
	t->in_thread = false;
	if (!t->wrong && t->addrs.n)
		t->last = make_stack(t);
	else if (!t->wrong)
		t->wrong = t->last_wrong;
	t->last_wrong = t->wrong;
	if (t->wrong) {
		row_trouble_add(&t->bad, t->in, t->wrong);
		return;
	}
	build_sample(t->build, t->last, (labels_id){0}, (double[]){1});
	build_count_row(t->build);
}

static void begin_thread(struct threadz *t)
{
	t->in_thread = true;
	t->wrong = NULL;
	t->addrs.n = 0;
}

static void read_line(struct threadz *t, struct span line)
{
	if (span_starts(&line, "---"))
		end_thread(t);
	if (span_starts(&line, "--- Thread"))
		begin_thread(t);
	else if (t->in_thread)
		read_frames(t, line);
	if (cursor_line_is_cut(t->in))
		t->wrong = "the thread is cut by the end of the file";
}

static void read_threads(struct threadz *t)
{
	struct cursor *in = t->in;
	struct span line;
	bool has_maps = false;

	while (!has_maps && cursor_line(in, &line)) {
		has_maps = maps_begin(&line);
		if (!has_maps)
			read_line(t, line);
	}
	end_thread(t);
	losses_note(&(struct losses){.skipped = &t->bad, .noun = "thread", .percent = -1}, t->in, t->build);
	if (has_maps)
		maps_read(in, t->build);
	build_end_source(t->build, in->line);
}

/* The title is "threadz 1"; a file that begins with a thread has none. The cursor stays, for that thread. */
static void declare(struct build *build, struct cursor in)
{
	struct span line = {0};

	cursor_line(&in, &line);
	struct span title = attributes_title(line);
	if (!span_starts(&title, "threadz"))
		title.end = title.at;
	char CLEANUP(mem_free_local) *header = mem_strndup(title.at, span_length(&title));
	build_set_default_type(build, build_type(build, "thread", "count"));
	build_set_period(build, "thread", "count", 1);
	build_source_facts(build, header, "exact", 1);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct threadz t = {.in = in, .build = build};

	(void)opts;
	declare(build, *in);
	read_threads(&t);
	stack_addrs_free(&t.addrs);
	return NULL;
}

const struct reader reader_threadz = {
	.name = "threadz",
	.help = "threadz: where the threads of a program stand",
	.probe = probe,
	.is_mapless = true,
	.read = read,
};

#include "analyze/read/attributes.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"
#include "analyze/read/names.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* How long threads waited for each other (absl's and gperftools' mutexes, the Go runtime):
 *   --- contentionz 1 ---
 *   cycles/second = 3201000000
 *   sampling period = 100
 *   CYCLES COUNT @ 0x... 0x... ...
 *   --- Memory map: ---
 * A row stands for "sampling period" as many contentions and cycles. */

enum { RULE_TEXT = 80 };

enum clock { CLOCK_KNOWN, CLOCK_NANOSECONDS, CLOCK_UNKNOWN };

struct contention {
	struct cursor *in;
	struct build *build;
	struct stack_addrs addrs; /* of the row at hand */
	struct row_trouble bad;
	struct names *names;
	struct attributes attributes;
	enum clock clock;
	int64_t period;
	struct span title;
};

static bool probe(struct span head)
{
	struct span title = attributes_title(head);

	return span_starts(&title, "contention") || span_starts(&title, "mutex:") || span_starts(&title, "Stacks:");
}

static void read_head(struct contention *c)
{
	struct cursor *in = c->in;
	struct build *build = c->build;
	struct span line = {0};

	cursor_line(in, &line);
	c->title = attributes_title(line);
	bool is_go = span_starts(&c->title, "contention:") || span_starts(&c->title, "mutex:");
	attributes_read(*in, build, &c->attributes);
	c->period = c->attributes.sampling_period ? c->attributes.sampling_period : 1;
	c->clock = c->attributes.cycles_per_second ? CLOCK_KNOWN : is_go ? CLOCK_NANOSECONDS : CLOCK_UNKNOWN;
	if (c->clock == CLOCK_UNKNOWN)
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN,
		         "%s:%" PRIu64 ": expected \"cycles/second = N\" below the header; delays are shown in cycles",
		         in->name, in->line);
	if (c->attributes.n_discarded)
		diag_add(build_notes(build), NOTE_DETAIL, NOTE_PLAIN, "%s: the program discarded %" PRId64 " samples", in->name,
		         c->attributes.n_discarded);
}

/* How delays came about, for people. */
static const char *describe_rule(const struct contention *c, char text[RULE_TEXT])
{
	double gigahertz = (double)c->attributes.cycles_per_second / 1e9;
	int digits = c->attributes.cycles_per_second % 100000000 ? 3 : 1;

	if (c->clock == CLOCK_KNOWN)
		snprintf(text, RULE_TEXT, "cycles x %" PRId64 " / %.*f GHz", c->period, digits, gigahertz);
	else
		snprintf(text, RULE_TEXT, "%s x %" PRId64, c->clock == CLOCK_UNKNOWN ? "cycles" : "nanoseconds", c->period);
	return text;
}

static void declare(const struct contention *c)
{
	struct build *build = c->build;
	char CLEANUP(mem_free_local) *title = mem_strndup(c->title.at, span_length(&c->title));
	char rule[RULE_TEXT];

	build_type(build, "contentions", "count");
	build_set_default_type(build, build_type(build, "delay", c->clock == CLOCK_UNKNOWN ? "cycles" : "nanoseconds"));
	build_set_period(build, "contentions", "count", c->period);
	attributes_set_time(&c->attributes, build);
	build_source_facts(build, title, describe_rule(c, rule), c->period);
}

/* "cycles count" or "cycles", which is one contention. NULL, or what is wrong with it. */
static const char *take_counts(struct span *line, int64_t *cycles_ret, int64_t *count_ret)
{
	bool overflow = false;

	*count_ret = 1;
	if (!span_int64(line, cycles_ret, &overflow))
		return "expected \"CYCLES COUNT @ ADDRESS...\"";
	span_blanks(line);
	span_int64(line, count_ret, &overflow);
	if (!span_mark(line, '@'))
		return "expected \"CYCLES COUNT @ ADDRESS...\"";
	return overflow ? "expected counts of at most 63 bits" : NULL;
}

static const char *parse_row(struct contention *c, struct span line, double *count_ret, double *delay_ret)
{
	int64_t cycles, count;
	const char *wrong = take_counts(&line, &cycles, &count);

	if (wrong)
		return wrong;
	*count_ret = (double)count * (double)c->period;
	*delay_ret = (double)cycles * (double)c->period;
	if (c->clock == CLOCK_KNOWN)
		*delay_ret /= (double)c->attributes.cycles_per_second / 1e9;
	if (fabs(*count_ret) >= 0x1p63 || fabs(*delay_ret) >= 0x1p63)
		return "expected a delay and a count of at most 63 bits after scaling";
	return stack_addrs_read(&c->addrs, line);
}

static void read_row(struct contention *c, struct span line)
{
	double count, delay;
	const char *wrong =
		cursor_line_is_cut(c->in) ? "the row is cut by the end of the file" : parse_row(c, line, &count, &delay);

	if (wrong) {
		row_trouble_add(&c->bad, c->in, wrong);
		return;
	}
	build_sample(c->build, stack_addrs_build(&c->addrs, c->build), (labels_id){0}, (double[]){count, delay});
	build_count_row(c->build);
}

/* Reads rows up to the map section; true: there is one, and the cursor stands at its first row. Attributes have been read
 * before; "slow release ..." and other lines are no rows. */
static bool read_rows(struct contention *c)
{
	struct cursor *in = c->in, before = *in;
	struct span line;

	for (; cursor_line(in, &line); before = *in) {
		if (maps_begin(&line))
			return true;
		if (maps_is_row(line)) {
			*in = before;
			return true;
		}
		if (names_take_line(c->names, c->build, line))
			continue;
		if (span_starts_number(&line))
			read_row(c, line);
	}
	return false;
}

static void read_body(struct contention *c)
{
	bool has_maps = read_rows(c);

	losses_note(&(struct losses){.skipped = &c->bad, .noun = "row", .percent = -1}, c->in, c->build);
	names_apply(c->names, c->build);
	if (has_maps)
		maps_read(c->in, c->build);
	build_end_source(c->build, c->in->line);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct contention c = {.in = in, .build = build, .names = names_new()};

	(void)opts;
	read_head(&c);
	declare(&c);
	read_body(&c);
	names_free(c.names);
	stack_addrs_free(&c.addrs);
	return NULL;
}

const struct reader reader_contention = {
	.name = "contention",
	.help = "contention and mutex profiles of absl, gperftools and Go: how long threads waited for each other",
	.probe = probe,
	.read = read,
};

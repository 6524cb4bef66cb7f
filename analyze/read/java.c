#include "analyze/read/attributes.h"
#include "analyze/read/java_names.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"
#include "analyze/read/unbias.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Heap and contention profiles of the Java agent:
 *   --- heapz 1 ---
 *   format = java
 *   resolution = bytes
 *   BYTES OBJECTS @ 0x<id> 0x<id> ...
 *
 *    0x<id> com.example.Query.run (Query.java:103)
 * The heap is sampled once in 512 KiB; a contention stands for "sampling period" as many. */

enum { AGENT_PERIOD = 512 << 10, LONGEST_UNIT = 31 };

struct kind {
	const char *count, *amount; /* types */
	const char *unit;           /* of the amount, where the file does not say */
	bool is_heap;
};

struct java {
	struct cursor *in;
	struct build *build;
	struct stack_addrs ids; /* of the row at hand, in place of addresses */
	struct row_trouble bad;
	struct java_names *names;
	struct span title;
	const struct kind *kind;
	struct attributes attributes;
	int64_t period;
	int64_t scale; /* of a heap: the period by which rows are scaled; 1: not at all */
	char unit[LONGEST_UNIT + 1];
};

static const struct kind heap = {"inuse_objects", "inuse_space", "bytes", true};
static const struct kind contention = {"contentions", "delay", "microseconds", false};

static const struct kind *find_kind(struct span title)
{
	return span_starts(&title, "heapz") ? &heap : span_starts(&title, "contention") ? &contention : NULL;
}

/* Contention profiles of Java and of C++ tell themselves apart by an attribute in front of the rows. */
static bool says_java(struct span head)
{
	struct span line, name, value;
	struct cursor in;

	cursor_init(&in, "", head.at, span_length(&head));
	cursor_line(&in, &line);
	while (cursor_line(&in, &line)) {
		if (line.at == line.end)
			continue;
		if (!attribute_split(line, &name, &value))
			return false;
		if (span_is(&name, "format"))
			return span_is(&value, "java");
	}
	return false;
}

static bool probe(struct span head)
{
	const struct kind *kind = find_kind(attributes_title(head));

	return kind == &heap || (kind == &contention && says_java(head));
}

/* A unit is a word. */
static void choose_unit(struct java *java)
{
	const struct span *unit = &java->attributes.resolution;
	size_t length = span_length(unit);
	bool is_word = length > 0 && length <= LONGEST_UNIT;

	for (size_t i = 0; i < length && is_word; i++)
		is_word = isalpha((unsigned char)unit->at[i]);
	strcpy(java->unit, java->kind->unit);
	if (is_word)
		*(char *)mempcpy(java->unit, unit->at, length) = '\0';
	else
		diag_add(build_notes(java->build), NOTE_WARNING, NOTE_PLAIN,
		         "%s:%" PRIu64 ": expected \"resolution = UNIT\" below the header; %s are assumed", java->in->name,
		         java->in->line, java->unit);
}

static void tell_facts(const struct java *java, const struct read_opts *opts)
{
	char rule[UNBIAS_RULE], CLEANUP(mem_free_local) *title = mem_strndup(java->title.at, span_length(&java->title));

	if (java->kind->is_heap)
		unbias_rule(opts, java->period, rule);
	else
		snprintf(rule, sizeof rule, "%s x %" PRId64, java->unit, java->period);
	build_source_facts(java->build, title, rule, java->period);
}

static void declare(const struct java *java)
{
	struct build *build = java->build;

	build_type(build, java->kind->count, "count");
	build_set_default_type(build, build_type(build, java->kind->amount, java->unit));
	if (!java->kind->is_heap)
		build_set_period(build, "contentions", "count", java->period);
	attributes_set_time(&java->attributes, build);
}

static struct err *read_head(struct java *java, const struct read_opts *opts)
{
	struct cursor *in = java->in;
	struct span line = {0};

	cursor_line(in, &line);
	java->title = attributes_title(line);
	java->kind = find_kind(java->title);
	attributes_read(*in, java->build, &java->attributes);
	if (!span_is(&java->attributes.format, "java"))
		return cursor_err(in, "expected \"format = java\" below the header");
	choose_unit(java);
	java->period = java->kind->is_heap                    ? unbias_period(opts, AGENT_PERIOD)
	               : java->attributes.sampling_period > 0 ? java->attributes.sampling_period
	                                                      : 1;
	java->scale = opts->no_unsample ? 1 : java->period;
	declare(java);
	tell_facts(java, opts);
	return NULL;
}

static void scale(const struct java *java, double *count, double *amount)
{
	if (java->kind->is_heap) {
		unbias_poisson(java->scale, count, amount);
	} else {
		*count *= (double)java->period;
		*amount *= (double)java->period;
	}
}

static const char *parse_row(struct java *java, struct span line, double *count_ret, double *amount_ret)
{
	bool overflow = false;
	int64_t count = 0, amount = 0;

	span_int64(&line, &amount, &overflow);
	span_blanks(&line);
	if (!span_int64(&line, &count, &overflow) || !span_mark(&line, '@'))
		return java->kind->is_heap ? "expected \"BYTES OBJECTS @ ID...\"" : "expected \"DELAY COUNT @ ID...\"";
	*count_ret = (double)count;
	*amount_ret = (double)amount;
	scale(java, count_ret, amount_ret);
	if (overflow || fabs(*count_ret) >= 0x1p63 || fabs(*amount_ret) >= 0x1p63)
		return "expected counts of at most 63 bits after scaling";
	return stack_addrs_read(&java->ids, line);
}

static stack_id stack_of_ids(struct java *java)
{
	const struct stack_addrs *ids = &java->ids;
	loc_id *frames = stack_addrs_frames(&java->ids);

	for (uint32_t i = 0; i < ids->n; i++)
		frames[i] = java_names_loc(java->names, java->build, ids->addrs[i]);
	return build_stack(java->build, frames, ids->n);
}

static void read_row(struct java *java, struct span line)
{
	double count, amount;
	const char *wrong =
		cursor_line_is_cut(java->in) ? "the row is cut by the end of the file" : parse_row(java, line, &count, &amount);

	if (wrong) {
		row_trouble_add(&java->bad, java->in, wrong);
		return;
	}
	build_sample(java->build, stack_of_ids(java), (labels_id){0}, (double[]){count, amount});
	build_count_row(java->build);
}

/* Up to the first name or a map, at which the cursor stands then. */
static void read_rows(struct java *java)
{
	struct cursor *in = java->in, before = *in;
	struct span line;

	for (; cursor_line(in, &line); before = *in) {
		if (span_starts(&line, "0x") || maps_begin(&line)) {
			*in = before;
			break;
		}
		if (span_starts_number(&line))
			read_row(java, line);
	}
	losses_note(&(struct losses){.skipped = &java->bad, .noun = "row", .percent = -1}, java->in, java->build);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct java java = {.in = in, .build = build, .names = java_names_new()};
	struct err *err = read_head(&java, opts);

	if (!err) {
		read_rows(&java);
		java_names_read(java.names, in, build);
		build_end_source(build, in->line);
	}
	java_names_free(java.names);
	stack_addrs_free(&java.ids);
	return err;
}

const struct reader reader_java = {
	.name = "java",
	.help = "heap and contention profiles of Java agents, which bring their names along",
	.probe = probe,
	.is_mapless = true,
	.read = read,
};

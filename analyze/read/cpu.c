#include "analyze/read/java_names.h"
#include "analyze/read/maps.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* gperftools' CPU profile (profiledata.cc), in words of the program's size and byte order:
 *   0, H, version, period in microseconds, 0      H words follow the first two
 *   count, depth, pc...                           leaf first
 *   0, 1, 0
 * and the text of /proc/PID/maps. Version 1 is Java's: its pcs are ids. */

enum { LEAST_HEADER = 3, MOST_HEADER = 4096, TRAILER = 3 };

struct shape {
	unsigned size; /* of a word */
	bool is_big_endian;
	const char *text;
};

static const struct shape shapes[] = {
	{4, false, "32-bit, little endian"},
	{4, true, "32-bit, big endian"},
	{8, false, "64-bit, little endian"},
	{8, true, "64-bit, big endian"},
};

struct cpu {
	struct cursor *in;
	struct build *build;
	const struct shape *shape;
	struct java_names *java; /* NULL: pcs are addresses */
	bool is_body;            /* of a symbolized file */
	bool has_time;           /* a sample stands for a period */
	int64_t period;          /* nanoseconds */
	const char *at, *begin;  /* the record to read, and the first one */
	loc_id *frames;          /* room for the deepest stack */
};

/* ---- words ---- */

static uint64_t word_at(const char *at, const struct shape *shape)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < shape->size; i++)
		value = value << 8 | (unsigned char)at[shape->is_big_endian ? i : shape->size - 1 - i];
	return value;
}

static uint64_t word(const struct cpu *cpu, size_t number)
{
	return word_at(cpu->at + number * cpu->shape->size, cpu->shape);
}

static size_t words_left(const struct cpu *cpu)
{
	return (size_t)(cpu->in->end - cpu->at) / cpu->shape->size;
}

/* ---- the header ---- */

static bool is_header(struct span head, const struct shape *shape)
{
	size_t n_words = span_length(&head) / shape->size;
	uint64_t words[2 + LEAST_HEADER];

	if (n_words < 2 + LEAST_HEADER)
		return false;
	for (size_t i = 0; i < 2 + LEAST_HEADER; i++)
		words[i] = word_at(head.at + i * shape->size, shape);
	return words[0] == 0 && words[1] >= LEAST_HEADER && words[1] <= MOST_HEADER && words[1] <= n_words - 2 &&
	       words[2] <= 1 && words[3] > 0 && words[3] <= INT64_MAX / 1000 && words[4] == 0;
}

/* No file has two shapes: a header length in one byte order is none in the other, and a small one in words of 8 bytes
 * begins with two words of 4 bytes that are 0. */
static const struct shape *find_shape(struct span head)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (is_header(head, &shapes[i]))
			return &shapes[i];
	return NULL;
}

static bool probe(struct span head)
{
	return find_shape(head) != NULL;
}

static void read_header(struct cpu *cpu)
{
	int64_t period = (int64_t)word(cpu, 3);

	cpu->java = word(cpu, 2) == 1 ? java_names_new() : NULL;
	cpu->has_time = !cpu->is_body || period != 1;
	cpu->period = period * 1000;
	cpu->at += (2 + (size_t)word(cpu, 1)) * cpu->shape->size;
	cpu->begin = cpu->at;
}

/* google-pprof --raw writes any profile as a CPU profile with period 1: its counts may be bytes, but no time. */
static void declare_types(const struct cpu *cpu)
{
	char rule[64] = "counts as they stand in the file";
	int64_t period = cpu->period / 1000;

	if (cpu->has_time)
		snprintf(rule, sizeof rule, "a sample every %" PRId64 " %s", period % 1000 ? period : period / 1000,
		         period % 1000 ? "us" : "ms");
	build_source_facts(cpu->build, cpu->shape->text, rule, cpu->period);
	build_set_default_type(cpu->build, build_type(cpu->build, "samples", "count"));
	if (!cpu->has_time)
		return;
	build_set_default_type(cpu->build, build_type(cpu->build, "cpu", "nanoseconds"));
	build_set_period(cpu->build, "cpu", "nanoseconds", cpu->period);
}

/* ---- records ---- */

/* NULL, or what is wrong with the record. */
static const char *check_record(const struct cpu *cpu)
{
	size_t n_left = words_left(cpu);

	if (n_left < 3)
		return "the record is cut by the end of the file";
	uint64_t depth = word(cpu, 1);
	if (depth == 0 || depth > DEEPEST_STACK)
		return "expected a stack of 1 to 65536 frames";
	return depth > n_left - 2 ? "the record is cut by the end of the file" : NULL;
}

static bool at_trailer(const struct cpu *cpu)
{
	return words_left(cpu) >= TRAILER && word(cpu, 0) == 0 && word(cpu, 1) == 1 && word(cpu, 2) == 0;
}

/* The leaf is where the signal came; its callers are return addresses, unless the file has them less one already. */
static uint64_t caller_at(const struct cpu *cpu, uint32_t number)
{
	uint64_t addr = word(cpu, 2 + number);

	return cpu->is_body ? addr : call_addr(addr);
}

static uint32_t read_native_stack(struct cpu *cpu, uint32_t depth)
{
	uint64_t leaf = word(cpu, 2);
	uint32_t n = 0;

	cpu->frames[n++] = build_loc(cpu->build, leaf);
	for (uint32_t i = 1; i < depth; i++) {
		uint64_t caller = caller_at(cpu, i);

		if (i > 1 || !is_leaf_again(leaf, caller))
			cpu->frames[n++] =
				cpu->is_body ? build_loc(cpu->build, caller) : stack_addrs_return(cpu->build, word(cpu, 2 + i));
	}
	return n;
}

static uint32_t read_java_stack(struct cpu *cpu, uint32_t depth)
{
	for (uint32_t i = 0; i < depth; i++)
		cpu->frames[i] = java_names_loc(cpu->java, cpu->build, word(cpu, 2 + i));
	return depth;
}

static void read_record(struct cpu *cpu)
{
	uint32_t depth = (uint32_t)word(cpu, 1);
	uint32_t n = cpu->java ? read_java_stack(cpu, depth) : read_native_stack(cpu, depth);
	double count = cpu->shape->size == 8 ? (double)(int64_t)word(cpu, 0) : (double)word(cpu, 0);

	build_sample(cpu->build, build_stack(cpu->build, cpu->frames, n), (labels_id){0},
	             (double[]){count, count * (double)cpu->period});
	build_count_row(cpu->build);
	cpu->at += (2 + (size_t)depth) * cpu->shape->size;
}

/* What lies behind a damaged record cannot be read, but the map can: goes on to the trailer, or to the end. */
static void skip_damage(struct cpu *cpu, const char *what)
{
	const char *from = cpu->at;

	while (words_left(cpu) && !at_trailer(cpu))
		cpu->at += cpu->shape->size;
	if (!words_left(cpu))
		cpu->at = cpu->in->end;
	diag_add(build_notes(cpu->build), NOTE_WARNING, NOTE_LOSS,
	         "%s+0x%zx: %s; what follows is skipped, %.1f%% of the records' bytes", cpu->in->name,
	         (size_t)(from - cpu->in->start), what, 100 * (double)(cpu->at - from) / (double)(cpu->at - cpu->begin));
}

/* A running program flushes whole records, without a trailer; google-pprof --raw never writes one. */
static void note_no_trailer(const struct cpu *cpu)
{
	if (!cpu->is_body)
		diag_add(build_notes(cpu->build), NOTE_WARNING, NOTE_LOSS,
		         "%s+0x%zx: the file ends without a trailer; what the program sampled later is lost, and so is the map",
		         cpu->in->name, (size_t)(cpu->at - cpu->in->start));
}

static void read_records(struct cpu *cpu)
{
	const char *wrong = NULL;

	while (cpu->at < cpu->in->end && !at_trailer(cpu) && !(wrong = check_record(cpu)))
		read_record(cpu);
	if (wrong)
		skip_damage(cpu, wrong);
	else if (cpu->at == cpu->in->end)
		note_no_trailer(cpu);
	if (at_trailer(cpu))
		cpu->at += (size_t)TRAILER * cpu->shape->size;
}

/* ---- the text behind ---- */

/* Lines are counted as an editor counts them, from the start of the file. */
static void move_to_text(struct cpu *cpu)
{
	for (; cpu->in->at < cpu->at; cpu->in->at++)
		cpu->in->line += *cpu->in->at == '\n';
	cpu->in->line += cpu->in->at == cpu->in->end;
}

static void read_text(struct cpu *cpu)
{
	move_to_text(cpu);
	if (cpu->java)
		java_names_read(cpu->java, cpu->in, cpu->build);
	else if (cpu->in->at < cpu->in->end)
		maps_read(cpu->in, cpu->build);
	build_end_source(cpu->build, 0);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct cpu cpu = {.in = in, .build = build, .is_body = in->at > in->start, .at = in->at};

	(void)opts;
	cpu.shape = find_shape((struct span){in->at, in->end});
	assert(cpu.shape); /* the head had one, and more words take it away from no file */
	cpu.frames = mem_alloc(DEEPEST_STACK, sizeof *cpu.frames);
	read_header(&cpu);
	declare_types(&cpu);
	read_records(&cpu);
	read_text(&cpu);
	java_names_free(cpu.java);
	free(cpu.frames);
	return NULL;
}

const struct reader reader_cpu = {
	.name = "cpu",
	.help = "gperftools' CPU profile, as CPUPROFILE writes it",
	.probe = probe,
	.is_binary = true,
	.read = read,
};

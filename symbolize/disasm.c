#include "symbolize/disasm.h"

#include "analyze/base/child.h"
#include "analyze/base/text.h"
#include "symbolize/demangle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* What the child opens: the file is its standard input, so that no name can be taken for an option, or be that of another
 * file by then. */
#define CHILD_PATH "/dev/fd/0"

#define TOO_LONG "objdump takes too long"

enum { LONGEST_MS = 120000, WAIT_MS = 100, MOST_OUTPUT = 256 << 20, LONGEST_TEXT = 4096 };

/* ---- lines ---- */

bool disasm_parse(const struct span *line, uint64_t *vaddr_ret, struct span *text_ret)
{
	struct span rest = *line;
	bool overflow = false;

	if (!span_hex(&rest, vaddr_ret, &overflow) || overflow || !span_char(&rest, ':'))
		return false;
	*text_ret = rest;
	span_blanks(text_ret);
	return text_ret->at > rest.at && span_length(text_ret) > 0;
}

struct output {
	char *text;
	size_t size, cap;
};

struct reading {
	uint64_t start, end;
	struct arena *arena;
	struct disasm_insts *insts;
	uint32_t first; /* of this range */
};

/* "call   401235 <_ZN1a1fEv+0x4>" with the name demangled. objdump could do that too, but a name of 300 letters can take
 * it minutes and all memory. */
static const char *demangled(const struct span *text, struct arena *arena)
{
	size_t length = span_length(text);
	const char *name = memrchr(text->at, '<', length), *end = name ? name + 1 : NULL;

	if (!name || text->end[-1] != '>')
		return arena_strndup(arena, text->at, length);
	while (span_is_name_char(*end) || *end == '.')
		end++;
	return arena_printf(arena, "%.*s%s%.*s", (int)(name + 1 - text->at), text->at,
	                    demangle_full(arena_strndup(arena, name + 1, (size_t)(end - name - 1)), arena),
	                    (int)(text->end - end), end);
}

static void add_inst(struct reading *reading, uint64_t vaddr, const struct span *text)
{
	struct disasm_insts *insts = reading->insts;
	struct arena *scratch = arena_new();
	const char *shown = demangled(text, scratch);
	char *copy = arena_strndup(reading->arena, shown, text_cut(shown, LONGEST_TEXT));

	for (char *tab = copy; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	MEM_GROW(insts->at, insts->n, insts->cap);
	insts->at[insts->n++] = (struct disasm_inst){vaddr, copy};
	arena_free(scratch);
}

/* A file may give its symbols names that look like lines of instructions: only addresses of the range count, in order. */
static void read_line(struct reading *reading, const struct span *line)
{
	const struct disasm_insts *insts = reading->insts;
	struct span text;
	uint64_t vaddr;

	if (!disasm_parse(line, &vaddr, &text))
		return;
	if (vaddr < reading->start || vaddr >= reading->end)
		return;
	if (insts->n > reading->first && vaddr <= insts->at[insts->n - 1].vaddr)
		return;
	add_inst(reading, vaddr, &text);
}

static void read_lines(struct reading *reading, const struct output *output)
{
	struct cursor in;
	struct span line;

	cursor_init(&in, "objdump", output->text, output->size);
	while (cursor_line(&in, &line))
		read_line(reading, &line);
}

/* ---- the child ---- */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The environment, in the locale of programs. */
static const char **make_environment(struct arena *arena)
{
	size_t n = 0, kept = 0;

	while (environ[n])
		n++;
	const char **copy = arena_alloc(arena, n + 2, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			copy[kept++] = environ[i];
	copy[kept] = "LC_ALL=C";
	return copy;
}

static int spawn(const struct disasm_opts *opts, int fd, int output, const struct reading *range, pid_t *pid_ret)
{
	struct arena *arena = range->arena;
	const char *start = arena_printf(arena, "--start-address=0x%" PRIx64, range->start);
	const char *end = arena_printf(arena, "--stop-address=0x%" PRIx64, range->end);
	const char *plain[] = {opts->objdump, "--disassemble", "--no-show-raw-insn", "--wide", start, end, CHILD_PATH,
	                       NULL};
	const char *intel[] = {opts->objdump, "--disassemble", "--no-show-raw-insn", "--wide", start, end,
	                       "-M",          "intel",         CHILD_PATH,           NULL};
	const struct child_opts child = {.argv = opts->intel_syntax ? intel : plain,
	                                 .environment = make_environment(arena),
	                                 .input = fd,
	                                 .output = output,
	                                 .messages = CHILD_NOTHING,
	                                 .ends_with_us = true};

	return child_start(&child, pid_ret);
}

/* The limit that is passed; NULL: none is. */
static const char *passed(const struct disasm_use *use)
{
	if (now_ms() >= use->end_ms)
		return TOO_LONG;
	return use->n_bytes > MOST_OUTPUT ? "objdump prints too much" : NULL;
}

/* Reads to the end of the output; else says what was passed. */
static const char *collect(int fd, struct disasm_use *use, struct output *output)
{
	for (;;) {
		const char *limit = passed(use);
		struct pollfd poller = {.fd = fd, .events = POLLIN};

		if (limit)
			return limit;
		if (poll(&poller, 1, WAIT_MS) <= 0)
			continue;
		if (output->size == output->cap)
			output->text = mem_realloc(output->text, output->cap = output->cap ? output->cap * 2 : 1 << 16, 1);
		ssize_t got = read(fd, output->text + output->size, output->cap - output->size);
		if (got == 0)
			return NULL;
		if (got < 0 && errno != EINTR)
			return "objdump's output cannot be read";
		output->size += got > 0 ? (size_t)got : 0;
		use->n_bytes += got > 0 ? (size_t)got : 0;
	}
}

/* What is wrong with how the child ended; NULL: nothing. */
static const char *judge(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "objdump cannot read it";
}

static const char *end_now(pid_t pid, const char *reason)
{
	kill(pid, SIGKILL);
	child_wait(pid);
	return reason;
}

/* Its output has ended, which need not be its own end. */
static const char *wait_for_end(pid_t pid, int64_t end_ms)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	int status;

	while (!child_has_ended(pid, &status)) {
		if (now_ms() >= end_ms)
			return end_now(pid, TOO_LONG);
		nanosleep(&pause, NULL);
	}
	return judge(status);
}

static struct err *cannot_start(const struct disasm_opts *opts, int problem)
{
	if (problem == ENOENT)
		return err_new("%s: no such program; disassembly needs binutils' objdump", opts->objdump);
	return err_new("%s: %s; disassembly needs binutils' objdump", opts->objdump, strerror(problem));
}

/* Runs it to its end, or as long as it may. */
static struct err *run(const struct disasm_opts *opts, int fd, const struct reading *range, struct disasm_use *use,
                       struct output *output, const char **problem_ret)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_new("objdump: %s", strerror(errno));
	int problem = spawn(opts, fd, ends[1], range, &pid);
	close(ends[1]);
	if (problem) {
		close(ends[0]);
		return cannot_start(opts, problem);
	}
	const char *cut = collect(ends[0], use, output);
	close(ends[0]);
	*problem_ret = cut ? end_now(pid, cut) : wait_for_end(pid, use->end_ms);
	return NULL;
}

struct err *disasm_range(const struct disasm_opts *opts, int fd, uint64_t start, uint64_t end, struct disasm_use *use,
                         struct arena *arena, struct disasm_insts *ret, const char **problem_ret)
{
	struct reading reading = {start, end, arena, ret, ret->n};
	struct output output = {0};

	if (!use->end_ms)
		use->end_ms = now_ms() + LONGEST_MS;
	if ((*problem_ret = passed(use)))
		return NULL;
	struct err *err = run(opts, fd, &reading, use, &output, problem_ret);
	if (!err)
		read_lines(&reading, &output);
	if (!err && !*problem_ret && ret->n == reading.first)
		*problem_ret = "objdump finds no instructions there";
	free(output.text);
	return err;
}

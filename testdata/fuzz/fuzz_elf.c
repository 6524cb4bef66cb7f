#include "testdata/fuzz/fuzz_elf.h"

#include "symbolize/jobs.h"
#include "testdata/fuzz/fuzz_file.h"

#include <fcntl.h>

/* A folder in which nothing is found: what an object names may lie on this host. */
static const struct find_opts FIND = {.sysroot = "/proc/self/fdinfo"};

static void ask(struct job *job, uint64_t place, bool is_vaddr)
{
	MEM_GROW(job->answers, job->n_answers, job->cap_answers);
	job->answers[job->n_answers++] = (struct answer){.offset = place, .is_vaddr = is_vaddr, .is_return = true};
}

static void ask_segments(struct job *job, const struct object_file *file)
{
	uint32_t n;
	const struct segment *segments = object_segments(file, &n);

	for (uint32_t i = 0; i < n && i < 8; i++) {
		ask(job, segments[i].vaddr, true);
		ask(job, segments[i].vaddr + 1, true);
		ask(job, segments[i].vaddr + segments[i].n_memory / 2, true);
		ask(job, segments[i].vaddr + segments[i].n_memory - 1, true);
	}
}

static void hold_rows(const struct binary *binary)
{
	const struct mapping rows[] = {
		{.start = 0x400000, .limit = 0x401000},
		{.start = 0x401000, .limit = 0x402000, .offset = 0x1000},
		{.start = 0x7f0000000000, .limit = 0x7f0000010000, .offset = 0x10000},
	};
	struct check check = {0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_row(binary, &rows[i], i & 1, &check);
	check_is_other_build(&check);
}

/* What the job has no use for where all is in one file. */
static void look_at(struct object_file *file, struct arena *arena)
{
	const char *build_id;
	uint32_t crc;
	uint64_t vaddr, n_memory;

	object_debuglink(file, &crc);
	object_alternate(file, arena, &build_id);
	object_moved_code(file, &vaddr, &n_memory);
}

static bool open_file(struct job *job)
{
	struct object_file *file;
	struct err *err = object_open(open(job->binary.path, O_RDONLY | O_CLOEXEC), job->binary.path, &file);

	if (err) {
		err_free(err);
		return false;
	}
	ask_segments(job, file);
	look_at(file, job->arena);
	object_close(file);
	return true;
}

static void run(struct job *job)
{
	struct job *jobs[] = {job};

	err_free(jobs_run(jobs, 1, 1, NULL));
	if (job->binary.file)
		hold_rows(&job->binary);
}

void fuzz_elf(const uint8_t *data, size_t size, const uint64_t *vaddrs, uint32_t n)
{
	struct arena *arena = arena_new();
	struct job job = {
		.binary = {.path = fuzz_file(data, size), .is_program = true, .find = &FIND, .arena = arena},
		.want_full_names = true,
		.arena = arena,
	};

	for (uint32_t i = 0; i < n; i++)
		ask(&job, vaddrs[i], true);
	for (size_t i = 0; i < 8; i++)
		ask(&job, size * i / 8, false);
	if (open_file(&job))
		run(&job);
	job_clear(&job);
}

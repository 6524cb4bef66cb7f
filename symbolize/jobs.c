#include "symbolize/jobs.h"
#include "analyze/base/pool.h"

#include <stdlib.h>
#include <sys/resource.h>

/* A part of a job that a thread may take: one of its loads, or one of its workers. */
struct part {
	struct job *job;
	uint32_t number;
	struct err *err; /* of a load */
};

/* Jobs whose sections are in memory at a time. */
struct batch {
	struct job **jobs;
	uint32_t n;
	unsigned n_threads;
	progress_fn *progress;
	struct part *parts; /* of the stage that runs */
	uint32_t n_parts, cap_parts;
};

/* ---- stages ---- */

static struct err *open_job(void *context, uint32_t number)
{
	return job_open(((struct batch *)context)->jobs[number]);
}

static struct err *load_part(void *context, uint32_t number)
{
	struct part *part = &((struct batch *)context)->parts[number];

	part->err = job_load(part->job, part->number);
	return NULL;
}

static struct err *plan_job(void *context, uint32_t number)
{
	struct batch *batch = context;
	struct err *first = NULL;

	for (uint32_t i = 0; i < batch->n_parts; i++) {
		if (batch->parts[i].job != batch->jobs[number])
			continue;
		if (!first)
			first = batch->parts[i].err;
		else
			err_free(batch->parts[i].err);
	}
	job_plan(batch->jobs[number], first);
	return NULL;
}

struct step {
	const struct batch *batch;
	const struct job *job;
};

static void tell_step(void *context, uint32_t n_done)
{
	const struct step *step = context;

	step->batch->progress(step->job->binary.path_used, n_done, job_n_units(step->job));
}

static struct err *work_part(void *context, uint32_t number)
{
	struct batch *batch = context;
	const struct part *part = &batch->parts[number];
	struct step step = {batch, part->job};

	job_work(part->job, part->number, batch->progress ? tell_step : NULL, &step);
	return NULL;
}

static struct err *finish_job(void *context, uint32_t number)
{
	job_finish(((struct batch *)context)->jobs[number]);
	return NULL;
}

static struct err *end_part(void *context, uint32_t number)
{
	const struct part *part = &((struct batch *)context)->parts[number];

	/* Half a gigabyte takes a while to give back. */
	if (part->number == 0)
		job_release(part->job);
	else
		job_demangle(part->job, part->number - 1);
	return NULL;
}

/* ---- a batch ---- */

typedef uint32_t count_fn(const struct batch *batch, struct job *job);

static uint32_t count_loads(const struct batch *batch, struct job *job)
{
	(void)batch;
	return job_n_loads(job);
}

static uint32_t count_workers(const struct batch *batch, struct job *job)
{
	uint32_t n = job_n_units(job);

	return n < batch->n_threads ? n : batch->n_threads;
}

static uint32_t count_ends(const struct batch *batch, struct job *job)
{
	(void)batch;
	return 1 + job_n_names(job);
}

static void make_parts(struct batch *batch, count_fn *count)
{
	batch->n_parts = 0;
	for (uint32_t i = 0; i < batch->n; i++) {
		for (uint32_t k = 0, n = count(batch, batch->jobs[i]); k < n; k++) {
			MEM_GROW(batch->parts, batch->n_parts, batch->cap_parts);
			batch->parts[batch->n_parts++] = (struct part){.job = batch->jobs[i], .number = k};
		}
	}
}

/* No stage has an error here: those of loads are their jobs'. */
static void run_jobs(struct batch *batch, pool_job_fn *stage)
{
	err_free(pool_run(batch->n_threads, batch->n, stage, batch));
}

static void run_parts(struct batch *batch, count_fn *count, pool_job_fn *stage)
{
	make_parts(batch, count);
	err_free(pool_run(batch->n_threads, batch->n_parts, stage, batch));
}

static void run_batch(struct batch *batch)
{
	for (uint32_t i = 0; i < batch->n; i++)
		job_make_room(batch->jobs[i]);
	run_parts(batch, count_loads, load_part);
	run_jobs(batch, plan_job);
	run_parts(batch, count_workers, work_part);
	run_jobs(batch, finish_job);
	run_parts(batch, count_ends, end_part);
	free(batch->parts);
}

/* ---- all ---- */

/* The largest first, so that it shares no memory with others; those of a size in the order of the map. */
static int compare_jobs(const void *left, const void *right)
{
	struct job *const *a = left, *const *b = right;
	uint64_t n = job_bytes(*a), m = job_bytes(*b);

	if (n != m)
		return n > m ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

static void run_batches(struct batch *all)
{
	static const uint64_t MOST_BYTES = (uint64_t)256 << 20;

	for (uint32_t first = 0, end; first < all->n; first = end) {
		uint64_t bytes = job_bytes(all->jobs[first]);

		for (end = first + 1; end < all->n && bytes + job_bytes(all->jobs[end]) <= MOST_BYTES; end++)
			bytes += job_bytes(all->jobs[end]);
		struct batch batch = *all;
		batch.jobs += first;
		batch.n = end - first;
		run_batch(&batch);
	}
}

/* Files stay open up to the end; the usual limit of 1024 is for programs that call select. Where the system grants no more,
 * the last objects are problems of their jobs. */
static void allow_open_files(uint32_t n_jobs)
{
	enum { OF_JOB = 3, OTHERS = 512 }; /* the object, its debug file, dwz's; those of threads, and of the program */
	rlim_t wanted = (rlim_t)n_jobs * OF_JOB + OTHERS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct err *jobs_run(struct job *const *jobs, uint32_t n, unsigned n_threads, progress_fn *progress)
{
	struct job **CLEANUP(mem_free_local) sorted = mem_alloc(n, sizeof *sorted);
	struct batch all = {.jobs = sorted, .n = n, .n_threads = pool_threads(n_threads), .progress = progress};

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = jobs[i];
	allow_open_files(n);
	struct err *err = pool_run(n_threads, n, open_job, &all);
	if (err)
		return err;
	qsort(sorted, n, sizeof(struct job *), compare_jobs);
	run_batches(&all);
	for (uint32_t i = 0; i < n; i++)
		job_keep(jobs[i]);
	return NULL;
}

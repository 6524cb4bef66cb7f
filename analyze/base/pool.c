#include "analyze/base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
	pool_job_fn *job;
	void *context;
	uint32_t n_jobs;
	struct err **errors;
	atomic_uint next;
};

static void *work(void *arg)
{
	struct pool *pool = arg;

	for (;;) {
		uint32_t job = atomic_fetch_add(&pool->next, 1);

		if (job >= pool->n_jobs)
			return NULL;
		pool->errors[job] = pool->job(pool->context, job);
	}
}

unsigned pool_threads(unsigned n_threads)
{
	if (!n_threads) {
		long online = sysconf(_SC_NPROCESSORS_ONLN); /* opens a file of the system each time */

		n_threads = online > 0 ? (unsigned)online : 1;
	}
	return n_threads < POOL_MOST_THREADS ? n_threads : POOL_MOST_THREADS;
}

static struct err *first_error(struct pool *pool)
{
	struct err *first = NULL;

	for (uint32_t i = 0; i < pool->n_jobs; i++) {
		if (!first)
			first = pool->errors[i];
		else
			err_free(pool->errors[i]);
	}
	return first;
}

struct err *pool_run(unsigned n_threads, uint32_t n_jobs, pool_job_fn *job, void *context)
{
	pthread_t threads[POOL_MOST_THREADS];
	unsigned n = pool_threads(n_threads);
	unsigned started = 0;
	struct pool pool = {.job = job, .context = context, .n_jobs = n_jobs};

	if (!n_jobs)
		return NULL;
	pool.errors = mem_zalloc(n_jobs, sizeof(struct err *));
	/* This thread works too; one that cannot be started only costs time. */
	while (started + 1 < n && started + 1 < n_jobs && pthread_create(&threads[started], NULL, work, &pool) == 0)
		started++;
	work(&pool);
	while (started)
		pthread_join(threads[--started], NULL);

	struct err *err = first_error(&pool);
	free(pool.errors);
	return err;
}

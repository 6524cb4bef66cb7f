#include "analyze/test.h"

#include "analyze/base/pool.h"

#include <stdatomic.h>

static struct err *count(void *context, uint32_t job)
{
	atomic_fetch_add(&((atomic_int *)context)[job], 1);
	return NULL;
}

static void each_job_runs_once(void **state)
{
	(void)state;
	static atomic_int runs[1000];

	for (unsigned threads = 0; threads < 9; threads += 4) {
		for (size_t i = 0; i < 1000; i++)
			runs[i] = 0;
		assert_null(pool_run(threads, 1000, count, runs));
		for (size_t i = 0; i < 1000; i++)
			assert_int_equal(runs[i], 1);
	}
	assert_null(pool_run(2, 0, count, runs));
}

static struct err *fail_some(void *context, uint32_t job)
{
	(void)context;
	return job % 7 == 3 ? err_new("job %u", job) : NULL;
}

static void the_first_error_wins(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads < 5; threads++) {
		struct err *err = pool_run(threads, 100, fail_some, NULL);

		assert_string_equal(err_text(err), "job 3");
		err_free(err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_runs_once),
		cmocka_unit_test(the_first_error_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

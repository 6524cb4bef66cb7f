#include "analyze/test.h"

#include "analyze/normalize.h"
#include "analyze/test_profile.h"

#include <stdlib.h>

static void exact_results_are_exact(void **state)
{
	(void)state;
	static const double parts[] = {1, 3, 49, 1e6 + 7, 0x1p40 + 12345};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
			struct ratio ratio = {3 * parts[k], parts[k]};

			assert_true(ratio_apply(&ratio, 3 * parts[i]) == parts[i]);
		}
}

static void nothing_scales_to_nothing(void **state)
{
	(void)state;

	assert_true(ratio_apply(&(struct ratio){0, 5}, 7) == 0);
	assert_true(ratio_apply(&(struct ratio){5, 0}, 7) == 0);
}

static void rounding_is_no_difference(void **state)
{
	(void)state;

	assert_true(ratio_difference(0.1 + 0.2, 0.3) == 0);
	assert_true(ratio_difference(1, 0) == 1);
	assert_true(ratio_difference(1000001, 1000000) == 1);
}

static void totals_become_those_of_the_base(void **state)
{
	(void)state;
	struct profile *profile = test_profile((struct test_stack[]){{"a", 3, 1}, {"b", 9, 7}, {NULL, 0, 0}});
	struct ratio *ratios = normalize_ratios(profile);

	assert_true(ratio_apply(ratios, 3) == 2);
	assert_true(ratio_apply(ratios, 9) == 6);
	free(ratios);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_results_are_exact),
		cmocka_unit_test(nothing_scales_to_nothing),
		cmocka_unit_test(rounding_is_no_difference),
		cmocka_unit_test(totals_become_those_of_the_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

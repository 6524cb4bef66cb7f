#include "analyze/test.h"

#include "analyze/base/index.h"

#include <stdlib.h>

static bool same_value(const void *context, uint32_t row)
{
	return *(const uint32_t *)context == row;
}

/* Every row is found again, also when all hashes are alike and the table grows many times. */
static void rows_are_found_again(void **state)
{
	(void)state;
	for (int alike = 0; alike < 2; alike++) {
		uint32_t n = alike ? 500 : 100000;
		struct index index = {0};

		for (uint32_t i = 0; i < n; i++) {
			uint64_t hash = alike ? 7 : hash_u64(i);

			assert_int_equal(index_find(&index, hash, same_value, &i), INDEX_NONE);
			index_add(&index, hash, i);
		}
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(index_find(&index, alike ? 7 : hash_u64(i), same_value, &i), i);
		index_free(&index);
	}
}

static void hashes_see_every_byte(void **state)
{
	(void)state;
	char text[40] = {0};

	for (size_t size = 1; size < sizeof text; size++) {
		uint64_t before = hash_bytes(text, size);

		text[size - 1] ^= 1;
		assert_int_not_equal(before, hash_bytes(text, size));
		text[size - 1] ^= 1;
		assert_int_not_equal(before, hash_bytes(text, size - 1));
	}
}

static int by_value(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Each pair of words comes in two shapes, which by a hash that multiplies and shifts are one. */
static void no_texts_are_made_to_collide(void **state)
{
	(void)state;
	enum { PAIRS = 10, N = 1 << PAIRS };
	uint64_t hashes[N], n_equal = 0;

	for (unsigned i = 0; i < N; i++) {
		uint64_t words[2 * PAIRS] = {0};

		for (size_t k = 0; k < PAIRS; k++)
			if (i >> k & 1) {
				words[2 * k] = (uint64_t)1 << 63;
				words[2 * k + 1] = (uint64_t)1 << 63 | (uint64_t)1 << 34;
			}
		hashes[i] = hash_bytes(words, sizeof words);
	}
	qsort(hashes, N, sizeof *hashes, by_value);
	for (unsigned i = 1; i < N; i++)
		n_equal += hashes[i] == hashes[i - 1];
	assert_int_equal(n_equal, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_again),
		cmocka_unit_test(hashes_see_every_byte),
		cmocka_unit_test(no_texts_are_made_to_collide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "analyze/test.h"

#include "analyze/base/index.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_again),
		cmocka_unit_test(hashes_see_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

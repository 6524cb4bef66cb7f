#include "symbolize/fit.h"

#include "analyze/test.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* As GNU ld lays out a library: headers, code, constants, data; each in pages of its own. */
static const struct segment separate[] = {
	{0x0, 0x5628, 0x0, 0x5628, false},
	{0x6000, 0x1f1a5, 0x6000, 0x1f1a5, true},
	{0x26000, 0x8e4, 0x26000, 0x8e4, false},
	{0x26df0, 0x230, 0x27df0, 0x1238, false},
};

/* As it did before, and for aarch64: the code with the headers, the data 2 MB, or 64 KB, on. */
static const struct segment joined[] = {
	{0x0, 0x2345c, 0x0, 0x2345c, true},
	{0x23df0, 0x230, 0x223df0, 0x1238, false},
};

/* As lld does: pages of the file are in two segments; two pieces of code. */
static const struct segment shared_pages[] = {
	{0x0, 0x5d0, 0x0, 0x5d0, false},
	{0x5d0, 0x40c00, 0x15d0, 0x40c00, true},
	{0x411d0, 0x30000, 0x431d0, 0x30000, true},
	{0x711d0, 0x1a0, 0x741d0, 0xe30, false},
};

static bool fits(const struct segment *segments, uint32_t n, uint64_t offset, uint64_t end, bool end_is_open)
{
	return fit_row(segments, n, &(struct fit_row){offset, end - offset, end_is_open});
}

static void what_kernels_map_fits(void **state)
{
	(void)state;
	assert_true(fits(separate, N(separate), 0x6000, 0x26000, false));
	assert_true(fits(joined, N(joined), 0x0, 0x24000, false));
	assert_true(fits(shared_pages, N(shared_pages), 0x0, 0x42000, false));
	assert_true(fits(shared_pages, N(shared_pages), 0x41000, 0x72000, false));
	/* Pages of 64 KB. */
	assert_true(fits(joined, N(joined), 0x0, 0x30000, false));
	assert_true(fits(shared_pages, N(shared_pages), 0x40000, 0x80000, false));
}

static void what_loaders_do_fits(void **state)
{
	(void)state;
	/* Rows that adjoin were joined. */
	assert_true(fits(shared_pages, N(shared_pages), 0x0, 0x72000, false));
	/* musl's leaves the hole up to the data mapped. */
	assert_true(fits(joined, N(joined), 0x0, 0x223000, false));
	/* Huge pages lie behind a piece, or in front of it. */
	assert_true(fits(separate, N(separate), 0x6000, 0x7000, true));
	assert_true(fits(separate, N(separate), 0x20000, 0x26000, false));
}

static void what_none_maps_does_not_fit(void **state)
{
	(void)state;
	/* A file of less code, and of more. */
	assert_false(fits(separate, N(separate), 0x6000, 0x25000, false));
	assert_false(fits(separate, N(separate), 0x6000, 0x46000, false));
	assert_false(fits(joined, N(joined), 0x0, 0x23000, false));
	assert_false(fits(joined, N(joined), 0x0, 0x240000, false));
	/* No code lies there. */
	assert_false(fits(joined, N(joined), 0x900000, 0xd00000, false));
	assert_false(fits(separate, 1, 0x0, 0x6000, false));
	assert_false(fits(NULL, 0, 0x0, 0x1000, false));
}

static void hostile_numbers_end(void **state)
{
	(void)state;
	static const struct segment huge[] = {{UINT64_MAX - 1, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX, true}};
	static struct segment many[65];

	assert_true(fits(huge, N(huge), UINT64_MAX - 1, UINT64_MAX, true));
	assert_false(fits(huge, N(huge), 0, 0x1000, true));
	/* Nobody's program, and nothing is said of it. */
	assert_true(fits(many, N(many), 0x900000, 0xd00000, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_kernels_map_fits),
		cmocka_unit_test(what_loaders_do_fits),
		cmocka_unit_test(what_none_maps_does_not_fit),
		cmocka_unit_test(hostile_numbers_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

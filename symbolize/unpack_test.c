#include "symbolize/unpack.h"

#include "analyze/test.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const char PATH[] = "/lib/libx.so", SECTION[] = ".debug_info";

/* Bytes that compress to about a half. The caller frees. */
static uint8_t *some_bytes(size_t n)
{
	uint8_t *bytes = mem_alloc(n + 1, 1);
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(state >> 28);
	}
	return bytes;
}

/* A section, and the room for its plain bytes. */
struct section {
	uint8_t *bytes;
	size_t n, n_head;
	bool is_gabi, is_64, is_big_endian;
};

static void put(struct section *section, uint64_t value, unsigned n, bool is_big_endian)
{
	for (unsigned i = 0; i < n; i++)
		section->bytes[section->n++] = (uint8_t)(value >> 8 * (is_big_endian ? n - 1 - i : i));
}

static void put_gabi_head(struct section *section, uint32_t type, uint64_t plain_bytes)
{
	unsigned word = section->is_64 ? 8 : 4;

	section->n = 0;
	put(section, type, 4, section->is_big_endian);
	if (section->is_64)
		put(section, 0, 4, false);
	put(section, plain_bytes, word, section->is_big_endian);
	put(section, 1, word, section->is_big_endian);
	section->n_head = section->n;
}

static void put_zlib(struct section *section, const uint8_t *plain, size_t n)
{
	uLongf packed = compressBound(n);

	assert_int_equal(compress2(section->bytes + section->n, &packed, plain, n, 6), Z_OK);
	section->n += packed;
}

static void put_zstd(struct section *section, const uint8_t *plain, size_t n)
{
	size_t packed = ZSTD_compress(section->bytes + section->n, ZSTD_compressBound(n), plain, n, 3);

	assert_false(ZSTD_isError(packed));
	section->n += packed;
}

static struct section new_section(size_t n_plain)
{
	struct section section = {.bytes = mem_alloc(ZSTD_compressBound(n_plain) + compressBound(n_plain) + 64, 1),
	                          .is_gabi = true,
	                          .is_64 = true};

	return section;
}

static struct section zlib_section(const uint8_t *plain, size_t n)
{
	struct section section = new_section(n);

	put_gabi_head(&section, 1, n);
	put_zlib(&section, plain, n);
	return section;
}

static struct section zstd_section(const uint8_t *plain, size_t n)
{
	struct section section = new_section(n);

	put_gabi_head(&section, 2, n);
	put_zstd(&section, plain, n);
	return section;
}

static struct section gnu_section(const uint8_t *plain, size_t n)
{
	struct section section = new_section(n);

	section.is_gabi = false;
	memcpy(section.bytes, "ZLIB", 4);
	section.n = 4;
	put(&section, n, 8, true);
	section.n_head = section.n;
	put_zlib(&section, plain, n);
	return section;
}

static struct err *head_of(const struct section *section, size_t n, struct packed *ret)
{
	return unpack_head(PATH, SECTION, section->bytes, n, section->is_gabi, section->is_64, section->is_big_endian, ret);
}

static void check_plain(const struct section *section, const uint8_t *plain, size_t n)
{
	struct packed packed;
	uint8_t *to = mem_alloc(n, 1);

	assert_null(head_of(section, section->n, &packed));
	assert_int_equal(packed.plain_bytes, n);
	assert_true(unpack_into(&packed, section->bytes, section->n, to));
	assert_memory_equal(to, plain, n);
	free(to);
}

typedef struct section make_fn(const uint8_t *plain, size_t n);
static make_fn *const KINDS[] = {zlib_section, zstd_section, gnu_section};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

static void each_kind_comes_back(void **state)
{
	(void)state;
	static const size_t SIZES[] = {1, 1000, 1 << 20};

	for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
		for (size_t k = 0; k < N_KINDS; k++) {
			uint8_t *plain = some_bytes(SIZES[i]);
			struct section section = KINDS[k](plain, SIZES[i]);

			check_plain(&section, plain, SIZES[i]);
			free(section.bytes);
			free(plain);
		}
}

static void heads_are_of_the_file_s_class_and_byte_order(void **state)
{
	(void)state;
	uint8_t *plain = some_bytes(1000);

	for (unsigned i = 0; i < 4; i++) {
		struct section section = new_section(1000);

		section.is_64 = i & 1;
		section.is_big_endian = i & 2;
		put_gabi_head(&section, 1, 1000);
		put_zlib(&section, plain, 1000);
		check_plain(&section, plain, 1000);
		free(section.bytes);
	}
	free(plain);
}

/* As ld -r makes them of .zdebug_* sections. */
static void streams_in_a_row_are_joined(void **state)
{
	(void)state;
	uint8_t *plain = some_bytes(1000);
	struct section section = new_section(1000);

	put_gabi_head(&section, 1, 1000);
	put_zlib(&section, plain, 300);
	put_zlib(&section, plain + 300, 0);
	put_zlib(&section, plain + 300, 700);
	check_plain(&section, plain, 1000);
	free(section.bytes);
	free(plain);
}

static void what_lies_behind_the_stream_does_not_matter(void **state)
{
	(void)state;
	uint8_t *plain = some_bytes(1000);
	struct section section = zlib_section(plain, 1000);

	put(&section, 0, 8, false);
	check_plain(&section, plain, 1000);
	put(&section, 0x9c78, 8, false);
	check_plain(&section, plain, 1000);
	free(section.bytes);
	free(plain);
}

static void a_section_without_zlib_s_head_is_plain(void **state)
{
	(void)state;
	struct section section = {.bytes = (uint8_t *)"ZLIC67890123", .n = 12};
	struct packed packed;

	check_plain(&section, section.bytes, 12);
	section.bytes = (uint8_t *)"ZLIB";
	section.n = 4;
	check_plain(&section, section.bytes, 4);
	assert_null(head_of(&section, 0, &packed));
	assert_int_equal(packed.plain_bytes, 0);
}

/* Each piece in memory of its own, so that a read behind it is seen. */
static bool unpacks_when_cut(const struct section *section, size_t n, uint64_t plain_bytes)
{
	uint8_t *piece = mem_alloc(n, 1), *to = mem_alloc(plain_bytes, 1);
	struct section cut = *section;
	struct packed packed;
	bool is_whole = false;

	memcpy(piece, section->bytes, n);
	cut.bytes = piece;
	struct err *err = head_of(&cut, n, &packed);
	if (!err && packed.packing != PACKING_NONE) {
		assert_int_equal(packed.plain_bytes, plain_bytes);
		is_whole = unpack_into(&packed, piece, n, to);
	}
	assert_true(!err || n < section->n_head);
	err_free(err);
	free(piece);
	free(to);
	return is_whole;
}

static void a_cut_at_any_byte_is_seen(void **state)
{
	(void)state;
	uint8_t *plain = some_bytes(1000);

	for (size_t k = 0; k < N_KINDS; k++) {
		struct section section = KINDS[k](plain, 1000);

		for (size_t n = 0; n < section.n; n++)
			assert_false(unpacks_when_cut(&section, n, 1000));
		assert_true(unpacks_when_cut(&section, section.n, 1000));
		free(section.bytes);
	}
	free(plain);
}

static void damage_is_seen_or_does_not_matter(void **state)
{
	(void)state;
	uint8_t *plain = some_bytes(1000);

	for (size_t k = 0; k < N_KINDS; k++) {
		struct section section = KINDS[k](plain, 1000);

		for (size_t i = section.n_head; i < section.n; i++) {
			section.bytes[i] ^= 0x55;
			unpacks_when_cut(&section, section.n, 1000);
			section.bytes[i] ^= 0x55;
		}
		free(section.bytes);
	}
	free(plain);
}

static void a_wrong_size_is_seen(void **state)
{
	(void)state;
	static const uint64_t SIZES[] = {0, 1, 999, 1001, 100000};
	uint8_t *plain = some_bytes(1000);

	for (uint32_t type = 1; type <= 2; type++)
		for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
			struct section section = new_section(1000);

			put_gabi_head(&section, type, SIZES[i]);
			(type == 1 ? put_zlib : put_zstd)(&section, plain, 1000);
			assert_false(unpacks_when_cut(&section, section.n, SIZES[i]));
			free(section.bytes);
		}
	free(plain);
}

static void check_head_error(const struct section *section, size_t n, const char *text)
{
	struct packed packed = {.plain_bytes = 77};
	struct err *err = head_of(section, n, &packed);

	assert_non_null(err);
	assert_string_equal(err_text(err), text);
	assert_int_equal(packed.plain_bytes, 77);
	err_free(err);
}

static void heads_are_checked(void **state)
{
	(void)state;
	struct section section = new_section(1000);

	put_gabi_head(&section, 7, 1000);
	check_head_error(&section, 24,
	                 "/lib/libx.so: expected its section .debug_info compressed by zlib or zstd, found type 7");
	check_head_error(&section, 23, "/lib/libx.so: expected a compression header in its section .debug_info");
	put_gabi_head(&section, 1, (16 << 20) + 200 * 100 + 1);
	check_head_error(&section, 100,
	                 "/lib/libx.so: its section .debug_info expands from 100 to 16797217 bytes, beyond the limits");
	put_gabi_head(&section, 2, ((uint64_t)4 << 30) + 1);
	check_head_error(&section, 1000,
	                 "/lib/libx.so: its section .debug_info expands from 1000 to 4294967297 bytes, beyond the limits");
	put_gabi_head(&section, 2, UINT64_MAX);
	check_head_error(
		&section, 1000,
		"/lib/libx.so: its section .debug_info expands from 1000 to 18446744073709551615 bytes, beyond the limits");
	free(section.bytes);
}

/* ---- xz ---- */

static uint8_t *xz(const uint8_t *plain, size_t n, size_t *n_ret)
{
	size_t bound = lzma_stream_buffer_bound(n);
	uint8_t *packed = mem_alloc(bound, 1);

	*n_ret = 0;
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, plain, n, packed, n_ret, bound), LZMA_OK);
	return packed;
}

static void xz_comes_back(void **state)
{
	(void)state;
	static const size_t SIZES[] = {0, 1, 65535, 65536, 65537, 3 << 20};

	for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
		size_t n, n_plain = SIZES[i];
		uint8_t *plain = some_bytes(n_plain), *packed = xz(plain, n_plain, &n);
		struct bytes bytes = {0};

		assert_null(unpack_xz(PATH, SECTION, packed, n, n_plain, &bytes));
		assert_int_equal(bytes.size, n_plain);
		assert_memory_equal(bytes.data, plain, n_plain);
		bytes_free(&bytes);
		free(packed);
		free(plain);
	}
}

static void check_xz_error(const uint8_t *packed, size_t n, uint64_t most, const char *text)
{
	uint8_t *piece = mem_alloc(n, 1);
	struct bytes bytes;

	memcpy(piece, packed, n);
	struct err *err = unpack_xz(PATH, SECTION, piece, n, most, &bytes);
	assert_non_null(err);
	assert_non_null(strstr(err_text(err), text));
	err_free(err);
	free(piece);
}

static void xz_is_checked(void **state)
{
	(void)state;
	size_t n;
	uint8_t *plain = some_bytes(1000), *packed = xz(plain, 1000, &n);

	check_xz_error(packed, n, 999, "/lib/libx.so: its section .debug_info expands to more than 999 bytes, the limit");
	check_xz_error(packed, n, 0, "more than 0 bytes");
	for (size_t i = 0; i < n; i++)
		check_xz_error(packed, i, 1 << 20,
		               "/lib/libx.so: expected a whole xz stream in its section .debug_info, found damage or its end "
		               "at +0x");
	packed[n / 2] ^= 1;
	check_xz_error(packed, n, 1 << 20, "expected a whole xz stream");
	check_xz_error(plain, 1000, 1 << 20, "at +0x");
	free(packed);
	free(plain);
}

static void an_xz_bomb_is_refused(void **state)
{
	(void)state;
	enum { BOMB = 20 << 20 };
	size_t n;
	uint8_t *zeros = mem_zalloc(BOMB, 1), *packed = xz(zeros, BOMB, &n);

	free(zeros);
	assert_true(n < 16 << 10);
	check_xz_error(packed, n, UINT64_MAX, "/lib/libx.so: its section .debug_info expands to more than ");
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_comes_back),
		cmocka_unit_test(heads_are_of_the_file_s_class_and_byte_order),
		cmocka_unit_test(streams_in_a_row_are_joined),
		cmocka_unit_test(what_lies_behind_the_stream_does_not_matter),
		cmocka_unit_test(a_section_without_zlib_s_head_is_plain),
		cmocka_unit_test(a_cut_at_any_byte_is_seen),
		cmocka_unit_test(damage_is_seen_or_does_not_matter),
		cmocka_unit_test(a_wrong_size_is_seen),
		cmocka_unit_test(heads_are_checked),
		cmocka_unit_test(xz_comes_back),
		cmocka_unit_test(xz_is_checked),
		cmocka_unit_test(an_xz_bomb_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

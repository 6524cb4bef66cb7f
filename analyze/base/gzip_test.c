#include "analyze/test.h"

#include "analyze/base/gzip.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

/* gzip'd zeros. The caller frees. */
static uint8_t *zeros(size_t size, size_t *ret)
{
	uint8_t *plain = mem_zalloc(size, 1);
	z_stream stream = {0};

	deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	size_t cap = deflateBound(&stream, size);
	uint8_t *packed = mem_alloc(cap, 1);
	stream.next_in = plain;
	stream.avail_in = (unsigned)size;
	stream.next_out = packed;
	stream.avail_out = (unsigned)cap;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	*ret = stream.total_out;
	deflateEnd(&stream);
	free(plain);
	return packed;
}

struct answer {
	struct err *err;
	struct bytes bytes;
	const char *damage;
	struct arena *arena;
};

static struct answer inflate_it(const uint8_t *data, size_t size, uint64_t limit)
{
	struct answer answer = {.arena = arena_new()};

	answer.err = gzip_inflate("f.gz", data, size, limit, answer.arena, &answer.bytes, &answer.damage);
	return answer;
}

static void free_answer(struct answer *answer)
{
	err_free(answer->err);
	bytes_free(&answer->bytes);
	arena_free(answer->arena);
}

static void members_are_joined(void **state)
{
	(void)state;
	size_t size;
	uint8_t *one = zeros(1000, &size);
	uint8_t *two = mem_alloc(2 * size, 1);

	memcpy(two, one, size);
	memcpy(two + size, one, size);
	struct answer answer = inflate_it(two, 2 * size, 1 << 20);
	assert_null(answer.err);
	assert_null(answer.damage);
	assert_int_equal(answer.bytes.size, 2000);
	free_answer(&answer);
	free(one);
	free(two);
}

static void what_was_whole_before_a_cut_is_kept(void **state)
{
	(void)state;
	size_t size;
	uint8_t *data = zeros(100000, &size);
	struct answer answer = inflate_it(data, size - 20, 1 << 20);

	assert_null(answer.err);
	assert_non_null(strstr(answer.damage, "f.gz+0x"));
	assert_true(answer.bytes.size < 100000);
	free_answer(&answer);
	free(data);
}

static long most_kilobytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* The first test, for the most memory that was in use never shrinks. */
static void a_bomb_gets_no_memory(void **state)
{
	(void)state;
	enum { MEMBERS = 1000 };
	size_t size;
	uint8_t *member = zeros(1 << 20, &size);
	uint8_t *bomb = mem_alloc(MEMBERS, size);

	for (size_t i = 0; i < MEMBERS; i++)
		memcpy(bomb + i * size, member, size);
	long before = most_kilobytes();
	struct answer answer = inflate_it(bomb, MEMBERS * size, (uint64_t)4 << 30);
	assert_non_null(strstr(err_text(answer.err), "200 times"));
	assert_true(most_kilobytes() - before < 64 << 10);
	free_answer(&answer);
	free(member);
	free(bomb);
}

/* Zeros that look like a bomb, and behind them what makes up for it. */
static void what_is_measured_is_whole(void **state)
{
	(void)state;
	enum { NOISE = 1 << 20, ZEROS = 32 << 20 };
	size_t size;
	uint8_t *member = zeros(ZEROS, &size);
	struct bytes noise;
	uint8_t *plain = mem_alloc(NOISE, 1);

	for (size_t i = 0; i < NOISE; i++)
		plain[i] = (uint8_t)(i * i * 2654435761u >> 13);
	gzip_deflate(plain, NOISE, &noise);
	uint8_t *both = mem_alloc(size + noise.size, 1);
	memcpy(both, member, size);
	memcpy(both + size, noise.data, noise.size);
	struct answer answer = inflate_it(both, size + noise.size, (uint64_t)4 << 30);
	assert_null(answer.err);
	assert_null(answer.damage);
	assert_int_equal(answer.bytes.size, ZEROS + NOISE);
	assert_memory_equal(answer.bytes.data + ZEROS, plain, NOISE);
	free_answer(&answer);
	bytes_free(&noise);
	free(member);
	free(plain);
	free(both);
}

/* The size in the trailer is only a hint: a wrong one is damage there, and takes nothing away. */
static void a_size_that_lies_is_damage(void **state)
{
	(void)state;
	static const uint32_t SIZES[] = {0, 1, 99999, 100001, 16 << 20, UINT32_MAX};
	size_t size;
	uint8_t *data = zeros(100000, &size);

	for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
		for (unsigned k = 0; k < 4; k++)
			data[size - 4 + k] = (uint8_t)(SIZES[i] >> 8 * k);
		struct answer answer = inflate_it(data, size, 1 << 30);
		assert_null(answer.err);
		assert_non_null(strstr(answer.damage, "cut or damaged here"));
		assert_int_equal(answer.bytes.size, 100000);
		free_answer(&answer);
	}
	free(data);
}

static void limits_are_errors(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bomb = zeros(64 << 20, &size); /* a thousand to one */
	struct answer answer = inflate_it(bomb, size, (uint64_t)4 << 30);

	assert_non_null(strstr(err_text(answer.err), "200 times"));
	free_answer(&answer);
	answer = inflate_it(bomb, size, 1 << 20);
	assert_non_null(strstr(err_text(answer.err), "1048576 bytes"));
	free_answer(&answer);
	free(bomb);
}

static void what_was_deflated_comes_back(void **state)
{
	(void)state;
	static const size_t sizes[] = {0, 1, 100000, 5000000};
	uint8_t *plain = mem_alloc(5000000, 1);

	for (size_t i = 0; i < 5000000; i++)
		plain[i] = (uint8_t)(i * 2654435761u >> 13);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct bytes packed, again;

		gzip_deflate(plain, sizes[i], &packed);
		gzip_deflate(plain, sizes[i], &again);
		assert_int_equal(packed.size, again.size);
		assert_memory_equal(packed.data, again.data, packed.size);
		assert_memory_equal(packed.data + 3, "\0\0\0\0", 5); /* no name, no time */
		struct answer answer = inflate_it(packed.data, packed.size, 1 << 30);
		assert_null(answer.err);
		assert_null(answer.damage);
		assert_int_equal(answer.bytes.size, sizes[i]);
		if (sizes[i])
			assert_memory_equal(answer.bytes.data, plain, sizes[i]);
		free_answer(&answer);
		bytes_free(&packed);
		bytes_free(&again);
	}
	free(plain);
}

static void text_is_no_stream(void **state)
{
	(void)state;
	assert_false(gzip_probe((const uint8_t *)"heap profile:", 13));
	assert_false(gzip_probe((const uint8_t *)"\x1f", 1));
	assert_true(gzip_probe((const uint8_t *)"\x1f\x8b", 2));
	assert_true(gzip_probe((const uint8_t *)"\x78\x9c", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bomb_gets_no_memory), cmocka_unit_test(what_is_measured_is_whole),
		cmocka_unit_test(members_are_joined),    cmocka_unit_test(what_was_whole_before_a_cut_is_kept),
		cmocka_unit_test(limits_are_errors),     cmocka_unit_test(what_was_deflated_comes_back),
		cmocka_unit_test(text_is_no_stream),     cmocka_unit_test(a_size_that_lies_is_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

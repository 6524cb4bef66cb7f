#include "analyze/read/test_read.h"

#include <stdlib.h>
#include <string.h>

/* ---- profiles written word by word ---- */

struct words {
	unsigned char bytes[4096];
	size_t n, size;
	bool is_big_endian;
};

static void put(struct words *w, uint64_t value)
{
	for (size_t i = 0; i < w->size; i++)
		w->bytes[w->n++] = (unsigned char)(value >> 8 * (w->is_big_endian ? w->size - 1 - i : i));
}

static void put_all(struct words *w, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(w, values[i]);
}

static void put_text(struct words *w, const char *text)
{
	memcpy(w->bytes + w->n, text, strlen(text));
	w->n += strlen(text);
}

#define PUT(w, ...) put_all((w), (uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static bool is_cpu(const struct words *w)
{
	return reader_cpu.probe((struct span){(const char *)w->bytes, (const char *)w->bytes + w->n});
}

/* Reads from the byte at skip on. The bytes lie in a block of their size, so that a sanitizer sees who reads behind it. */
static struct profile *read_from(const struct words *w, size_t skip)
{
	struct build *build = build_new();
	struct cursor in;
	char *bytes = malloc(w->n);

	memcpy(bytes, w->bytes, w->n);
	cursor_init(&in, "t.prof", bytes, w->n);
	in.at += skip;
	assert_true(reader_cpu.probe((struct span){in.at, in.end}));
	build_source(build, "t.prof", "cpu");
	assert_null(reader_cpu.read(&in, &(struct read_opts){0}, build));
	free(bytes);
	return build_finish(build);
}

static struct profile *read_words(const struct words *w)
{
	return read_from(w, 0);
}

static uint64_t frame(const struct profile *p, uint32_t sample, uint32_t number)
{
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];

	assert_true(number < stack->n);
	return p->locs[p->frames[stack->first + number].row].addr;
}

static uint32_t depth(const struct profile *p, uint32_t sample)
{
	return p->stacks[p->sample_stacks[sample].row].n;
}

/* ---- tests ---- */

static void every_shape_of_words(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct words w = {.size = i / 2 ? 8 : 4, .is_big_endian = i % 2};

		PUT(&w, 0, 3, 0, 10000, 0, 5, 3, 0x1000, 0x2001, 0x3001, 3, 1, 0x1000, 2, 3, 0x1000, 0x2001, 0x3001, 0, 1, 0);
		put_text(&w, "00001000-00002000 r-xp 00001000 08:01 7 /srv/app\n");
		struct profile *p = read_words(&w);

		assert_int_equal(p->n_samples, 2);
		assert_int_equal(p->sources[0].n_rows, 3);
		assert_int_equal(p->notes.n, 0);
		assert_true(test_sum(p, "samples") == 10);
		assert_true(test_sum(p, "cpu") == 100e6);
		assert_int_equal(p->default_type, profile_find_type(p, "cpu"));
		assert_int_equal(p->period, 10000000);
		assert_int_equal(frame(p, 0, 0), 0x1000); /* the leaf is a real pc */
		assert_int_equal(frame(p, 0, 1), 0x2000);
		assert_int_equal(frame(p, 0, 2), 0x3000);
		assert_int_equal(p->n_maps, 2);
		profile_free(p);
	}
}

static void only_headers_are_taken(void **state)
{
	(void)state;
	static const uint64_t headers[][5] = {
		{1, 3, 0, 10000, 0}, {0, 2, 0, 10000, 0}, {0, 3, 2, 10000, 0},          {0, 3, 0, 0, 0},
		{0, 3, 0, 10000, 1}, {0, 4, 0, 10000, 0}, {0, 3, 0, UINT64_MAX / 2, 0}, {0, UINT64_MAX, 0, 1, 0},
	};

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		struct words w = {.size = 8};

		put_all(&w, headers[i], 5);
		assert_false(is_cpu(&w));
	}
	struct words shortest = {.size = 8};
	PUT(&shortest, 0, 3, 1, 1, 0);
	assert_true(is_cpu(&shortest));
	shortest.n--;
	assert_false(is_cpu(&shortest));
}

static void a_leaf_that_comes_twice_counts_once(void **state)
{
	(void)state;
	struct words w = {.size = 8};

	PUT(&w, 0, 3, 0, 1000, 0);
	PUT(&w, 1, 3, 0x1000, 0x1000, 0x2001, 1, 3, 0x1000, 0x1001, 0x3001);
	PUT(&w, 1, 3, 0x1000, 0x1002, 0x4001, 1, 4, 0x1000, 0x1000, 0x1000, 0x5001);
	PUT(&w, 1, 2, 0, 0, 1, 1, 0x1000, 0, 1, 0);
	struct profile *p = read_words(&w);

	assert_int_equal(p->n_samples, 6);
	assert_int_equal(depth(p, 0), 2);
	assert_int_equal(frame(p, 0, 1), 0x2000);
	assert_int_equal(depth(p, 1), 2);
	assert_int_equal(frame(p, 1, 1), 0x3000);
	assert_int_equal(depth(p, 2), 3);
	assert_int_equal(frame(p, 2, 1), 0x1001);
	assert_int_equal(depth(p, 3), 3); /* once only */
	assert_int_equal(depth(p, 4), 1);
	assert_int_equal(depth(p, 5), 1);
	profile_free(p);
}

static void a_leaf_of_0_and_a_count_of_0_are_records(void **state)
{
	(void)state;
	struct words w = {.size = 4};

	PUT(&w, 0, 5, 0, 1000, 0, 7, 7);
	PUT(&w, 3, 2, 0, 0x2001, 0, 1, 0x1000, 0, 2, 0, 0x2001, 1, 1, 0, 4, 1, 0x3000, 0, 1, 0);
	struct profile *p = read_words(&w);

	assert_true(test_sum(p, "samples") == 8);
	assert_int_equal(p->sources[0].n_rows, 5);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

static void java_ids_are_not_addresses(void **state)
{
	(void)state;
	struct words w = {.size = 8};

	PUT(&w, 0, 3, 1, 1000, 0, 2, 3, 5, 5, 6, 0, 1, 0);
	put_text(&w, "0x5 a.f (A.java:7)\n0x6 a.main (A.java:9)\n");
	struct profile *p = read_words(&w);

	assert_int_equal(depth(p, 0), 3);
	assert_int_equal(frame(p, 0, 0), 0);
	assert_int_equal(p->n_maps, 1);
	assert_string_equal(profile_text(p, p->funcs[1].name), "a.f");
	profile_free(p);
}

static void damage(struct words *w, const char *note)
{
	struct profile *p = read_words(w);

	assert_true(test_sum(p, "samples") == 5);
	assert_int_equal(p->notes.n, 1);
	assert_int_equal(p->notes.notes[0].level, NOTE_WARNING);
	assert_string_equal(p->notes.notes[0].text, note);
	profile_free(p);
}

static void whole_records_are_used(void **state)
{
	(void)state;
	struct words head = {.size = 8}, cut, deep, zeros;

	PUT(&head, 0, 3, 0, 1000, 0, 5, 1, 0x1000);
	cut = deep = zeros = head;
	PUT(&cut, 2, 3, 0x1000, 0x2000);
	cut.n -= 3;
	damage(
		&cut,
		"t.prof+0x40: the record is cut by the end of the file; what follows is skipped, 54.7% of the records' bytes");
	PUT(&deep, 2, 65537, 0x1000, 2, 1, 0x1000, 0, 1, 0);
	put_text(&deep, "00001000-00002000 r-xp 00001000 08:01 7 /srv/app\n");
	damage(&deep,
	       "t.prof+0x40: expected a stack of 1 to 65536 frames; what follows is skipped, 66.7% of the records' bytes");
	PUT(&zeros, 0, 0, 0, 0);
	damage(&zeros,
	       "t.prof+0x40: expected a stack of 1 to 65536 frames; what follows is skipped, 57.1% of the records' bytes");
	damage(&head, "t.prof+0x40: the file ends without a trailer; what the program sampled later is lost, and so is "
	              "the map");
}

static void every_cut_is_read(void **state)
{
	(void)state;
	struct words w = {.size = 4};

	PUT(&w, 0, 3, 0, 1000, 0, 5, 2, 0x1000, 0x2001, 2, 1, 0x1000, 0, 1, 0);
	put_text(&w, "00001000-00002000 r-xp 00001000 08:01 7 /srv/app\n");
	for (; w.n >= 20; w.n--)
		profile_free(read_words(&w));
}

/* google-pprof --raw has taken one from the callers, and writes other values than samples with period 1. */
static void bodies_of_symbolized_files(void **state)
{
	(void)state;
	struct words w = {.size = 8};

	put_text(&w, "---\n");
	PUT(&w, 0, 3, 0, 1, 0, 4096, 3, 0x1000, 0xfff, 0x2000);
	struct profile *p = read_from(&w, 4);

	assert_int_equal(p->n_types, 1);
	assert_true(test_sum(p, "samples") == 4096);
	assert_int_equal(depth(p, 0), 2);
	assert_int_equal(frame(p, 0, 1), 0x2000);
	assert_int_equal(p->notes.n, 0);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape_of_words),
		cmocka_unit_test(only_headers_are_taken),
		cmocka_unit_test(a_leaf_that_comes_twice_counts_once),
		cmocka_unit_test(a_leaf_of_0_and_a_count_of_0_are_records),
		cmocka_unit_test(java_ids_are_not_addresses),
		cmocka_unit_test(whole_records_are_used),
		cmocka_unit_test(every_cut_is_read),
		cmocka_unit_test(bodies_of_symbolized_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Compressed bytes under a small cap, and into memory of a known size. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/base/gzip.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OUTPUT = 64 << 10 };

/* Where zlib's streams fill the memory, they do so with what they are found to hold without knowing the size. */
static void inflate_into(const uint8_t *data, size_t size, const struct bytes *expected, size_t n)
{
	uint8_t *to = mem_alloc(n, 1);

	if (gzip_inflate_exact(data, size, to, n) && expected)
		fuzz_expect(n <= expected->size && memcmp(to, expected->data, n) == 0);
	free(to);
}

/* What was inflated comes back when it is deflated and inflated again. */
static void deflate_again(const struct bytes *bytes, struct arena *arena)
{
	struct bytes packed, again;
	const char *damage;

	gzip_deflate(bytes->data, bytes->size, &packed);
	struct err *err = gzip_inflate("t", packed.data, packed.size, MOST_OUTPUT, arena, &again, &damage);
	fuzz_expect(!err && !damage && again.size == bytes->size && memcmp(again.data, bytes->data, again.size) == 0);
	bytes_free(&packed);
	bytes_free(&again);
}

static void inflate_within(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct bytes bytes;
	const char *damage;
	struct err *err = gzip_inflate("t", data, size, MOST_OUTPUT, arena, &bytes, &damage);

	if (err) {
		err_free(err);
	} else {
		fuzz_expect(bytes.size <= MOST_OUTPUT);
		deflate_again(&bytes, arena);
		inflate_into(data, size, &bytes, bytes.size / 2);
		inflate_into(data, size, &bytes, bytes.size);
		inflate_into(data, size, &bytes, bytes.size + 1);
		bytes_free(&bytes);
	}
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (gzip_probe(data, size))
		inflate_within(data, size);
	else
		inflate_into(data, size, NULL, size * 2);
	return 0;
}

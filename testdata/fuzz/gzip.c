/* Streams of gzip and zlib: inflated within limits, and to a size that is told, as sections of ELF files are. */
#include "analyze/base/gzip.h"
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>

enum { MOST_OUTPUT = 1 << 20, MOST_EXACT = 1 << 16 };

static void inflate_within(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const char *damage = NULL;
	struct bytes bytes = {0};
	struct err *err = gzip_inflate("t", data, size, MOST_OUTPUT, arena, &bytes, &damage);

	if (!err && bytes.size > MOST_OUTPUT)
		abort();
	if (err)
		err_free(err);
	else
		bytes_free(&bytes);
	arena_free(arena);
}

/* The first two bytes are the size. */
static void inflate_exactly(const uint8_t *data, size_t size)
{
	if (size < 2)
		return;
	size_t n = (size_t)(data[0] | data[1] << 8) % MOST_EXACT;
	uint8_t *to = mem_alloc(n, 1);
	(void)gzip_inflate_exact(data + 2, size - 2, to, n);
	free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (gzip_probe(data, size))
		inflate_within(data, size);
	inflate_exactly(data, size);
	return 0;
}

/* The formats of text that are smaller: contention, Java's, counts by stack, threads and lists of addresses. */
#include "analyze/read/read.h"
#include "testdata/fuzz/fuzz.h"

static bool has_own_target(const struct reader *reader)
{
	return reader->is_binary || reader == &reader_symbolized || reader == &reader_heap || reader == &reader_jeheap;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct reader *reader = profile_find_reader((struct span){(const char *)data, (const char *)data + size});

	if (reader && !has_own_target(reader))
		fuzz_reader(reader, data, size);
	return 0;
}

/* jemalloc's heaps, all threads together and each apart. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_opts by_thread = fuzz_read_opts;

	by_thread.thread = "*";
	fuzz_reader(&reader_jeheap, &fuzz_read_opts, data, size);
	fuzz_reader(&reader_jeheap, &by_thread, data, size);
	return 0;
}

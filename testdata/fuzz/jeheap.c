/* jemalloc's heap. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_jeheap, data, size);
	return 0;
}

/* tcmalloc's heap, growth and fragmentation, and Go's heap with debug=1. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_heap, &fuzz_read_opts, data, size);
	return 0;
}

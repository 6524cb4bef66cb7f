/* CPU profiles: words of 32 or 64 bits in either order. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_cpu, &fuzz_read_opts, data, size);
	return 0;
}

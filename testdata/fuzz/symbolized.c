/* Names first, then the body, which another reader takes. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_symbolized, data, size);
	return 0;
}

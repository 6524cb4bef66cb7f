/* profile.proto, inflated. */
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_proto, &fuzz_read_opts, data, size);
	return 0;
}

/* Contention, Java, Go's counts, threadz, addresses: whichever knows the head. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data;
	const struct reader *reader = profile_find_reader((struct span){at, at + size});

	if (reader)
		fuzz_reader(reader, &fuzz_read_opts, data, size);
	return 0;
}

/* The map behind the rows, and the places of addresses in it. */
#include "analyze/read/maps.h"
#include "testdata/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t addrs[] = {0, 1, 0x401234, 0x7f3c10001029, UINT64_MAX - 1, UINT64_MAX};
	struct build *build = build_new();
	struct cursor in;

	build_source(build, "t", "heap");
	for (size_t i = 0; i < sizeof addrs / sizeof *addrs; i++)
		build_loc(build, addrs[i]);
	cursor_init(&in, "t", data, size);
	maps_read(&in, build);
	profile_free(build_finish(build));
	return 0;
}

/* A perf map, for code that lies in no file. */
#include "symbolize/perf_map.h"
#include "testdata/fuzz/fuzz.h"
#include "testdata/fuzz/fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t ADDRS[] = {0, 1, 0x1000, 0x1008, 0x10ff, 0x7f0012345678, UINT64_MAX};
	struct build *build = build_new();

	build_source(build, "t", "t");
	build_type(build, "samples", "count");
	for (size_t i = 0; i < sizeof ADDRS / sizeof *ADDRS; i++)
		build_loc(build, ADDRS[i]);
	err_free(perf_map_name(build, fuzz_file(data, size), DEMANGLE_SHORT));
	build_free(build);
	return 0;
}

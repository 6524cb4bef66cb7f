/* An ELF file with DWARF: headers, segments, sections, symbols, notes, compressed sections, and what they lead to. */
#include "testdata/fuzz/fuzz_elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t VADDRS[] = {0,        1,        0x1010,   0x1139,   0x1200,   0x8011,
	                                  0x401011, 0x401139, 0x401200, 0x401851, 0x402000, UINT64_MAX};

	fuzz_elf(data, size, VADDRS, sizeof VADDRS / sizeof *VADDRS);
	return 0;
}

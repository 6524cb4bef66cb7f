/* For targets whose bytes are an ELF file: asks it for addresses as the tool does, from its headers to names. */
#pragma once

#include "testdata/fuzz/fuzz.h"

/* Opens the bytes as a program, from memory, and asks for these link-time addresses, for places all over the file, and for
 * the ends of its segments. */
void fuzz_elf(const uint8_t *data, size_t size, const uint64_t *vaddrs, uint32_t n);

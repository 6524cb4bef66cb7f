/* For targets whose bytes are a file that is opened by its path. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The path of a file in memory with these bytes; the same file each time. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* gzip, zlib's and libdeflate's door: inflates gzip and zlib streams, bounded in size and ratio, and deflates. */
#pragma once

#include "analyze/base/file.h"

/* True when the bytes begin as a gzip member or a zlib stream does. */
bool gzip_probe(const uint8_t *data, size_t size);

/* Inflates every member of data. The output may not pass max_output bytes, nor 200 times the input beyond its
 * first 16 MB, so that a small file cannot fill the memory: passing a limit is an error that starts with name.
 * A stream that is cut or damaged gives what was whole before it, and *damage_ret (owned by the arena) tells
 * where it ended; it is NULL for a whole file. The caller frees *ret. */
struct err *gzip_inflate(const char *name, const uint8_t *data, size_t size, uint64_t max_output, struct arena *arena,
                         struct bytes *ret, const char **damage_ret) MUST_CHECK;

/* A zlib stream, or several in a row, as sections of ELF files hold it; n_to is the size that its head tells. False, with
 * to undefined: it is damaged, or gives more or fewer bytes. */
bool gzip_inflate_exact(const uint8_t *from, size_t n, uint8_t *to, size_t n_to);

/* Deflates data to one gzip member with neither name nor time, so that equal data give equal bytes. The caller frees
 * *ret. */
void gzip_deflate(const void *data, size_t size, struct bytes *ret);

/* The CRC-32 of .gnu_debuglink sections, of gzip and of zlib; start with crc 0. */
uint32_t gzip_crc32(uint32_t crc, const uint8_t *data, size_t size);

/* The plain bytes of the compressed sections of an ELF file, bounded in size and ratio; libzstd's and liblzma's door. */
#pragma once

#include "analyze/base/file.h"

enum { UNPACK_HEAD = 24 }; /* bytes of the longest head */

enum packing { PACKING_NONE, PACKING_ZLIB, PACKING_ZSTD };

struct packed {
	enum packing packing;
	uint64_t plain_bytes;
	size_t head_bytes; /* in front of the stream */
};

/* What the head of a section of n bytes says; bytes holds the first UNPACK_HEAD of them at least, or all: gABI's Elf32_Chdr
 * or Elf64_Chdr in the byte order of the file where the section is SHF_COMPRESSED; for a .zdebug_* section, which is not,
 * GNU's older form ("ZLIB", and the size as 8 bytes, big-endian). One of these without "ZLIB" is plain, as for binutils. The
 * error names path and section: a head that is cut, a type other than zlib and zstd, more than 4 GiB, more than 200 times
 * beyond 16 MB. */
struct err *unpack_head(const char *path, const char *section, const uint8_t *bytes, size_t n, bool is_gabi, bool is_64,
                        bool is_big_endian, struct packed *ret) MUST_CHECK;

/* From the same n bytes, to has room for plain_bytes. False, with to undefined: the stream is damaged, or gives more or
 * fewer. For many threads at a time. */
bool unpack_into(const struct packed *packed, const uint8_t *bytes, size_t n, uint8_t *to);

/* An xz stream, of which .gnu_debugdata consists. The plain bytes may be at most `most`, nor 200 times n beyond 16 MB.
 * The error names path and section. The caller frees *ret. */
struct err *unpack_xz(const char *path, const char *section, const uint8_t *bytes, size_t n, uint64_t most,
                      struct bytes *ret) MUST_CHECK;

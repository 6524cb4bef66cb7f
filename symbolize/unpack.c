#include "symbolize/unpack.h"
#include "analyze/base/gzip.h"
#include "symbolize/scan.h"

#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <zstd.h>

static const uint64_t FREE = 16u << 20; /* below this the ratio does not matter */
static const uint64_t MOST = (uint64_t)4 << 30;
enum { MOST_RATIO = 200, TYPE_ZSTD = 2 /* ELFCOMPRESS_ZSTD, which glibc 2.36 has not */ };

static uint64_t most_plain_bytes(size_t n)
{
	return n < (MOST - FREE) / MOST_RATIO ? FREE + (uint64_t)n * MOST_RATIO : MOST;
}

static struct err *check_limits(const char *path, const char *section, size_t n, uint64_t plain_bytes)
{
	if (plain_bytes <= most_plain_bytes(n))
		return NULL;
	return err_new("%s: its section %s expands from %zu to %llu bytes, beyond the limits", path, section, n,
	               (unsigned long long)plain_bytes);
}

/* ---- heads ---- */

static void read_gnu_head(const uint8_t *bytes, size_t n, struct packed *ret)
{
	struct scan in = {.at = bytes, .end = bytes + n, .is_big_endian = true};

	*ret = (struct packed){PACKING_NONE, n, 0};
	if (scan_left(&in) < 12 || memcmp(bytes, "ZLIB", 4) != 0)
		return;
	scan_skip(&in, 4);
	*ret = (struct packed){PACKING_ZLIB, scan_fixed(&in, 8), 12};
}

/* Type, for 64 bits a reserved word, size, alignment. */
static struct err *read_gabi_head(const char *path, const char *section, struct scan in, bool is_64, struct packed *ret)
{
	unsigned word = is_64 ? 8 : 4;
	const uint8_t *start = in.at;
	uint64_t type = scan_fixed(&in, 4);

	scan_skip(&in, word - 4);
	ret->plain_bytes = scan_fixed(&in, word);
	scan_skip(&in, word);
	if (in.is_bad)
		return err_new("%s: expected a compression header in its section %s", path, section);
	if (type != ELFCOMPRESS_ZLIB && type != TYPE_ZSTD)
		return err_new("%s: expected its section %s compressed by zlib or zstd, found type %llu", path, section,
		               (unsigned long long)type);
	ret->packing = type == TYPE_ZSTD ? PACKING_ZSTD : PACKING_ZLIB;
	ret->head_bytes = (size_t)(in.at - start);
	return NULL;
}

struct err *unpack_head(const char *path, const char *section, const uint8_t *bytes, size_t n, bool is_gabi, bool is_64,
                        bool is_big_endian, struct packed *ret)
{
	struct packed packed;
	struct err *err = NULL;

	if (is_gabi)
		err =
			read_gabi_head(path, section, (struct scan){.at = bytes, .end = bytes + n, .is_big_endian = is_big_endian},
		                   is_64, &packed);
	else
		read_gnu_head(bytes, n, &packed);
	if (!err)
		err = check_limits(path, section, n, packed.plain_bytes);
	if (!err)
		*ret = packed;
	return err;
}

/* ---- zlib and zstd ---- */

bool unpack_into(const struct packed *packed, const uint8_t *bytes, size_t n, uint8_t *to)
{
	const uint8_t *from = bytes + packed->head_bytes;
	size_t n_from = n - packed->head_bytes, n_to = packed->plain_bytes;

	switch (packed->packing) {
	case PACKING_NONE:
		memcpy(to, from, n_to);
		return true;
	case PACKING_ZLIB:
		return gzip_inflate_exact(from, n_from, to, n_to);
	case PACKING_ZSTD:
		return ZSTD_decompress(to, n_to, from, n_from) == n_to; /* an error is a number beyond any size */
	}
	return false;
}

/* ---- xz ---- */

/* Doubles up to most + 1: one that is full then has given too much. */
static void grow(lzma_stream *stream, struct bytes *output, uint64_t most)
{
	enum { FIRST_BYTES = 64 << 10 };
	uint64_t room = stream->total_out < FIRST_BYTES ? FIRST_BYTES : stream->total_out * 2;

	if (room > most)
		room = most + 1;
	output->data = mem_realloc(output->data, room + 1, 1);
	stream->next_out = output->data + stream->total_out;
	stream->avail_out = room - stream->total_out;
}

static lzma_ret decode(lzma_stream *stream, struct bytes *output, uint64_t most)
{
	lzma_ret status = LZMA_OK;

	while (status == LZMA_OK && stream->total_out <= most) {
		if (stream->avail_out == 0)
			grow(stream, output, most);
		status = lzma_code(stream, LZMA_FINISH);
	}
	return status;
}

static struct err *xz_error(const char *path, const char *section, const lzma_stream *stream, lzma_ret status,
                            uint64_t most)
{
	if (stream->total_out > most)
		return err_new("%s: its section %s expands to more than %llu bytes, the limit", path, section,
		               (unsigned long long)most);
	if (status == LZMA_STREAM_END)
		return NULL;
	return err_new("%s: expected a whole xz stream in its section %s, found damage or its end at +0x%llx", path,
	               section, (unsigned long long)stream->total_in);
}

struct err *unpack_xz(const char *path, const char *section, const uint8_t *bytes, size_t n, uint64_t most,
                      struct bytes *ret)
{
	enum { MOST_MEMORY = 128 << 20 }; /* xz -9 needs 65 MiB */
	lzma_stream stream = LZMA_STREAM_INIT;
	struct bytes output = {0};

	if (most > most_plain_bytes(n))
		most = most_plain_bytes(n);
	lzma_ret status = lzma_stream_decoder(&stream, MOST_MEMORY, 0);
	stream.next_in = bytes;
	stream.avail_in = n;
	if (status == LZMA_OK)
		status = decode(&stream, &output, most);
	struct err *err = xz_error(path, section, &stream, status, most);
	output.size = stream.total_out;
	lzma_end(&stream);
	if (err) {
		free(output.data);
		return err;
	}
	output.data[output.size] = '\0';
	*ret = output;
	return NULL;
}

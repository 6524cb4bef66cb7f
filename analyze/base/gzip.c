#include "analyze/base/gzip.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

static const uint64_t FREE_OUTPUT = 16u << 20; /* below this the ratio does not matter */
enum {
	MOST_RATIO = 200,
	SUSPECT_RATIO = 20,
	MEASURE_BYTES = 64 << 10,
	AUTO_HEADER = 15 + 32,
	GZIP_HEADER = 15 + 16,
	ZLIB_HEADER = 15,
	UNKNOWN_OS = 255
};
enum { DEFLATE_LEVEL = 6 };

struct inflater {
	z_stream stream;
	const char *name;
	const uint8_t *data;
	size_t size, read;
	uint8_t *output;
	size_t kept, cap; /* kept: of what was written, what stands in output */
	uint64_t written, max_output;
	void (*make_room)(struct inflater *in);
};

bool gzip_probe(const uint8_t *data, size_t size)
{
	if (size < 2)
		return false;
	if (data[0] == 0x1f && data[1] == 0x8b)
		return true;
	/* RFC 1950: deflate with a window of 32 KiB, and a header that is a multiple of 31. */
	return data[0] == 0x78 && (data[0] * 256 + data[1]) % 31 == 0;
}

static bool passes_ratio(uint64_t from, uint64_t to, unsigned ratio)
{
	return to > FREE_OUTPUT && (to - FREE_OUTPUT) / ratio > from;
}

static struct err *check_limits(const struct inflater *in)
{
	if (in->written > in->max_output)
		return err_new("%s: expands to more than %llu bytes, the limit", in->name, (unsigned long long)in->max_output);
	if (passes_ratio(in->size, in->written, MOST_RATIO))
		return err_new("%s: expands more than %d times, which no profile does", in->name, MOST_RATIO);
	return NULL;
}

static void grow(struct inflater *in)
{
	if (in->cap - in->kept >= 2)
		return;
	in->cap = in->cap * 2;
	in->output = mem_realloc(in->output, in->cap, 1);
}

/* For one that only measures. */
static void start_over(struct inflater *in)
{
	in->kept = 0;
}

static unsigned at_most_uint(size_t n)
{
	return n < UINT_MAX / 2 ? (unsigned)n : UINT_MAX / 2;
}

/* One call of inflate(): eats input, makes output, or tells that neither is possible. */
static int step(struct inflater *in)
{
	z_stream *stream = &in->stream;
	unsigned input = at_most_uint(in->size - in->read);
	unsigned room;

	in->make_room(in);
	room = at_most_uint(in->cap - in->kept - 1);
	stream->next_in = (Bytef *)(uintptr_t)(in->data + in->read);
	stream->avail_in = input;
	stream->next_out = in->output + in->kept;
	stream->avail_out = room;
	int status = inflate(stream, Z_NO_FLUSH);
	in->read += input - stream->avail_in;
	in->kept += room - stream->avail_out;
	in->written += room - stream->avail_out;
	return status;
}

/* Goes on to the next member. *is_over: there is none, or what comes is damaged. */
static void end_step(struct inflater *in, int status, bool *is_over, bool *whole_ret)
{
	if (status == Z_STREAM_END && gzip_probe(in->data + in->read, in->size - in->read)) {
		inflateReset(&in->stream);
		return;
	}
	*is_over = status != Z_OK;
	*whole_ret = status == Z_STREAM_END && in->read == in->size;
}

/* Finds out whether a limit will be passed, before there is memory for what will be refused. */
static struct err *measure_rest(const struct inflater *in)
{
	struct inflater rest = *in;
	struct err *err = NULL;
	bool whole, is_over = false;

	if (inflateCopy(&rest.stream, (z_stream *)(uintptr_t)&in->stream) != Z_OK)
		return err_new("%s: zlib: no memory to inflate", in->name);
	rest.make_room = start_over;
	rest.cap = MEASURE_BYTES;
	rest.output = mem_alloc(rest.cap, 1);
	while (!err && !is_over) {
		end_step(&rest, step(&rest), &is_over, &whole);
		err = check_limits(&rest);
	}
	inflateEnd(&rest.stream);
	free(rest.output);
	return err;
}

static bool looks_like_bomb(const struct inflater *in)
{
	return in->written >= FREE_OUTPUT && in->written / SUSPECT_RATIO > in->read;
}

static struct err *inflate_members(struct inflater *in, bool *whole_ret)
{
	struct err *err = NULL;
	bool is_over = false, is_measured = false;

	*whole_ret = false;
	while (!err && !is_over) {
		end_step(in, step(in), &is_over, whole_ret);
		err = check_limits(in);
		if (err || is_over || is_measured || !looks_like_bomb(in))
			continue;
		is_measured = true;
		err = measure_rest(in);
	}
	return err;
}

static struct err *inflate_stepwise(const char *name, const uint8_t *data, size_t size, uint64_t max_output,
                                    struct arena *arena, struct bytes *ret, const char **damage_ret)
{
	struct inflater in = {.name = name, .data = data, .size = size, .max_output = max_output, .make_room = grow};
	bool whole;

	in.cap = size < FREE_OUTPUT / 4 ? size * 4 + 4096 : FREE_OUTPUT;
	in.output = mem_alloc(in.cap, 1);
	if (inflateInit2(&in.stream, AUTO_HEADER) != Z_OK) {
		free(in.output);
		return err_new("%s: zlib: no memory to inflate", name);
	}
	struct err *err = inflate_members(&in, &whole);
	inflateEnd(&in.stream);
	if (err) {
		free(in.output);
		return err;
	}
	in.output[in.kept] = '\0';
	*ret = (struct bytes){.data = in.output, .size = in.kept};
	*damage_ret =
		whole ? NULL : arena_printf(arena, "%s+0x%zx: the compressed data is cut or damaged here", name, in.read);
	return NULL;
}

/* ---- into memory of a known size: by libdeflate where there is one, in a third of zlib's time ---- */

#ifdef HAVE_LIBDEFLATE

static bool inflate_member(const uint8_t *data, size_t size, uint8_t *to, size_t n_to)
{
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	size_t used = 0;

	bool is_whole =
		inflater && libdeflate_gzip_decompress_ex(inflater, data, size, to, n_to, &used, NULL) == LIBDEFLATE_SUCCESS;
	libdeflate_free_decompressor(inflater);
	return is_whole && used == size;
}

bool gzip_inflate_exact(const uint8_t *from, size_t n, uint8_t *to, size_t n_to)
{
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	size_t used, made;
	bool is_whole;

	do {
		is_whole =
			inflater && libdeflate_zlib_decompress_ex(inflater, from, n, to, n_to, &used, &made) == LIBDEFLATE_SUCCESS;
		if (!is_whole)
			break;
		from += used;
		n -= used;
		to += made;
		n_to -= made;
	} while (n_to > 0);
	libdeflate_free_decompressor(inflater);
	return is_whole;
}

#else

static void keep_room(struct inflater *in)
{
	(void)in;
}

/* Until what stands in *in is as long as it must be. */
static bool fill(struct inflater *in, int header)
{
	bool whole, is_over = false, is_full = false;

	in->make_room = keep_room;
	if (inflateInit2(&in->stream, header) != Z_OK)
		return false;
	while (!is_over && !is_full) {
		int status = step(in);

		is_full = status == Z_STREAM_END && in->kept == in->cap - 1;
		end_step(in, status, &is_over, &whole);
	}
	inflateEnd(&in->stream);
	return is_full;
}

static bool inflate_member(const uint8_t *data, size_t size, uint8_t *to, size_t n_to)
{
	struct inflater in = {.data = data, .size = size, .output = to, .cap = n_to + 1};

	return fill(&in, GZIP_HEADER) && in.read == size;
}

bool gzip_inflate_exact(const uint8_t *from, size_t n, uint8_t *to, size_t n_to)
{
	struct inflater in = {.data = from, .size = n, .output = to, .cap = n_to + 1};

	return fill(&in, ZLIB_HEADER);
}

#endif

/* A file of one member tells its size in its last 4 bytes. False, when that is not true: then what is whole of it is
 * still to be found. */
static bool inflate_at_once(const uint8_t *data, size_t size, uint64_t max_output, struct bytes *ret)
{
	enum { LEAST_BYTES = 18 };

	if (size < LEAST_BYTES || data[0] != 0x1f)
		return false;
	const uint8_t *end = data + size;
	size_t n = (size_t)end[-1] << 24 | (size_t)end[-2] << 16 | (size_t)end[-3] << 8 | end[-4];
	if (n > max_output || passes_ratio(size, n, SUSPECT_RATIO))
		return false;
	uint8_t *output = mem_alloc(n + 1, 1);
	if (!inflate_member(data, size, output, n)) {
		free(output);
		return false;
	}
	output[n] = '\0';
	*ret = (struct bytes){.data = output, .size = n};
	return true;
}

struct err *gzip_inflate(const char *name, const uint8_t *data, size_t size, uint64_t max_output, struct arena *arena,
                         struct bytes *ret, const char **damage_ret)
{
	if (!inflate_at_once(data, size, max_output, ret))
		return inflate_stepwise(name, data, size, max_output, arena, ret, damage_ret);
	*damage_ret = NULL;
	return NULL;
}

/* ---- deflating ---- */

/* Its own would return NULL, which deflate has no use for. */
static voidpf allocate(voidpf opaque, uInt n, uInt size)
{
	(void)opaque;
	return mem_zalloc(n, size);
}

static void release(voidpf opaque, voidpf memory)
{
	(void)opaque;
	free(memory);
}

void gzip_deflate(const void *data, size_t size, struct bytes *ret)
{
	gz_header header = {.os = UNKNOWN_OS};
	z_stream stream = {.zalloc = allocate, .zfree = release};
	size_t read = 0, written = 0;
	int status = Z_OK;

	deflateInit2(&stream, DEFLATE_LEVEL, Z_DEFLATED, GZIP_HEADER, 8, Z_DEFAULT_STRATEGY);
	deflateSetHeader(&stream, &header);
	size_t bound = deflateBound(&stream, size);
	uint8_t *packed = mem_alloc(bound + 1, 1);
	while (status == Z_OK) {
		unsigned input = at_most_uint(size - read), room = at_most_uint(bound - written);

		stream.next_in = (Bytef *)(uintptr_t)data + read;
		stream.avail_in = input;
		stream.next_out = packed + written;
		stream.avail_out = room;
		status = deflate(&stream, input == size - read ? Z_FINISH : Z_NO_FLUSH);
		read += input - stream.avail_in;
		written += room - stream.avail_out;
	}
	deflateEnd(&stream);
	packed[written] = '\0';
	*ret = (struct bytes){.data = packed, .size = written};
}

uint32_t gzip_crc32(uint32_t crc, const uint8_t *data, size_t size)
{
	return (uint32_t)crc32_z(crc, data, size);
}

/* A file of the symbol cache, from behind its checksum, which is right. What is read from it is written anew, and must then
 * be read as it was. TOOL stands for this build of the program, whose build id no seed can know. */
#include "analyze/base/gzip.h"
#include "symbolize/cache.h"
#include "symbolize/cache_folder.h"
#include "symbolize/tool_id.h"
#include "testdata/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char TOOL[] = "tttttttttttttttttttttttttttttttttttttttt";
static const char MAGIC[] = "symbols1";
static const char BUILD_ID[] = "abcdef";

/* In memory, for a disk waits at each rename. */
static char folder[] = "/dev/shm/fuzz-XXXXXX";

static void remove_folder(void)
{
	struct arena *arena = arena_new();

	unlink(arena_printf(arena, "%s/%s", folder, cache_folder_name(BUILD_ID, arena)));
	rmdir(folder);
	arena_free(arena);
}

/* One for each input: libFuzzer may end the process between two. */
static void make_folder(void)
{
	memset(folder + sizeof folder - 7, 'X', 6);
	if (!mkdtemp(folder))
		abort();
}

static void name_tool(uint8_t *bytes, size_t size)
{
	struct arena *arena = arena_new();
	const char *tool = tool_id(arena);
	uint8_t *at = memmem(bytes, size, TOOL, sizeof TOOL - 1);

	if (!tool || strlen(tool) != sizeof TOOL - 1)
		abort();
	if (at)
		memcpy(at, tool, sizeof TOOL - 1);
	arena_free(arena);
}

static void write_cache(const char *path, const uint8_t *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void put_file(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	size_t start = sizeof MAGIC - 1 + sizeof(uint32_t), n = start + size;
	uint8_t *bytes = mem_alloc(n, 1);

	memcpy(bytes, MAGIC, sizeof MAGIC - 1);
	if (size)
		memcpy(bytes + start, data, size);
	name_tool(bytes + start, size);
	uint32_t crc = gzip_crc32(0, bytes + start, size);
	memcpy(bytes + sizeof MAGIC - 1, &crc, sizeof crc);
	write_cache(arena_printf(arena, "%s/%s", folder, cache_folder_name(BUILD_ID, arena)), bytes, n);
	free(bytes);
	arena_free(arena);
}

/* Looks at every text of an answer; the sum of their lengths, and of what else is in its frames. */
static uint64_t look(const struct cache *cache, uint64_t vaddr)
{
	struct cache_span span;
	uint64_t sum = 0;

	if (!cache_find(cache, vaddr, &span))
		return 0;
	for (uint32_t i = 0; i < span.n; i++) {
		struct cache_frame frame = cache_frame_at(cache, span, i);

		sum += strlen(frame.system_name) * 3 + strlen(frame.file) * 5 + frame.line * 7ull + frame.column * 11ull +
		       frame.start_line * 13ull;
	}
	return sum + span.n + 1;
}

static const uint64_t VADDRS[] = {0, 0x1000, 0x1001, 0x2000, UINT64_MAX};
enum { N_VADDRS = sizeof VADDRS / sizeof *VADDRS };

static void write_anew(const struct cache_key *key, struct cache *cache, const uint64_t *sums)
{
	const struct cache_answer answer = {.vaddr = 0x3000};
	struct diag diag = {0};

	cache_save(key, cache, &answer, 1, &diag);
	struct cache *next = cache_open(key, &diag);
	for (size_t i = 0; next && i < N_VADDRS; i++)
		if (look(next, VADDRS[i]) != sums[i])
			abort();
	cache_close(next);
	diag_clear(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct cache_key key = {.folder = folder, .build_id = BUILD_ID, .object_bytes = 1000};
	struct diag diag = {0};
	uint64_t sums[N_VADDRS];

	make_folder();
	put_file(data, size);
	struct cache *cache = cache_open(&key, &diag);
	for (size_t i = 0; cache && i < N_VADDRS; i++)
		sums[i] = look(cache, VADDRS[i]);
	if (cache)
		write_anew(&key, cache, sums);
	cache_close(cache);
	diag_clear(&diag);
	remove_folder();
	return 0;
}

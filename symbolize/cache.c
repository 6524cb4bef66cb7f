#include "symbolize/cache.h"

#include "analyze/base/addrs.h"
#include "analyze/base/gzip.h"
#include "analyze/base/index.h"
#include "symbolize/cache_folder.h"
#include "symbolize/tool_id.h"

#include <stdlib.h>
#include <string.h>

/* ---- the file: head, vaddrs, starts, frames, texts ---- */

static const char MAGIC[8] = {'s', 'y', 'm', 'b', 'o', 'l', 's', '1'};

enum { BYTE_ORDER_MARK = 0x01020304 };

struct head {
	char magic[8];
	uint32_t checksum; /* CRC-32 of all that follows it */
	uint32_t byte_order;
	uint32_t n_answers, n_frames, n_text_bytes;
	uint32_t tool, build_id, debug_build_id; /* texts are known by where they begin */
	uint64_t object_bytes, debug_bytes;
	int64_t object_mtime_ns, debug_mtime_ns;
};
_Static_assert(sizeof(struct head) == 72, "there may be no padding");

struct stored_frame {
	uint32_t system_name, file;
	uint32_t line, column, start_line;
};

/* The frames of answer i are starts[i] to starts[i + 1]. */
struct cache {
	struct bytes bytes;
	const struct head *head;
	const uint64_t *vaddrs; /* ascending */
	const uint32_t *starts;
	const struct stored_frame *frames;
	const char *texts;
};

static const size_t CHECKED_FROM = offsetof(struct head, byte_order);

static uint64_t file_size(uint64_t n_answers, uint64_t n_frames, uint64_t n_text_bytes)
{
	return sizeof(struct head) + n_answers * sizeof(uint64_t) + (n_answers + 1) * sizeof(uint32_t) +
	       n_frames * sizeof(struct stored_frame) + n_text_bytes;
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* ---- which file ---- */

/* Where the file lies, and whose answers it may hold. */
struct place {
	struct arena *arena;
	const char *name;
	const char *tool;
};

static bool place_find(const struct cache_key *key, struct diag *diag, struct place *ret)
{
	if (!key->folder || !*key->folder || !key->build_id)
		return false;
	ret->arena = arena_new();
	ret->tool = tool_id(ret->arena);
	ret->name = cache_folder_name(key->build_id, ret->arena);
	if (ret->tool && ret->name)
		return true;
	if (!ret->tool)
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "no symbol cache: this program has no build id");
	else
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "no symbol cache for build id %.128s: expected 3 to 128 hex digits",
		         key->build_id);
	arena_free(ret->arena);
	return false;
}

static void note_err(struct diag *diag, struct err *err)
{
	diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s", err_text(err));
	err_free(err);
}

/* ---- reading ---- */

static bool is_whole(const struct bytes *bytes)
{
	const struct head *head = (const struct head *)bytes->data;

	if (bytes->size < sizeof *head || memcmp(head->magic, MAGIC, sizeof MAGIC) != 0 ||
	    head->byte_order != BYTE_ORDER_MARK ||
	    file_size(head->n_answers, head->n_frames, head->n_text_bytes) != bytes->size)
		return false;
	return gzip_crc32(0, bytes->data + CHECKED_FROM, bytes->size - CHECKED_FROM) == head->checksum;
}

static void find_parts(struct cache *cache)
{
	const uint8_t *at = cache->bytes.data;

	cache->head = (const struct head *)at;
	at += sizeof *cache->head;
	cache->vaddrs = (const uint64_t *)at;
	at += cache->head->n_answers * sizeof *cache->vaddrs;
	cache->starts = (const uint32_t *)at;
	at += ((size_t)cache->head->n_answers + 1) * sizeof *cache->starts;
	cache->frames = (const struct stored_frame *)at;
	at += cache->head->n_frames * sizeof *cache->frames;
	cache->texts = (const char *)at;
}

static bool has_good_answers(const struct cache *cache)
{
	uint32_t n = cache->head->n_answers;

	for (uint32_t i = 0; i < n; i++)
		if (cache->starts[i] > cache->starts[i + 1] || (i && cache->vaddrs[i - 1] >= cache->vaddrs[i]))
			return false;
	return cache->starts[n] == cache->head->n_frames;
}

static bool has_good_texts(const struct cache *cache)
{
	const struct head *head = cache->head;
	uint32_t n = head->n_text_bytes;

	if (!n || cache->texts[n - 1] || head->tool >= n || head->build_id >= n || head->debug_build_id >= n)
		return false;
	for (uint32_t i = 0; i < head->n_frames; i++)
		if (cache->frames[i].system_name >= n || cache->frames[i].file >= n)
			return false;
	return true;
}

static bool has_key(const struct cache *cache, const struct cache_key *key)
{
	const struct head *head = cache->head;

	return strcmp(cache->texts + head->build_id, key->build_id) == 0 &&
	       strcmp(cache->texts + head->debug_build_id, or_empty(key->debug_build_id)) == 0 &&
	       head->object_bytes == key->object_bytes && head->object_mtime_ns == key->object_mtime_ns &&
	       head->debug_bytes == key->debug_bytes && head->debug_mtime_ns == key->debug_mtime_ns;
}

/* Why the bytes are not to be believed; NULL: they are. */
static const char *check(struct cache *cache, const struct cache_key *key, const char *tool)
{
	if (!is_whole(&cache->bytes))
		return "damaged, or not of this version";
	find_parts(cache);
	if (!has_good_answers(cache) || !has_good_texts(cache))
		return "damaged";
	if (strcmp(cache->texts + cache->head->tool, tool) != 0)
		return "written by another build of this program";
	return has_key(cache, key) ? NULL : "made of other files";
}

static struct cache *believe(struct bytes bytes, const struct cache_key *key, const struct place *place,
                             struct diag *diag)
{
	struct cache *cache = mem_zalloc(1, sizeof *cache);

	cache->bytes = bytes;
	const char *fault = check(cache, key, place->tool);
	if (fault) {
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s/%s: not used: it is %s", key->folder, place->name, fault);
		cache_close(cache);
		return NULL;
	}
	diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "Using symbol cache %s/%s.", key->folder, place->name);
	return cache;
}

struct cache *cache_open(const struct cache_key *key, struct diag *diag)
{
	struct place place;
	struct bytes bytes;
	struct cache *cache = NULL;

	if (!place_find(key, diag, &place))
		return NULL;
	struct err *err = cache_folder_read(key->folder, place.name, &bytes);
	if (err)
		note_err(diag, err);
	else
		cache = believe(bytes, key, &place, diag);
	arena_free(place.arena);
	return cache;
}

void cache_close(struct cache *cache)
{
	if (!cache)
		return;
	bytes_free(&cache->bytes);
	free(cache);
}

bool cache_find(const struct cache *cache, uint64_t vaddr, struct cache_span *ret)
{
	uint32_t low = 0, high = cache->head->n_answers;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cache->vaddrs[middle] < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == cache->head->n_answers || cache->vaddrs[low] != vaddr)
		return false;
	*ret = (struct cache_span){cache->starts[low], cache->starts[low + 1] - cache->starts[low]};
	return true;
}

struct cache_frame cache_frame_at(const struct cache *cache, struct cache_span span, uint32_t i)
{
	const struct stored_frame *frame = &cache->frames[span.first + i];

	return (struct cache_frame){cache->texts + frame->system_name, cache->texts + frame->file, frame->line,
	                            frame->column, frame->start_line};
}

/* ---- writing ---- */

struct writer {
	struct head head;
	uint64_t *vaddrs;
	uint32_t *starts;
	struct stored_frame *frames;
	uint32_t cap_frames;
	char *texts;
	size_t cap_texts;
	struct index by_text; /* rows are where a text begins */
	struct addrs by_pointer;
	uint32_t *by_number; /* where the texts of by_pointer begin */
	uint32_t cap_numbers;
	bool is_full;
};

static uint64_t writer_size(const struct writer *writer)
{
	return file_size(writer->head.n_answers, writer->head.n_frames, writer->head.n_text_bytes);
}

static bool same_text(const void *context, uint32_t row)
{
	const struct writer *writer = ((const void *const *)context)[0];
	const char *text = ((const void *const *)context)[1];

	return strcmp(writer->texts + row, text) == 0;
}

static uint32_t append_text(struct writer *writer, const char *text, size_t size)
{
	uint32_t at = writer->head.n_text_bytes;

	if (size > CACHE_LARGEST_FILE - at) {
		writer->is_full = true;
		return 0;
	}
	if (writer->cap_texts - at < size) {
		writer->cap_texts = 2 * writer->cap_texts + size;
		writer->texts = mem_realloc(writer->texts, writer->cap_texts, 1);
	}
	memcpy(writer->texts + at, text, size);
	writer->head.n_text_bytes += (uint32_t)size;
	return at;
}

static uint32_t intern_text(struct writer *writer, const char *text)
{
	size_t length = strlen(text);
	uint64_t hash = hash_bytes(text, length);
	uint32_t at = index_find(&writer->by_text, hash, same_text, (const void *[]){writer, text});

	if (at != INDEX_NONE)
		return at;
	at = append_text(writer, text, length + 1);
	if (!writer->is_full)
		index_add(&writer->by_text, hash, at);
	return at;
}

/* Callers have each name once, so most are known by where they lie, without a look at the text. */
static uint32_t intern(struct writer *writer, const char *text)
{
	uint32_t n = writer->by_pointer.n, number = addrs_number(&writer->by_pointer, (uintptr_t)text);

	if (number < n)
		return writer->by_number[number];
	MEM_GROW(writer->by_number, number, writer->cap_numbers);
	writer->by_number[number] = intern_text(writer, or_empty(text));
	return writer->by_number[number];
}

static void add_frame(struct writer *writer, struct cache_frame frame)
{
	if (writer->is_full || writer_size(writer) > CACHE_LARGEST_FILE) {
		writer->is_full = true;
		return;
	}
	uint32_t system_name = intern(writer, frame.system_name);
	uint32_t file = intern(writer, frame.file);
	MEM_GROW(writer->frames, writer->head.n_frames, writer->cap_frames);
	writer->frames[writer->head.n_frames++] =
		(struct stored_frame){system_name, file, frame.line, frame.column, frame.start_line};
}

static void begin_answer(struct writer *writer, uint64_t vaddr)
{
	writer->vaddrs[writer->head.n_answers++] = vaddr;
}

static void end_answer(struct writer *writer)
{
	writer->starts[writer->head.n_answers] = writer->head.n_frames;
}

static void add_new(struct writer *writer, const struct cache_answer *answer)
{
	begin_answer(writer, answer->vaddr);
	for (uint32_t i = 0; i < answer->n_frames && !writer->is_full; i++)
		add_frame(writer, answer->frames[i]);
	end_answer(writer);
}

static void add_old(struct writer *writer, const struct cache *old, uint32_t row)
{
	struct cache_span span = {old->starts[row], old->starts[row + 1] - old->starts[row]};

	begin_answer(writer, old->vaddrs[row]);
	for (uint32_t i = 0; i < span.n; i++)
		add_frame(writer, cache_frame_at(old, span, i));
	end_answer(writer);
}

static void merge(struct writer *writer, const struct cache *old, const struct cache_answer *const *answers, uint32_t n)
{
	uint32_t n_old = old ? old->head->n_answers : 0, i = 0, k = 0;

	while ((i < n || k < n_old) && !writer->is_full) {
		bool is_known = i < n && k < n_old && answers[i]->vaddr == old->vaddrs[k];

		if (k == n_old || (i < n && answers[i]->vaddr <= old->vaddrs[k])) {
			add_new(writer, answers[i++]);
			k += is_known;
		} else {
			add_old(writer, old, k++);
		}
	}
	writer->is_full |= writer_size(writer) > CACHE_LARGEST_FILE;
}

static void writer_fill(struct writer *writer, const struct cache_key *key, const char *tool, const struct cache *old,
                        const struct cache_answer *const *answers, uint32_t n)
{
	size_t most = (size_t)n + (old ? old->head->n_answers : 0);

	*writer = (struct writer){
		.head = {.byte_order = BYTE_ORDER_MARK,
	             .object_bytes = key->object_bytes,
	             .debug_bytes = key->debug_bytes,
	             .object_mtime_ns = key->object_mtime_ns,
	             .debug_mtime_ns = key->debug_mtime_ns},
		.vaddrs = mem_alloc(most, sizeof *writer->vaddrs),
		.starts = mem_zalloc(most + 1, sizeof *writer->starts),
	};
	memcpy(writer->head.magic, MAGIC, sizeof MAGIC);
	writer->head.tool = intern(writer, tool);
	writer->head.build_id = intern(writer, key->build_id);
	writer->head.debug_build_id = intern(writer, key->debug_build_id);
	merge(writer, old, answers, n);
}

static void writer_clear(struct writer *writer)
{
	index_free(&writer->by_text);
	addrs_free(&writer->by_pointer);
	free(writer->by_number);
	free(writer->texts);
	free(writer->frames);
	free(writer->starts);
	free(writer->vaddrs);
}

static uint32_t checksum(const struct iovec *pieces, unsigned n)
{
	uint32_t crc = gzip_crc32(0, (const uint8_t *)pieces[0].iov_base + CHECKED_FROM, pieces[0].iov_len - CHECKED_FROM);

	for (unsigned i = 1; i < n; i++)
		crc = gzip_crc32(crc, pieces[i].iov_base, pieces[i].iov_len);
	return crc;
}

static struct err *writer_write(struct writer *writer, const char *folder, const char *name)
{
	struct head *head = &writer->head;
	const struct iovec pieces[] = {
		{head, sizeof *head},
		{writer->vaddrs, head->n_answers * sizeof *writer->vaddrs},
		{writer->starts, ((size_t)head->n_answers + 1) * sizeof *writer->starts},
		{writer->frames, head->n_frames * sizeof *writer->frames},
		{writer->texts, head->n_text_bytes},
	};
	const unsigned n = sizeof pieces / sizeof *pieces;

	head->checksum = checksum(pieces, n);
	return cache_folder_write(folder, name, pieces, n);
}

/* Of those with one vaddr the one that the caller has first comes first. */
static int by_vaddr(const void *a, const void *b)
{
	const struct cache_answer *x = *(const struct cache_answer *const *)a, *y = *(const struct cache_answer *const *)b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The caller frees. */
static const struct cache_answer **sort_answers(const struct cache_answer *answers, uint32_t *n)
{
	const struct cache_answer **sorted = mem_alloc(*n, sizeof *sorted);
	uint32_t n_distinct = 0;

	for (uint32_t i = 0; i < *n; i++)
		sorted[i] = &answers[i];
	qsort(sorted, *n, sizeof *sorted, by_vaddr);
	for (uint32_t i = 0; i < *n; i++)
		if (!n_distinct || sorted[i]->vaddr != sorted[n_distinct - 1]->vaddr)
			sorted[n_distinct++] = sorted[i];
	*n = n_distinct;
	return sorted;
}

static void save(const struct cache_key *key, const struct place *place, struct writer *writer, struct diag *diag)
{
	if (writer->is_full) {
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s/%s: not written: larger than %d bytes", key->folder, place->name,
		         CACHE_LARGEST_FILE);
		return;
	}
	struct err *err = writer_write(writer, key->folder, place->name);
	if (err)
		note_err(diag, err);
	else
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "Wrote symbol cache %s/%s.", key->folder, place->name);
}

void cache_save(const struct cache_key *key, const struct cache *old, const struct cache_answer *answers, uint32_t n,
                struct diag *diag)
{
	struct writer writer;
	struct place place;

	if (!n || !place_find(key, diag, &place))
		return;
	const struct cache_answer **sorted = sort_answers(answers, &n);
	writer_fill(&writer, key, place.tool, old, sorted, n);
	if (writer.is_full && old) {
		writer_clear(&writer);
		writer_fill(&writer, key, place.tool, NULL, sorted, n);
	}
	save(key, &place, &writer, diag);
	writer_clear(&writer);
	free(sorted);
	arena_free(place.arena);
}

#include "analyze/base/mem.h"

#include "analyze/base/unfinished.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nothing that exit would do: other threads still run, and what they hold is not for handlers to free. */
void mem_exhausted(void)
{
	static const char LINE[] = "pprof: error: out of memory\n";
	static atomic_flag is_told = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&is_told)) /* by another thread, which ends the process */
		pause();
	(void)!write(STDERR_FILENO, LINE, sizeof LINE - 1);
	unfinished_take_away();
	_exit(2);
}

static void *must(void *memory)
{
	if (!memory)
		mem_exhausted();
	return memory;
}

static size_t bytes_of(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted();
	return bytes ? bytes : 1;
}

void *mem_alloc(size_t n, size_t size)
{
	return must(malloc(bytes_of(n, size)));
}

void *mem_zalloc(size_t n, size_t size)
{
	return must(calloc(1, bytes_of(n, size)));
}

void *mem_realloc(void *old, size_t n, size_t size)
{
	return must(realloc(old, bytes_of(n, size)));
}

char *mem_strndup(const char *text, size_t length)
{
	char *copy = mem_alloc(length + 1, 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void mem_free_local(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

uint32_t mem_next_cap(uint32_t n)
{
	if (n >= UINT32_MAX / 2)
		mem_exhausted();
	return n < 8 ? 16 : n * 2;
}

enum { FIRST_BLOCK = 512, LARGEST_BLOCK = 64 << 10 };

struct block {
	struct block *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

struct arena {
	struct block *blocks; /* the newest first; only that one has room */
};

struct arena *arena_new(void)
{
	return mem_zalloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct block *next, *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
}

static struct block *block_new(size_t bytes)
{
	size_t whole;
	struct block *block;

	if (__builtin_add_overflow(sizeof *block, bytes, &whole))
		mem_exhausted();
	block = must(calloc(1, whole));
	block->size = bytes;
	return block;
}

/* Small arenas are many, so each begins small; what is larger than a quarter of a block gets one of its own. */
static size_t block_bytes(const struct arena *arena, size_t bytes)
{
	size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;

#ifdef ARENA_DEBUG
	return bytes;
#endif
	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	return bytes > size / 4 ? bytes : size;
}

void *arena_alloc(struct arena *arena, size_t n, size_t size)
{
	size_t align = alignof(max_align_t);
	size_t bytes = bytes_of(n, size);
	struct block *block = arena->blocks;

	if (bytes > SIZE_MAX - align)
		mem_exhausted();
	bytes = (bytes + align - 1) / align * align;
	if (!block || block->size - block->used < bytes) {
		struct block *fresh = block_new(block_bytes(arena, bytes));

		/* A big block goes behind the current one, whose rest stays in use. */
		if (block && fresh->size == bytes) {
			fresh->next = block->next;
			block->next = fresh;
		} else {
			fresh->next = block;
			arena->blocks = fresh;
		}
		block = fresh;
	}
	block->used += bytes;
	return block->data + block->used - bytes;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1, 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);

	if (length < 0)
		mem_exhausted();
	char *text = arena_alloc(arena, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

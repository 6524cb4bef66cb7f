/* Memory: arenas, growing arrays, and allocation that ends the process when there is none left. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NEVER_NULL __attribute__((returns_nonnull))
#define CLEANUP(function) __attribute__((cleanup(function)))

/* Out of memory: says so in one line, removes the file that is not finished, and ends the process with 2. For any thread.
 * malloc, calloc and realloc of the whole program come here too, so libraries need no care (but under a sanitizer). */
__attribute__((noreturn)) void mem_exhausted(void);

/* These never return NULL: without memory the process ends as mem_exhausted says.
 * n * size is checked, so a caller only has to bound what comes from a file. */
void *mem_alloc(size_t n, size_t size) NEVER_NULL;  /* not initialised */
void *mem_zalloc(size_t n, size_t size) NEVER_NULL; /* zeroed */
void *mem_realloc(void *old, size_t n, size_t size) NEVER_NULL;
char *mem_strndup(const char *text, size_t length) NEVER_NULL; /* adds the NUL */

/* For CLEANUP: frees what a local pointer points to. */
void mem_free_local(void *pointer_to_pointer);

/* Makes room for one more element of *array, doubling *cap; n elements are in use. */
#define MEM_GROW(array, n, cap) \
	((n) < (cap) ? (void)0 : (void)((array) = mem_realloc((array), (cap) = mem_next_cap(n), sizeof *(array))))
uint32_t mem_next_cap(uint32_t n);

/* An arena hands out memory that is freed all at once. Not for two threads at a time.
 * With -DARENA_DEBUG each block is a malloc of its own, so that asan and valgrind see its edges. */
struct arena;
struct arena *arena_new(void) NEVER_NULL;
void arena_free(struct arena *arena);
void *arena_alloc(struct arena *arena, size_t n, size_t size) NEVER_NULL; /* zeroed, aligned for any type */
char *arena_strndup(struct arena *arena, const char *text, size_t length) NEVER_NULL;
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3) NEVER_NULL;
char *arena_vprintf(struct arena *arena, const char *format, va_list args) NEVER_NULL;

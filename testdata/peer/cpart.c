/* The C part of the peer test. Names here have no mangling and no parameters to lose. */
#include <stdlib.h>
#include <string.h>

static void *c_rows[64];
static int c_used;

static __attribute__((noinline)) void *c_row(size_t width)
{
	void *p = calloc(width, 3);

	return c_rows[c_used++ % 64] = p;
}

/* Three levels of inlining, in C. */
static inline __attribute__((always_inline)) void *c_inner(size_t n)
{
	return malloc(n);
}

static inline __attribute__((always_inline)) void *c_middle(size_t n)
{
	return c_inner(n + 16);
}

void *c_table(size_t rows, size_t width)
{
	void *head = c_middle(rows * 1000);

	for (size_t i = 0; i < rows; i++)
		c_row(width + i);
	return head;
}

void *c_grow(void *old, size_t from, size_t to)
{
	for (size_t n = from; n < to; n += from)
		old = realloc(old, n);
	return old;
}

/* Allocates in a comparison function that libc calls: libc's frames lie between two of ours. */
static int by_copy(const void *a, const void *b)
{
	char *copy = strdup("a string long enough that it is not nothing, and made in a comparison");
	int x = *(const int *)a, y = *(const int *)b;

	c_rows[c_used++ % 64] = copy;
	return (x > y) - (x < y);
}

void c_sorted(int n)
{
	int *v = malloc(n * sizeof *v);

	if (!v)
		return;
	for (int i = 0; i < n; i++)
		v[i] = (i * 7919) % 1009;
	qsort(v, n, sizeof *v, by_copy);
	c_rows[c_used++ % 64] = v;
}

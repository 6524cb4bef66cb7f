/* A library without a name in it: it exports nothing and is stripped when it is built. Its constructor hands its entry
 * to libpeer, so that a stack goes through code that no symbol covers. */
#include <stdlib.h>

void set_unnamed(void *(*f)(size_t));   /* libpeer */

static __attribute__((noinline)) void *inner(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void *outer(size_t n)
{
	void *p = inner(n + 1);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static __attribute__((constructor)) void enter(void)
{
	set_unnamed(outer);
}

/* What libraries call for memory: as mem.h, it ends the process where there is none. */
#include "analyze/base/mem.h"
#include "analyze/base/sanitizer.h"

#include <stdlib.h>

/* libdw, libcgraph and others crash on a failed malloc, or take it for a fault of the input and leave out what they could
 * not hold. A program's malloc is that of its libraries too, so none of them sees one fail. */
#if defined(__GLIBC__) && !UNDER_ASAN
/* NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp): these are libc's. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
/* NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp) */

void *malloc(size_t size)
{
	void *memory = __libc_malloc(size);

	if (!memory)
		mem_exhausted();
	return memory;
}

void *calloc(size_t n, size_t size)
{
	void *memory = __libc_calloc(n, size);

	if (!memory)
		mem_exhausted();
	return memory;
}

/* Of no bytes it frees. */
void *realloc(void *old, size_t size)
{
	void *memory = __libc_realloc(old, size);

	if (!memory && size)
		mem_exhausted();
	return memory;
}
#endif

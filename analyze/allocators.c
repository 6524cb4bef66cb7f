#include "analyze/allocators.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The lists of gperftools' pprof, jeprof and google/pprof together, but for the bare word "allocate", which users'
 * functions have; sorted, without leading underscores and "::". */
static const char *const names[] = {
	"DoSampledAllocation",
	"M_allocate",
	"MallocedMemBlock::MallocedMemBlock",
	"aligned_alloc",
	"builtin_delete",
	"builtin_new",
	"builtin_vec_delete",
	"builtin_vec_new",
	"calloc",
	"cfree",
	"cpp_alloc",
	"dallocx",
	"do_malloc",
	"do_malloc_no_errno",
	"do_malloc_or_cpp_alloc",
	"do_malloc_pages",
	"do_memalign",
	"fallback_impl",
	"free",
	"gnu_cxx::new_allocator::allocate",
	"imalloc",
	"imalloc_body",
	"je_malloc_default",
	"libc_calloc",
	"libc_malloc",
	"libc_memalign",
	"libc_realloc",
	"malloc",
	"malloc_alloc_template::allocate",
	"malloc_zone_calloc",
	"malloc_zone_free",
	"malloc_zone_malloc",
	"malloc_zone_memalign",
	"malloc_zone_realloc",
	"malloc_zone_valloc",
	"mallocx",
	"memalign",
	"newImpl",
	"operator delete",
	"operator delete[]",
	"operator new",
	"operator new[]",
	"posix_memalign",
	"pvalloc",
	"rallocx",
	"realloc",
	"sdallocx",
	"sdallocx_noflags",
	"simple_alloc::allocate",
	"start_google_malloc",
	"start_malloc_hook",
	"std::__new_allocator::allocate",
	"stop_google_malloc",
	"stop_malloc_hook",
	"tc_calloc",
	"tc_cfree",
	"tc_delete",
	"tc_deletearray",
	"tc_free",
	"tc_malloc",
	"tc_memalign",
	"tc_new",
	"tc_new_nothrow",
	"tc_newarray",
	"tc_newarray_nothrow",
	"tc_posix_memalign",
	"tc_pvalloc",
	"tc_realloc",
	"tc_valloc",
	"valloc",
	"void* newImpl",
	"xallocx",
};

/* Whole families, by how their names begin: tcmalloc's classes, the Go runtime, Rust's allocator entry points. */
static const char *const families[] = {
	"tcmalloc::", "TCMalloc", "BaseArena::",    "runtime.",        "__rust_",
	"__rg_",      "__rdl_",   "alloc::alloc::", "<alloc::alloc::",
};

/* What the Go runtime keeps: a panic or a call made by reflection is the program's. */
static const char *const kept[] = {"runtime.panic", "runtime.reflectcall", "runtime.call"};

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool begins_with_any(const char *name, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_after(name, prefixes[i]))
			return true;
	return false;
}

static bool is_rust_allocator(const char *name)
{
	static const char impl[] = " as core::alloc::GlobalAlloc>::", trait[] = " as core::alloc::global::GlobalAlloc>::";

	return *name == '<' && (strstr(name, impl) || strstr(name, trait));
}

bool allocator_has_function(const char *name)
{
	const char *inside = text_after(name, "(anonymous namespace)::"), *plain = inside ? inside : name;

	if (begins_with_any(name, families, sizeof families / sizeof *families))
		return !begins_with_any(name, kept, sizeof kept / sizeof *kept);
	if (is_rust_allocator(name))
		return true;
	while (*plain == '_' || *plain == ':')
		plain++;
	return bsearch(plain, names, sizeof names / sizeof *names, sizeof *names, by_name) != NULL;
}

bool allocator_is_go_runtime(const char *name)
{
	return text_after(name, "runtime.");
}

bool allocator_has_inlined_function(const char *name)
{
	return text_after(name, "alloc::raw_vec::") || text_after(name, "<alloc::raw_vec::");
}

bool allocator_has_object(const char *file)
{
	static const char *const libraries[] = {"libtcmalloc", "libjemalloc", "libmimalloc"};

	return begins_with_any(file_base(file), libraries, sizeof libraries / sizeof *libraries);
}

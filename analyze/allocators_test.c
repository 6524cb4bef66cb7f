#include "analyze/test.h"

#include "analyze/allocators.h"

static void allocators_are_known(void **state)
{
	(void)state;
	static const char *const names[] = {
		"malloc",
		"__libc_malloc",
		"calloc",
		"operator new[]",
		"operator new",
		"tc_malloc",
		"tcmalloc::allocate_full_cpp_throw_oom",
		"(anonymous namespace)::do_malloc",
		"_posix_memalign",
		"__rust_alloc",
		"alloc::alloc::alloc",
		"imalloc_body",
		"<alloc::alloc::Global as core::alloc::GlobalAlloc>::alloc",
		"<alloc::alloc::Global>::alloc_impl_runtime",
		"<alloc::alloc::Global as core::alloc::Allocator>::allocate",
		"xallocx",
		"DoSampledAllocation",
		"runtime.mallocgc",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(allocator_has_function(names[i]));
}

static void users_functions_stay(void **state)
{
	(void)state;
	static const char *const names[] = {
		"allocate",
		"user_TCMalloc_wrap",
		"my_malloc",
		"mallocator",
		"Pool::malloc",
		"runtime.panicmem",
		"std::vector::push_back",
		"",
		"alloc::raw_vec::RawVec::grow_one",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_false(allocator_has_function(names[i]));
	assert_true(allocator_has_inlined_function("alloc::raw_vec::RawVec::grow_one"));
	assert_true(allocator_has_object("/usr/lib/libtcmalloc_minimal.so.4"));
	assert_false(allocator_has_object("/opt/libtcmalloc/app"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocators_are_known),
		cmocka_unit_test(users_functions_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

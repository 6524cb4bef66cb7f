// The shared library of the peer test: allocations, calls back into the program, and functions nobody exports.
#include "libpeer.h"

#include <cstdlib>

namespace {

__attribute__((noinline)) void **fresh_slots(std::size_t n)
{
	return static_cast<void **>(std::calloc(n, sizeof(void *)));
}

template <class T> __attribute__((noinline)) T *raw(std::size_t n)
{
	T *p = static_cast<T *>(std::malloc(n * sizeof(T)));
	asm volatile("" : : "r"(p) : "memory");
	return p;
}

}  // namespace

namespace lib {

void fill(std::vector<std::string> &to, int n, std::size_t length)
{
	for (int i = 0; i < n; i++)
		to.push_back(std::string(length + i, 'x'));
}

void call_back(void (*f)(int), int n)
{
	for (int i = 0; i < n; i++)
		f(i);
	asm volatile("" : : : "memory");        // no tail call
}

store::store(std::size_t n) : slots_(fresh_slots(n)), n_(n), used_(0)
{
}

store::~store()
{
	while (used_ > 0)
		std::free(slots_[--used_]);
	std::free(slots_);
}

void *store::operator[](std::size_t size)
{
	if (used_ == n_)
		return nullptr;
	void *p = size % 2 ? static_cast<void *>(raw<char>(size)) : raw<long>(size / sizeof(long));
	return slots_[used_++] = p;
}

}  // namespace lib

static void *(*unnamed)(std::size_t);

void set_unnamed(void *(*f)(std::size_t))
{
	unnamed = f;
}

void *call_unnamed(std::size_t n)
{
	void *p = unnamed(n);
	asm volatile("" : : "r"(p) : "memory");
	return p;
}

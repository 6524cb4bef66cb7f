// The program of the peer test: every kind of stack that a heap profile of a C++ program shows, with the same
// allocations in every run. Snapshots are taken at fixed places. Sizes are odd numbers, so that no printed
// decimal stands on the edge between two.
#include "libpeer.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gperftools/heap-profiler.h>

#define ALONE __attribute__((noinline))
#define INTO static inline __attribute__((always_inline))

namespace {

std::vector<void *> kept;

ALONE void keep(void *p)
{
	kept.push_back(p);
	asm volatile("" : : "r"(p) : "memory");
}

// A function only this file can see, under a name that another file uses too.
ALONE void *fresh_slots(std::size_t n)
{
	void *p = std::malloc(n);
	keep(p);
	return p;
}

}  // namespace

// Inlining: one address, four functions.
INTO void inl_inner(std::size_t n)
{
	keep(std::malloc(n));
}

INTO void inl_middle(std::size_t n)
{
	inl_inner(n + 3001);
	keep(std::calloc(3, n));
}

INTO void inl_outer(std::size_t n)
{
	inl_middle(n * 2);
	keep(new char[n + 7]);
}

ALONE void inlined(int n)
{
	for (int i = 0; i < n; i++)
		inl_outer(40009 + i);
}

// Recursion: a tree, each node from the level above; and two functions in turns, deeper than the profiler looks.
struct node {
	node *left, *right;
	char payload[5003];
};

ALONE node *tree(int depth)
{
	if (depth == 0)
		return nullptr;
	node *n = new node;
	n->left = tree(depth - 1);
	n->right = tree(depth - 1);
	return n;
}

ALONE void pong(int depth);

ALONE void ping(int depth)
{
	keep(std::malloc(10007));
	if (depth > 0)
		pong(depth - 1);
	asm volatile("" : : : "memory");
}

ALONE void pong(int depth)
{
	if (depth > 0)
		ping(depth - 1);
	keep(std::malloc(20011));
}

// Templates: class, function, a number as argument, a template as argument.
template <class T, int N> struct pool {
	ALONE T *take()
	{
		T *p = new T[N];
		keep(p);
		return p;
	}

	template <class U> ALONE U *convert(std::size_t n)
	{
		U *p = static_cast<U *>(std::malloc(n * sizeof(U)));
		keep(p);
		return p;
	}
};

template <class T> ALONE void many(int n)
{
	for (int i = 0; i < n; i++)
		keep(new T);
}

struct big {
	char bytes[30011];

	ALONE static void *operator new(std::size_t n)
	{
		void *p = std::malloc(n + 13);
		asm volatile("" : : "r"(p) : "memory");
		return p;
	}

	ALONE bool operator()(int a, int b) const
	{
		if (kept.size() < 3000 && a % 64 == 0)
			keep(std::malloc(701));
		return a < b;
	}
};

ALONE void containers(int n)
{
	static std::vector<int> numbers;
	static std::vector<std::string> strings;
	static std::map<int, std::string> map;

	for (int i = 0; i < n * 1000; i++)
		numbers.push_back(i);
	for (int i = 0; i < n; i++) {
		strings.push_back(std::string(3001 + i, 's'));
		map[i * 37 % 101] += std::string(2003, 'm');
	}
	lib::fill(strings, n, 4001);
}

ALONE void sorting()
{
	std::vector<int> v;

	for (int i = 0; i < 3000; i++)
		v.push_back(i * 7919 % 3001);
	std::sort(v.begin(), v.end(), big());
	c_sorted(800);
}

ALONE void with_lambda(int n)
{
	auto grow = [](int size) __attribute__((noinline)) {
		keep(std::malloc(size));
		asm volatile("" : : : "memory");
	};

	for (int i = 0; i < n; i++)
		grow(50021 + i);
}

ALONE void called_back(int i)
{
	keep(std::malloc(30013 + i));
}

ALONE void round(int n)
{
	inlined(3 * n);
	tree(5 + n);
	ping(40);
	pool<int, 50003>().take();
	pool<long, 20011>().take();
	pool<std::vector<int>, 1009>().convert<short>(40009);
	many<big>(5);
	many<node>(11);
	containers(40 * n);
	with_lambda(3);
	fresh_slots(90001);
	lib::call_back(called_back, 4);
	keep(c_table(20, 3001));
	keep(c_grow(nullptr, 10007, 100000));
	keep(call_unnamed(70001));
}

int main()
{
	round(1);
	HeapProfilerDump("after the first round");

	lib::store *store = new lib::store(100);
	for (int i = 0; i < 50; i++)
		(*store)[6001 + i * 3];
	round(2);
	sorting();
	HeapProfilerDump("after the second round");

	for (std::size_t i = 0; i < kept.size(); i += 2)
		std::free(kept[i]);
	delete store;
	round(1);
	HeapProfilerDump("after freeing");
	return 0;
}

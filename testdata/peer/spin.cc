// The program of the CPU comparisons: half a second of its own time, in functions of different kinds.
#include <cstddef>
#include <cstdlib>

#include <sys/resource.h>

#define ALONE __attribute__((noinline))

namespace
{

volatile unsigned long sink;

ALONE unsigned long spin(unsigned long n)
{
	unsigned long x = n;

	while (n--)
		x = x * 6364136223846793005ul + 1;
	return x;
}

ALONE unsigned long hidden(unsigned long n)
{
	return spin(n) + 1;
}

struct worker {
	unsigned long done;

	ALONE worker &operator+=(unsigned long n)
	{
		done += spin(n) + 2;
		return *this;
	}
};

template <class T> ALONE T instance(unsigned long n)
{
	T x = 1;

	for (unsigned long i = 0; i < n; i++)
		x = x * 3 + i;
	return x + spin(n / 2);
}

ALONE unsigned long recurse(int depth, unsigned long n)
{
	return depth ? recurse(depth - 1, n) + 1 : spin(n) + 3;
}

int compare(const void *a, const void *b)
{
	sink = sink + spin(200);
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

ALONE void sort()
{
	int values[200];

	for (int i = 0; i < 200; i++)
		values[i] = i * 7919 % 200;
	std::qsort(values, 200, sizeof *values, compare);
}

// A system call: clock_gettime would show the vdso, which has no file to read names from.
double seconds()
{
	rusage used;

	getrusage(RUSAGE_SELF, &used);
	return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

} // namespace

int main()
{
	worker w = {0};

	while (seconds() < 0.5) {
		w += 100000;
		sink = sink + hidden(100000) + instance<unsigned long>(100000) + recurse(5, 100000) + w.done;
		sort();
	}
}

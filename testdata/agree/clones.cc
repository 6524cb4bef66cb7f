// Functions that a compiler cuts up or copies: coroutines, bodies of OpenMP loops, clones for a processor.
#include <coroutine>
#include <cstdio>
#include <exception>

struct Gen {
	struct promise_type {
		long value = 0;
		Gen get_return_object()
		{
			return Gen{std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend()
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(long yielded)
		{
			value = yielded * 3;
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			std::terminate();
		}
	};

	~Gen()
	{
		handle.destroy();
	}
	long next()
	{
		handle.resume();
		return handle.promise().value;
	}
	std::coroutine_handle<promise_type> handle;
};

static Gen squares(long n)
{
	for (long i = 0; i < n; i++)
		co_yield i * i;
}

__attribute__((target_clones("avx2", "default"))) long dot(const long *a, const long *b, long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

template <typename T> static long parallel(T n)
{
	long sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (T i = 0; i < n; i++)
		sum += [i](long more) { return i * more; }(3);
	return sum;
}

int main(int argc, char **)
{
	long a[4] = {1, 2, 3, argc}, b[4] = {argc, 5, 6, 7}, sum = dot(a, b, 4);
	Gen gen = squares(argc + 2);
	sum += gen.next() + gen.next() + parallel(argc);
	std::printf("%ld\n", sum);
	return 0;
}

// Templates and inlining over several headers.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#define ALWAYS inline __attribute__((always_inline))
#define NEVER __attribute__((noinline))

namespace agree {

template <typename T> class Stack {
public:
	ALWAYS void push(T value)
	{
		items_.push_back(std::move(value));
	}

	T pop()
	{
		if (items_.empty())
			throw std::out_of_range("empty");
		T top = std::move(items_.back());
		items_.pop_back();
		return top;
	}

	template <typename Visit> NEVER void each(Visit visit) const
	{
		for (const T &item : items_)
			visit(item);
	}

	size_t size() const
	{
		return items_.size();
	}

private:
	std::vector<T> items_;
};

template <int N> ALWAYS long fold(long value)
{
	return fold<N - 1>(value * 31 + N) ^ value;
}

template <> ALWAYS long fold<0>(long value)
{
	return value + 1;
}

} // namespace agree

#include "shapes.h"

#include <agree/stack.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <variant>

namespace agree {
inline namespace v1 {

NEVER static long apply(const std::function<long(long)> &f, long value)
{
	return f(value) + 1;
}

ALWAYS long twice(long value)
{
	return fold<3>(value) + fold<2>(value + 1);
}

ALWAYS long four_times(long value)
{
	return twice(value) * twice(value + 7);
}

NEVER long deep(long value)
{
	long sum = 0;
	for (long i = 0; i < value; i++)
		sum += four_times(i) ^ in_assembly(i);
	return sum;
}

} // namespace v1
} // namespace agree

using Value = std::variant<long, std::string, std::unique_ptr<Circle>>;

struct Weigh {
	long operator()(long value) const
	{
		return agree::twice(value);
	}
	long operator()(const std::string &text) const
	{
		return counted(text);
	}
	long operator()(const std::unique_ptr<Circle> &circle) const
	{
		return circle->measure(3) + static_cast<Named &>(*circle).tag;
	}
};

static long guarded(long radius)
{
	try {
		return Ring(radius, 1).measure(2);
	} catch (const std::invalid_argument &error) {
		return plain_c(error.what(), 3);
	}
}

template <typename... Values> NEVER static long sum_of(const Values &...values)
{
	return (0 + ... + Weigh{}(values));
}

int main(int argc, char **argv)
{
	agree::Stack<Value> stack;
	long sum = 0, n = argc;

	stack.push(n);
	stack.push(std::string(argv[0]) + " is what was called");
	stack.push(std::make_unique<Circle>(n + 1));
	stack.push(std::make_unique<Ring>(n + 2, n));
	stack.each([&sum](const Value &value) { sum += std::visit(Weigh{}, value); });
	sum += agree::apply([n](long value) {
		auto inner = [value](long more) { return more * value + agree::deep(more & 7); };
		return inner(n) + inner(n + 1);
	}, sum);
	sum += guarded(n) + guarded(-n) + sum_of(sum, std::string("a b a"), std::make_unique<Circle>(2));
	while (stack.size() > 0)
		stack.pop();
	std::printf("%ld\n", sum);
	return 0;
}

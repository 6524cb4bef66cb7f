#include "shapes.h"

#include <agree/stack.h>

#include <algorithm>
#include <map>
#include <unordered_map>

Named::~Named() = default;
Measured::~Measured() = default;

Circle::Circle(long r) : radius(r)
{
	if (r < 0)
		throw std::invalid_argument("radius " + std::to_string(r));
	tag = agree::fold<5>(r);
}

Circle::~Circle()
{
	unit = 0;
}

std::string Circle::name() const
{
	return "circle " + std::to_string(radius);
}

long Circle::measure(long scale)
{
	return radius * radius * scale;
}

Ring::Ring(long r, long h) : Circle(r), hole(h)
{
}

std::string Ring::name() const
{
	return "ring in " + Circle::name();
}

long Ring::measure(long scale)
{
	return Circle::measure(scale) - hole * hole * scale;
}

namespace {

// A class of a function's own, with a lambda in a member of it.
std::string most_used(const std::string &text)
{
	struct Count {
		char letter;
		long n;
		bool operator<(const Count &other) const
		{
			auto rank = [this](const Count &c) { return c.n * 256 - c.letter + (letter == c.letter); };
			return rank(*this) < rank(other);
		}
	};
	std::unordered_map<char, long> counts;
	for (char c : text)
		counts[c]++;
	std::vector<Count> sorted;
	for (auto [letter, n] : counts)
		sorted.push_back({letter, n});
	std::sort(sorted.begin(), sorted.end());
	std::string result;
	std::for_each(sorted.rbegin(), sorted.rend(), [&result](const Count &c) { result += c.letter; });
	return result;
}

} // namespace

long counted(const std::string &text)
{
	std::map<std::string, long> words;
	size_t start = 0;

	while (start < text.size()) {
		size_t end = std::min(text.find(' ', start), text.size());
		words[text.substr(start, end - start)] += static_cast<long>(end);
		start = end + 1;
	}
	long sum = static_cast<long>(most_used(text).size());
	for (const auto &[word, n] : words)
		sum += n * static_cast<long>(word.size());
	return sum;
}

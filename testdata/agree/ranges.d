// Templates, nested functions and delegates, for a D compiler.
module agree.ranges;

struct Pair(T) { T first, second; T sum() const { return cast(T)(first + second); } }

int fold(alias f, T)(T[] values)
{
	int total;
	foreach (value; values)
		total = f(total, value);
	return total;
}

class Shape
{
	int measure(int scale) { return scale * 2; }
	override string toString() const { return "shape"; }
}

int nested(int n)
{
	int add(int more) { return n + more; }
	auto twice = (int value) => add(value) * 2;
	return twice(n) + fold!((a, b) => a + b)([1, n, add(3)]);
}

extern (C) int main(int argc, char** argv)
{
	auto pair = Pair!int(argc, 2);
	return nested(pair.sum()) + cast(int) Pair!long(3, argc).sum();
}

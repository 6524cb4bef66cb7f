// The program behind the small profiles: one function for every shape a heap stack can show.
// It stands on no library (plain.s has _start and a malloc that gives nothing) and is never run: only its addresses
// are read. make.sh made the objects; the command of each, from this directory:
//
//   plain.o     as -o plain.o plain.s
//   shapes      g++ $FLAGS -fno-pie -no-pie -o shapes shapes.cc plain.o
//   shapes_pie  g++ $FLAGS -fPIE -pie -o shapes_pie shapes.cc plain.o
//   linked/     objcopy --only-keep-debug shapes linked/shapes.debug
//               objcopy --strip-all --add-gnu-debuglink=linked/shapes.debug shapes linked/shapes
//   sysroot/    the same split of shapes_pie and libshapes.so, by build id and without a debuglink
//
//   FLAGS = -std=c++17 -g -O1 -ffreestanding -nostdlib -fno-exceptions -fno-rtti -fno-stack-protector
//           -fcf-protection=none -Wl,--build-id=sha1 -ffile-prefix-map=$PWD=/srv/app/src

#define ALONE __attribute__((noinline, noclone))
#define INTO static inline __attribute__((always_inline))

typedef unsigned long size;

extern "C" void *malloc(size n);        // plain.s
extern "C" void *plain_alloc(size n);   // plain.s: symbol, no debug information
void *volatile kept;                    // keeps every call alive and every tail call away

// Three levels of inlining: one address in build() is four frames.
INTO void inl_inner(size n)
{
	kept = malloc(n);
}

INTO void inl_middle(size n)
{
	inl_inner(n * 2);
}

INTO void inl_outer(size n)
{
	inl_middle(n + 1);
}

ALONE void build(size n)
{
	inl_outer(n);
	kept = malloc(n);
}

// Recursion: one function several times in one stack.
ALONE void recurse(int depth, size n)
{
	if (depth == 0)
		kept = malloc(n);
	else
		recurse(depth - 1, n);
	kept = nullptr;
}

// A template: two functions of one displayed name.
template <class T> ALONE void make_array(size n)
{
	kept = malloc(n * sizeof(T));
	kept = nullptr;
}

// A name only this file can see.
namespace {

ALONE void hidden(size n)
{
	kept = malloc(n);
	kept = nullptr;
}

}

// A lambda: its debug information says only "operator()", its symbol says where it stands.
ALONE void with_lambda(size n)
{
	auto grow = [](size m) ALONE {
		kept = malloc(m);
		kept = nullptr;
	};

	grow(n);
	kept = nullptr;
}

// A class method, a conversion and an operator: names that must not be cut at the wrong "(" or "<".
struct table {
	size n;

	ALONE void reserve(size more) const
	{
		kept = malloc(n + more);
		kept = nullptr;
	}

	ALONE bool operator<(const table &other) const
	{
		kept = malloc(other.n);
		kept = nullptr;
		return n < other.n;
	}
};

// Its call to malloc is its last instruction: the return address already belongs to after_last().
ALONE void last_call(size n)
{
	malloc(n);
	__builtin_unreachable();
}

ALONE void after_last(size n)
{
	kept = malloc(n);
	kept = nullptr;
}

int main()
{
	table t = {8};

	build(1);
	recurse(3, 1);
	make_array<int>(1);
	make_array<table>(1);
	hidden(1);
	with_lambda(1);
	t.reserve(1);
	if (t < t)
		kept = plain_alloc(1);
	after_last(1);
	kept = malloc(1);
	last_call(1);
	return 0;
}

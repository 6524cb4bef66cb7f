/* C: static functions that are inlined, cloned and split; needs no library where AGREE_ALONE is defined. */
struct pair {
	long key, value;
};

static long mix(long a, long b)
{
	a ^= b << 7;
	return a * 0x9e3779b1 + b;
}

static __attribute__((noinline)) long walk(const struct pair *pairs, long n, int is_deep)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum = mix(sum, is_deep ? mix(pairs[i].key, pairs[i].value) : pairs[i].value);
	return sum;
}

static __attribute__((noinline, cold)) long refuse(long n)
{
	return -n;
}

#ifndef __clang__
/* A function of GNU C inside another one. */
static __attribute__((noinline)) long nested(const struct pair *pairs, long n)
{
	__attribute__((noinline)) long of_key(long key)
	{
		for (long i = 0; i < n; i++)
			if (pairs[i].key == key)
				return mix(pairs[i].value, n);
		return refuse(key);
	}

	return of_key('a') + of_key(n);
}
#else
#define nested(pairs, n) 0
#endif

long plain_c(const char *text, long n)
{
	struct pair pairs[16];
	long at = 0;

	if (!text || n < 0)
		return refuse(n);
	while (text[at] && at < 16) {
		struct pair pair = {text[at], mix(at, n)};

		pairs[at++] = pair;
	}
	return walk(pairs, at, 1) + walk(pairs, at / 2, 0) + nested(pairs, at);
}

#ifdef AGREE_ALONE
static volatile long result;

static inline __attribute__((always_inline)) long thrice(long value)
{
	return mix(value, 3) + mix(value, 2) + plain_c("alone", value);
}

void _start(void);
void _start(void)
{
	for (long i = 0; i < 9; i++)
		result += thrice(i) + plain_c("again", result);
	for (;;)
		;
}
#endif

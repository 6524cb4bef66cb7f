/* A program with behaviours that are known, one a function. What takes snapshots is the library that it is linked with:
 *
 *	growing PREFIX
 *
 * Writes PREFIX.0001.heap and so on, one a round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALONE __attribute__((noinline))

enum { N_ROUNDS = 9, MOST = 4000 };

/* Blocks of one size, the first of which are freed first. */
struct pile {
	void *blocks[MOST];
	int n;
};

static struct pile leaked, late, filled, sawn, kept, cached, churned;

/* Of libtcmalloc and of libjemalloc. */
void HeapProfilerStart(const char *prefix) __attribute__((weak));
void HeapProfilerDump(const char *reason) __attribute__((weak));
int mallctl(const char *name, void *old, size_t *old_size, void *fresh, size_t fresh_size) __attribute__((weak));

static void put(struct pile *pile, void *block)
{
	pile->blocks[pile->n++] = block;
	__asm__ volatile("" ::"r"(block) : "memory");
}

static void release(struct pile *pile)
{
	while (pile->n > 0)
		free(pile->blocks[--pile->n]);
}

/* A steady amount each round, in two lines, never freed. */
ALONE void leak(void)
{
	for (int i = 0; i < 5; i++) {
		put(&leaked, malloc(10007));
		put(&leaked, calloc(3, 5003));
	}
}

/* Two ways to the leak, one of them recursive. */
ALONE void request(int depth)
{
	if (depth > 0)
		request(depth - 1);
	leak();
	__asm__ volatile("" ::: "memory");
}

ALONE void start_late(int round)
{
	for (int i = 0; round > N_ROUNDS / 2 && i < 20; i++)
		put(&late, malloc(9001));
}

/* Grows for some rounds, then stays. */
ALONE void plateau(int round)
{
	for (int i = 0; round < 4 && i < 40; i++)
		put(&filled, malloc(7001));
}

/* Freed each third round, the last among them. */
ALONE void sawtooth(int round)
{
	for (int i = 0; i < 60; i++)
		put(&sawn, malloc(6007));
	if (round % 3 == 2)
		release(&sawn);
}

/* Grows steadily, and all is freed before the last snapshot. */
ALONE void release_at_end(int round)
{
	for (int i = 0; i < 30; i++)
		put(&kept, malloc(20011));
	if (round == N_ROUNDS - 1)
		release(&kept);
}

/* More than all others together: most of it is there from the start, and part of it goes and comes. */
ALONE void cache(int round)
{
	static const int sizes[N_ROUNDS] = {900, 960, 910, 1000, 905, 940, 990, 920, 930};

	while (cached.n < sizes[round])
		put(&cached, malloc(30011));
	while (cached.n > sizes[round])
		free(cached.blocks[--cached.n]);
}

ALONE void churn(void)
{
	for (int i = 0; i < 50; i++)
		put(&churned, malloc(40009));
	release(&churned);
}

ALONE void play(int round)
{
	request(0);
	request(1);
	start_late(round);
	plateau(round);
	sawtooth(round);
	release_at_end(round);
	cache(round);
	churn();
}

ALONE void take_snapshot(const char *prefix, int round)
{
	static char name[4096];
	const char *text = name;

	if (HeapProfilerDump) {
		HeapProfilerDump("a round");
		return;
	}
	snprintf(name, sizeof name, "%s.%04d.heap", prefix, round + 1);
	if (mallctl("prof.dump", NULL, NULL, &text, sizeof text))
		exit(3);
}

int main(int argc, char **argv)
{
	if (argc != 2 || (!HeapProfilerDump && !mallctl))
		return 2;
	if (HeapProfilerStart)
		HeapProfilerStart(argv[1]);
	for (int round = 0; round < N_ROUNDS; round++) {
		play(round);
		take_snapshot(argv[1], round);
	}
	return 0;
}

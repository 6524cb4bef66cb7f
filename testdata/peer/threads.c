/* Allocates in several threads, from several stacks, blocks of many sizes, and frees some: a program for jemalloc. */
#include <pthread.h>
#include <stdlib.h>

enum { N_THREADS = 4, N_BLOCKS = 12000 };

static void *volatile kept[N_THREADS + 1][N_BLOCKS];

/* A multiplier of its own for each thread: sizes do not depend on how the threads take turns. */
struct sizes {
	unsigned state;
};

static size_t next(struct sizes *sizes, size_t limit)
{
	sizes->state = sizes->state * 1664525 + 1013904223;
	return 1 + (sizes->state >> 8) % limit;
}

__attribute__((noinline)) void *take_small(struct sizes *sizes)
{
	char *block = malloc(next(sizes, 200));

	*block = 1;
	return block;
}

__attribute__((noinline)) void *take_large(struct sizes *sizes)
{
	char *block = malloc(next(sizes, 60000));

	*block = 1;
	return block;
}

__attribute__((noinline)) void *nest(struct sizes *sizes, int depth)
{
	void *block = depth ? nest(sizes, depth - 1) : take_small(sizes);

	__asm__ volatile("" ::"r"(block)); /* no tail call */
	return block;
}

__attribute__((noinline)) void work(int number)
{
	struct sizes sizes = {(unsigned)number};

	for (int i = 0; i < N_BLOCKS; i++) {
		kept[number][i] = i % 10 == number % 3 ? take_large(&sizes) : nest(&sizes, i % 4);
		if (i % 5 < 4)
			continue;
		free(kept[number][i - 1 - i % 3]);
		kept[number][i - 1 - i % 3] = NULL;
	}
}

static void *run(void *number)
{
	work((int)(size_t)number);
	return NULL;
}

int main(void)
{
	pthread_t threads[N_THREADS];

	for (size_t i = 0; i < N_THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	work(0);
	return 0;
}

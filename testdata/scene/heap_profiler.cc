// The program of the acceptance scene: who holds the memory, and what changed between two snapshots.
//
// Four rounds; each allocates 1 GiB through create() that nobody frees, 1 GiB directly in main() that is
// freed after the loop, and 1 MiB through create_destory() -> create() that is freed at once.
// No page is ever touched, so the 8 GiB are address space only.
//
// Run under libtcmalloc with HEAPPROFILE set it leaves nine snapshots without asking for one: the profiler
// dumps after each GiB allocated (HEAP_PROFILE_ALLOCATION_INTERVAL's default), eight times, and once at exit.
// make.sh, beside this file, is the recipe.

#include <cstddef>

namespace {

const int rounds = 4;
const std::size_t mib = std::size_t(1) << 20;
const std::size_t gib = std::size_t(1) << 30;

}  // namespace

// The leak. An own frame of every stack: make.sh compiles without optimization.
char *create(std::size_t size)
{
	return new char[size];
}

// Allocates and gives back: in no snapshot's live bytes, only in the bytes ever allocated.
void create_destory(std::size_t size)
{
	char *p = create(size);
	delete[] p;
}

int main()
{
	char *leaked[rounds];
	char *freed[rounds];

	for (int i = 0; i < rounds; i++) {
		leaked[i] = create(gib);
		freed[i] = new char[gib];
		create_destory(mib);
	}
	for (int i = 0; i < rounds; i++)
		delete[] freed[i];
	return leaked[rounds - 1] == nullptr;
}

// A shared library in C, to be found through the map of a profile. See shapes.cc; made by
//
//   gcc -std=c17 -g -O1 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -fPIC -shared
//       -Wl,--build-id=sha1 -Wl,-soname,libshapes.so -ffile-prefix-map=$PWD=/srv/app/src -o libshapes.so libshapes.c

typedef unsigned long size;

extern void *malloc(size n);    // the program's
void *volatile lib_kept;

// static: in the symbol table only as long as nobody strips it
static __attribute__((noinline, noclone)) void lib_inner(size n)
{
	lib_kept = malloc(n);
	lib_kept = 0;
}

static inline __attribute__((always_inline)) void lib_inlined(size n)
{
	lib_inner(n + 1);
}

void lib_grow(size n)
{
	lib_inlined(n);
	lib_kept = malloc(n);
	lib_kept = 0;
}

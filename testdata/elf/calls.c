/* A program of two builds: NEXT adds an early function, so that what lies behind it moves. It is read, never run. */
extern void *volatile kept[8];
void *volatile kept[8];

#define KEEP __attribute__((noinline, noclone, used))

KEEP void *take(unsigned long n)
{
	return kept[n % 8];
}

#ifdef NEXT
KEEP unsigned long checked(unsigned long n)
{
	return n > 4096 ? 4096 : n * 3 + 1;
}
#endif

KEEP void load(unsigned long n)
{
	kept[0] = take(n);
	kept[1] = take(n + 1);
}

#ifdef __thumb__
#define OTHER_STATE __attribute__((target("arm")))
#else
#define OTHER_STATE
#endif

KEEP OTHER_STATE void parse(unsigned long n, void *(*by)(unsigned long))
{
	kept[2] = by(n);
	load(n);
}

KEEP void serve(unsigned long n)
{
	parse(n, take);
	kept[3] = take(n);
	load(n);
	kept[4] = kept[3];
}

#ifdef __x86_64__
/* Where signal handlers return to, as libc has it. */
__asm__(".globl restore\n.type restore, @function\n"
        "nop\nrestore: mov $15, %rax\nsyscall\n.size restore, . - restore\n");
#endif

KEEP void handler(unsigned long n)
{
	kept[5] = take(n);
	kept[6] = kept[5];
}

KEEP void start(void)
{
	serve(1);
	load(2);
	for (;;)
		;
}

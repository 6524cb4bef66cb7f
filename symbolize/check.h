/* Is an object of the build that the profile is of, where no build id tells? Its own code says so: calls end where return
 * addresses point. */
#pragma once

#include "analyze/profile.h"

struct answer;
struct binary;

/* What lies in front of an answer's return address. */
enum check_call {
	CALL_UNKNOWN, /* not looked at */
	CALL_FOUND,
	CALL_MISSING,   /* no call ends there, or the file has no code there */
	CALL_MADE_UP,   /* likewise, but the address itself looks like one that no unwinder saw */
	CALL_SIGRETURN, /* none: a signal handler returns there */
};

/* Of the return addresses of a profile in an object. */
struct check {
	uint32_t n_checked;             /* 0: nothing can be said */
	uint32_t n_bad;                 /* no call ends there, or the file has no code there */
	uint32_t n_nowhere;             /* of these: no code there */
	uint32_t n_made_up;             /* of these: the address looks made up */
	uint32_t n_rows, n_misfit_rows; /* of the map, and those that do not fit the program headers */
};

/* Looks at the code in front of answers that have their vaddr, at an even choice of them where they are very many. Nothing is
 * looked at where build ids were compared, and where the machine's calls are not known. */
void check_calls(const struct binary *binary, struct answer *answers, uint32_t n_answers);

/* Holds a row of the profile's map against the program headers, likewise; at most some rows of each object. end_is_open: as
 * in fit.h. */
void check_row(const struct binary *binary, const struct mapping *row, bool end_is_open, struct check *check);

/* By location: true where a thread was when it was interrupted, which no call leads to. is_sigreturn[]: by location. The
 * caller frees. */
bool *check_find_pcs(const struct profile *p, const bool *is_sigreturn);

/* Counts the answers whose location is no such place. */
void check_count(const struct answer *answers, uint32_t n_answers, const bool *is_pc, struct check *check);

/* True when the evidence is that the object is of another build.
 *
 * Measured on 30 right pairs (programs of gcc and clang at -O0 to -O3, as PIE and not, with and without PLT and frame
 * pointers, CPython with 18 libraries, ceph-osd; under libtcmalloc, libjemalloc and libprofiler): no bad one in 30,000, but
 * up to 3 of 16 where a program runs on contexts of its own, jumps by hand, and is interrupted by signals. On 50 wrong pairs:
 * 9 in 10 and more where the compiler, its options or the program were others, 73 to 100 of 100 in other libraries, 90 of
 * 100 behind one function more, 49 of 100 at the least, where a few instructions had been added here and there. So a quarter
 * is another build, or of a few more than half. Rows that do not fit make a quarter of a few enough, and stand alone where
 * calls say nothing. */
bool check_is_other_build(const struct check *check);

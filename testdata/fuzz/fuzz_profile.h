/* For targets whose bytes are not a profile but need one. */
#pragma once

#include "testdata/fuzz/fuzz.h"

/* A small heap that grew: objects and bytes, inlined calls, files, labels of text and of numbers, blocks of a size each.
 * The caller frees it. */
struct profile *fuzz_profile(void);

/* What --symbolize says: where names come from, and how they are shown. */
#pragma once

#include "analyze/base/err.h"
#include "symbolize/symbolize.h"

/* Reads "none", "local", "fastlocal", "force" and "demangle=none|full|templates|default", joined by ':', as google/pprof
 * does. Sets what the words say and nothing else. The error names a word that is none of these. */
struct err *symbolize_words_read(const char *words, struct symbolize_opts *ret) MUST_CHECK;

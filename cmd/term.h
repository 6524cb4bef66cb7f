/* What goes to stderr: one line each. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/err.h"

/* "pprof: error: ..." */
void term_error(const struct err *err);
/* The notes from number first on. Details only when verbose; nothing at all when quiet. */
void term_notes(const struct diag *notes, uint32_t first, bool quiet, bool verbose);

/* What goes to stderr: one line each. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/err.h"
#include "render/out.h"
#include "symbolize/progress.h"

/* In the order of the words of --color. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What a report on standard output may look like: of a terminal its width (COLUMNS says another), and colours unless NO_COLOR
 * is set. */
struct out_look term_look(enum color color);
struct out_look term_look_of_file(enum color color);
/* Counts for all that follows on standard error; until then it is COLOR_AUTO. */
void term_set_color(enum color color);

/* "pprof: error: ..." */
void term_error(const struct err *err);
/* The notes from number first on. Details only when verbose; nothing at all when quiet. */
void term_notes(const struct diag *notes, uint32_t first, bool quiet, bool verbose);

/* Progress, on standard error: only when it is a terminal, and not before half a second has passed. NULL: nobody would
 * see it. term_progress_end takes the line away. */
progress_fn *term_progress_start(void);
void term_progress_end(void);

/* An error: one line of text that says what was expected and where. NULL is success. */
#pragma once

#include "analyze/base/mem.h"

#include <stdbool.h>

struct err;

/* The text names what was expected, without a full stop or a newline. The caller owns the error. */
struct err *err_new(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK NEVER_NULL;

/* Adds in front what the room below could not know: "reading the base profile: ...".
 * Takes over inner, which must not be NULL. */
struct err *err_wrap(struct err *inner, const char *format, ...) PRINTF_LIKE(2, 3) MUST_CHECK NEVER_NULL;

/* "path: no such file", or what else errno says. */
struct err *err_errno(const char *path) MUST_CHECK NEVER_NULL;
/* True when err_errno made it of a file that is not there. */
bool err_is_missing(const struct err *err);
/* True when it may well be there: it needs other rights, the disk fails, or no descriptor is left. */
bool err_is_unreadable(const struct err *err);

const char *err_text(const struct err *err);
void err_free(struct err *err);

/* The values of options as texts: read, and shown. */
#pragma once

#include "cmd/options.h"

/* Sets the field of an option that depends on no other; those of groups and lists stay as they are. text NULL: it is said
 * without a value. The error says what is expected. */
struct err *option_value_read(void *field, const struct opt_row *row, const char *text) MUST_CHECK;
/* As the shell shows it; "" for what is no setting of the shell. */
const char *option_value_text(const void *field, const struct opt_row *row, struct arena *arena);

/* Reads what reports show beside the profile: source files. */
#pragma once

#include "cmd/options.h"

/* Fills what the report's listing wants. What is not found is a note. */
void listings_read(const struct options *options, struct report *report, struct diag *diag);

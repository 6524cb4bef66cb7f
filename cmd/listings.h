/* Reads what reports show beside the profile: source files, and the code of programs. */
#pragma once

#include "cmd/options.h"

/* Fills what the report's listing and code want, as far as the parts ask for them. What is not found is a note. The error is
 * for a report of instructions, where no program disassembles them. */
struct err *listings_read(const struct options *options, struct report *report, unsigned parts,
                          struct diag *diag) MUST_CHECK;

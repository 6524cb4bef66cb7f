/* The help, made from the tables of options and readers. */
#pragma once

#include "cmd/options.h"
#include "render/out.h"

/* The options of a group or of "all"; "": how to begin, on one screen. */
void usage_help(const char *group, struct out *out);
/* With -v also where the tool keeps files. */
void usage_version(const struct options *options, struct out *out);
/* A name and what it means, in lines of 79 columns; a long name has a line of its own. */
void usage_item(const char *name, const char *help, struct out *out);
/* "-j, --jobs=N" */
void usage_spelling(const struct opt_row *row, char *text, size_t size);

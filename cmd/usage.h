/* All text that is made from the tables of options, readers and renderers. */
#pragma once

#include "cmd/options.h"
#include "render/out.h"

/* The options of a group or of "all"; "": how to begin, on one screen. */
void usage_help(const char *group, struct out *out);
/* With -v also where the tool keeps files. */
void usage_version(const struct options *options, struct out *out);
/* The manual page, made from its prose: @OPTIONS@ and @INPUTS@ in the template are filled in. */
struct err *usage_manual(const char *template_path, struct out *out) MUST_CHECK;

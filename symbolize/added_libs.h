/* Libraries that the user added (--add_lib): they name what lies in no object of the map. */
#pragma once

#include "symbolize/symbolize.h"

/* Looks addresses in no object up in opts->added_libs, as link-time ones; the first whose code covers one names it. The
 * error is for a library that cannot be used. */
struct err *added_libs_name(struct build *build, const struct symbolize_opts *opts) MUST_CHECK;

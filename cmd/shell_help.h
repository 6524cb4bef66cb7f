/* The shell's help, made of the option table. */
#pragma once

#include "analyze/base/err.h"
#include "render/out.h"

void shell_help(struct out *out);
/* Of one command or setting. The error says that there is none of the name. */
struct err *shell_help_on(const char *name, struct out *out) MUST_CHECK;

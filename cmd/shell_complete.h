/* What a word of the shell may become: a command, an option, a type of values, a function of the profile. */
#pragma once

#include "analyze/profile.h"
#include "cmd/edit.h"

struct shell_completer;

struct shell_completer *completer_new(const struct profile *profile);
void completer_free(struct shell_completer *completer);

/* For struct edit_completer; the context is the completer. */
void completer_complete(void *completer, const char *line, struct completion *ret);

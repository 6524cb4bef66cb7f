/* What completions of shells hold of the table of options; the rest of them stands in docs/completion/. */
#pragma once

#include "render/out.h"

/* Cases of an option's name: what may follow. */
void completion_bash_arguments(struct out *out);
/* Names with '_', and '=' behind those that need an argument. */
void completion_bash_names(struct out *out);
/* no_NAME */
void completion_bash_negations(struct out *out);
/* Arguments of _arguments. */
void completion_zsh(struct out *out);
void completion_fish(struct out *out);

/* For other programs, one option a line: name, letter or -, group, kind ("refused", "accepted", "flag", "argument" or "optional"),
 * argument and help, with tabs between. */
void completion_list(struct out *out);

/* What the options of labels do before a profile is shown: frames made of labels, and how filters are read. */
#pragma once

#include "cmd/show.h"

/* Puts a profile with such frames into show where the user wants them; *ret is that one, which the caller frees after the
 * show, or NULL. Notes go to show->diag. */
struct err *tag_options_apply(struct show *show, struct profile **ret) MUST_CHECK;

/* Whether the labels of this key become frames. */
bool tag_options_make_frames_of(const struct options *options, const char *key);

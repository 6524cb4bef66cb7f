/* The labels of a Go profile's text form: "# labels: {"key":"value", ...}". */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/build.h"

/* True for the lines that hold labels; line keeps what follows the word. */
bool go_labels_begin(struct span *line);
/* The set of these labels, in their order. False: the text has another shape. */
bool go_labels_read(struct span text, struct build *build, labels_id *ret);

/* Files that are no profile: tells what they are instead, and what to do about it. */
#pragma once

#include "analyze/base/cursor.h"

/* True where a web page begins, such as a server's error. */
bool foreign_is_html(struct span head);

enum { FOREIGN_TEXT = 128 };

/* The first bytes, as a person can read them. */
const char *foreign_show(struct span head, char text[FOREIGN_TEXT]);

/* The error on a file that no reader takes; head is the whole of it. */
struct err *foreign_format(const char *name, struct span head) MUST_CHECK;

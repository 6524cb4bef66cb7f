/* Opens a picture in a viewer. */
#pragma once

#include "render/renderer.h"

struct viewer {
	const char *name;                /* of the option: --name */
	const struct renderer *renderer; /* the format it reads */
	const char *const *programs;     /* tried in turn; ends with NULL */
	bool uses_browser;               /* the user's $BROWSER comes first */
	bool waits;                      /* the program ends when the user closes the picture */
	bool stays_behind;               /* and whoever shows it goes on meanwhile */
};

/* NULL: there is no viewer of this name. */
const struct viewer *viewer_find(const char *name);

/* scale: gv's zoom; 0: gv's own choice. Writes the report to a new private file (XDG_RUNTIME_DIR, TMPDIR or /tmp) and shows it. When no viewer starts, the
 * file stays, its path is written to stdout, and a note says what was tried. */
struct err *viewer_show(const struct viewer *viewer, int scale, const struct report *report,
                        struct diag *diag) MUST_CHECK;

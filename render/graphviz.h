/* graphviz's rooms, private to render/graphviz*.c. */
#pragma once

#include "render/out.h"

#include <graphviz/cgraph.h>

/* Lays the graph out in a child process, which dies alone if graphviz does, and writes it in a format of graphviz's:
 * svg, ps (built-in font metrics: the same bytes on every host), pdf, png, gif (the host's fonts).
 * On an error nothing has been written. */
struct err *graphviz_layout(Agraph_t *graph, const char *format, struct out *out) MUST_CHECK;

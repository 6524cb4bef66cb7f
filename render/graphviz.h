/* graphviz's rooms, private to render/graphviz*.c. */
#pragma once

#include "render/layout.h"

#include <graphviz/cgraph.h>

/* Begins to lay the graph out in a child process, which dies alone if graphviz does, in a format of graphviz's:
 * svg, ps (built-in font metrics: the same bytes on every host), pdf, png, gif (the host's fonts). The graph may be closed
 * then. */
struct err *graphviz_start(Agraph_t *graph, const char *format, struct layout **ret) MUST_CHECK;

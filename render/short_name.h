/* Names of functions without what leads to them: paths, packages and namespaces, as google/pprof shortens them for a box. */
#pragma once

#include "analyze/base/mem.h"

/* "host/path/pkg.(*T).F" is "pkg.(*T).F", "host/pkg/v2.F" "pkg.F", "com.example.Class.method(args)" "Class.method",
 * "ns::Outer::Class::f" "Class::f", "(anonymous namespace)::f" "f". A part of the name, or a copy in the arena. */
const char *short_name(const char *name, struct arena *arena);

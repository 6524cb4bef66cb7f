/* Names of linkers to names for people, libiberty's door: Itanium C++, Rust (v0 and legacy), D. */
#pragma once

#include "analyze/base/mem.h"

/* A demangled name longer than this is cut, with "..." at its end: 221 bytes can stand for 71 MB. */
enum { DEMANGLE_LONGEST = 4096 };

/* Names of linkers beyond this are none that a demangler takes, and are cut too: a damaged file has one at each offset. */
enum { SYSTEM_NAME_LONGEST = 32768 };

/* How much of a name is shown. */
enum demangle_style {
	DEMANGLE_SHORT,     /* as demangle_short has it */
	DEMANGLE_TEMPLATES, /* with template arguments, but without parameters */
	DEMANGLE_FULL,      /* as demangle_full has it */
	DEMANGLE_NONE,      /* as the linker knows it */
};
const char *demangle_as(enum demangle_style style, const char *system_name, struct arena *arena);

/* The name that tables show: C++ without parameters (those of enclosing functions too), template arguments, return type
 * and clone suffix; "operator<", "operator()", "operator new[]" and "(anonymous namespace)::f" whole; a lambda as
 * "foo()::{lambda()#1}::operator()"; Rust "<A as r::Grab>::grab" whole and without the hash; D, C and names that are no
 * mangled ones as they are, but for the template arguments behind a bare name: DWARF names an instance "f<int>". The text
 * lies in the arena. Safe for several threads with an arena each. */
const char *demangle_short(const char *system_name, struct arena *arena);

/* The whole name, with parameters and template arguments. */
const char *demangle_full(const char *system_name, struct arena *arena);

/* Shortens readable C++ names, which a profile brings along, to what tables show. */
#pragma once

#include "analyze/base/cursor.h"

/* Of "int* make<int>(int)" it is "make", of "f(int)::{lambda(int)#1}::operator()(int) const" it is
 * "f()::{lambda()#1}::operator()": without return type, template arguments and parameters. Names that do not end in
 * parameters (C, Go, Rust) stay as they are. The text, NUL-terminated, is at most as long as the name;
 * text has room for that. */
void readable_short(struct span name, char *text);

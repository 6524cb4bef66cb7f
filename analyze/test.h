/* cmocka with the headers that it wants before itself; for *_test.c alone. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

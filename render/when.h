/* Times and durations as text, in Go's notation. */
#pragma once

#include <stdint.h>

enum { WHEN_TEXT = 96 };

/* Of nanoseconds since 1970, in the time zone of TZ, or in UTC where TZ is not set: "2026-01-02 03:04:05 UTC". */
const char *when_short(char text[WHEN_TEXT], int64_t nanos);
/* "2026-01-02 03:04:05.25 +0000 UTC". */
const char *when_full(char text[WHEN_TEXT], int64_t nanos);
/* A duration: "4h35m2.83s", "1.5ms". */
const char *when_span(char text[WHEN_TEXT], int64_t nanos);

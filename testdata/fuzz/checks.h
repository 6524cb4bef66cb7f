/* What must be true of outputs: strict readers of the formats that others parse. Each says what is wrong, or NULL. */
#pragma once

#include <stddef.h>

/* RFC 8259: one value, and nothing behind it. */
const char *check_json(const char *text, size_t size);
/* Elements whose tags are balanced, attributes that are quoted, and no entities but the five and numbers. */
const char *check_xml(const char *text, size_t size);
/* Text for a terminal: UTF-8 without control characters, but for ends of lines and tabs, and without bidi overrides. */
const char *check_text(const char *text, size_t size);

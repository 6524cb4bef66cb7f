/* JSON in the making: brackets, commas and line ends. The caller keeps to its grammar: a key in an object, none in an
 * array. */
#pragma once

#include "render/out.h"

#include <stdint.h>

enum { JSON_DEPTH = 16 };

struct json {
	struct out *out;
	unsigned n_lines; /* what lies deeper than so many brackets stands on one line */
	unsigned depth;
	bool has[JSON_DEPTH]; /* by depth: something stands in the bracket */
};

/* A bracket, '{' or '[', and its end. */
void json_begin(struct json *json, const char *key, char bracket);
void json_end(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, double value);
void json_whole(struct json *json, const char *key, int64_t value);
void json_bool(struct json *json, const char *key, bool value);
/* A text where there is one, else nothing at all. */
void json_text_if_any(struct json *json, const char *key, const char *text);

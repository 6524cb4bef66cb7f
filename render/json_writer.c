#include "render/json_writer.h"

#include <assert.h>

static void break_line(struct json *json)
{
	out_printf(json->out, "\n%*s", (int)json->depth, "");
}

static void begin_item(struct json *json, const char *key)
{
	if (json->has[json->depth])
		out_text(json->out, ",");
	if (json->depth && json->depth <= json->n_lines)
		break_line(json);
	else if (json->has[json->depth])
		out_text(json->out, " ");
	json->has[json->depth] = true;
	if (!key)
		return;
	out_json(json->out, key);
	out_text(json->out, ": ");
}

void json_begin(struct json *json, const char *key, char bracket)
{
	begin_item(json, key);
	out_bytes(json->out, &bracket, 1);
	assert(json->depth + 1 < JSON_DEPTH);
	json->has[++json->depth] = false;
}

void json_end(struct json *json, char bracket)
{
	bool breaks = json->has[json->depth] && json->depth <= json->n_lines;

	json->depth--;
	if (breaks)
		break_line(json);
	out_bytes(json->out, &bracket, 1);
	if (!json->depth)
		out_text(json->out, "\n");
}

void json_text(struct json *json, const char *key, const char *text)
{
	begin_item(json, key);
	out_json(json->out, text);
}

void json_number(struct json *json, const char *key, double value)
{
	begin_item(json, key);
	out_json_number(json->out, value);
}

void json_whole(struct json *json, const char *key, int64_t value)
{
	begin_item(json, key);
	if (value < 0)
		out_text(json->out, "-");
	out_number(json->out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin_item(json, key);
	out_text(json->out, value ? "true" : "false");
}

void json_text_if_any(struct json *json, const char *key, const char *text)
{
	if (*text)
		json_text(json, key, text);
}

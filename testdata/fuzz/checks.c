#include "testdata/fuzz/checks.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct in {
	const char *at, *end;
};

static bool next_is(const struct in *in, char c)
{
	return in->at < in->end && *in->at == c;
}

static bool take(struct in *in, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(in->end - in->at) < n || memcmp(in->at, word, n) != 0)
		return false;
	in->at += n;
	return true;
}

/* ---- UTF-8 ---- */

/* The next character; 0xffffffff: it is none. Overlong ones and halves of pairs are none. */
static uint32_t next_char(struct in *in)
{
	static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char lead = (unsigned char)*in->at++;
	unsigned n = lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
	uint32_t c = n == 1 ? lead : lead & (0x7fu >> n);

	if (n == 0 || lead >= 0xf8 || (size_t)(in->end - in->at) < n - 1)
		return UINT32_MAX;
	for (unsigned i = 1; i < n; i++) {
		if (((unsigned char)*in->at & 0xc0) != 0x80)
			return UINT32_MAX;
		c = c << 6 | ((unsigned char)*in->at++ & 0x3f);
	}
	return c < LEAST[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? UINT32_MAX : c;
}

static bool is_bidi(uint32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
}

const char *check_text(const char *text, size_t size)
{
	struct in in = {text, text + size};

	while (in.at < in.end) {
		uint32_t c = next_is(&in, '\r') && take(&in, "\r\n") ? '\n' : next_char(&in);

		if (c == UINT32_MAX)
			return "not UTF-8";
		if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || is_bidi(c))
			return "a control character";
	}
	return NULL;
}

/* ---- JSON ---- */

enum { MOST_LEVELS = 1000 };

static void json_blanks(struct in *in)
{
	while (next_is(in, ' ') || next_is(in, '\n') || next_is(in, '\t') || next_is(in, '\r'))
		in->at++;
}

static bool json_escape(struct in *in)
{
	if (in->at >= in->end)
		return false;
	char c = *in->at++;
	if (c != 'u')
		return c && strchr("\"\\/bfnrt", c);
	for (int i = 0; i < 4; i++)
		if (in->at >= in->end || !strchr("0123456789abcdefABCDEF", *in->at) || !*in->at++)
			return false;
	return true;
}

static bool json_string(struct in *in)
{
	if (!take(in, "\""))
		return false;
	while (in->at < in->end && *in->at != '"') {
		uint32_t c = next_char(in);

		if (c < 0x20 || c == UINT32_MAX || (c == '\\' && !json_escape(in)))
			return false;
	}
	return take(in, "\"");
}

static bool json_digits(struct in *in)
{
	const char *start = in->at;

	while (in->at < in->end && *in->at >= '0' && *in->at <= '9')
		in->at++;
	return in->at > start;
}

static bool json_number(struct in *in)
{
	take(in, "-");
	if (!take(in, "0") && !json_digits(in))
		return false;
	if (take(in, ".") && !json_digits(in))
		return false;
	if (!take(in, "e") && !take(in, "E"))
		return true;
	if (!take(in, "-"))
		take(in, "+");
	return json_digits(in);
}

static bool json_scalar(struct in *in)
{
	return next_is(in, '"') ? json_string(in)
	                        : take(in, "null") || take(in, "true") || take(in, "false") || json_number(in);
}

/* Behind '{' or ',': the key of a member. */
static bool json_key(struct in *in)
{
	json_blanks(in);
	if (!json_string(in))
		return false;
	json_blanks(in);
	return take(in, ":");
}

struct json {
	struct in in;
	char closers[MOST_LEVELS];
	int n;
};

/* After a value: the brackets that end, then a comma; false: the whole ends, or is wrong. */
static bool json_go_on(struct json *json, bool *is_bad)
{
	for (json_blanks(&json->in); json->n; json_blanks(&json->in)) {
		if (take(&json->in, ",")) {
			*is_bad = json->closers[json->n - 1] == '}' && !json_key(&json->in);
			return !*is_bad;
		}
		*is_bad = !next_is(&json->in, json->closers[json->n - 1]);
		if (*is_bad)
			return false;
		json->in.at++;
		json->n--;
	}
	return false;
}

/* A value up to where one ends: the first scalar in it, or an empty bracket. */
static bool json_value(struct json *json)
{
	for (;;) {
		json_blanks(&json->in);
		bool is_object = next_is(&json->in, '{');
		if (!is_object && !next_is(&json->in, '['))
			return json_scalar(&json->in);
		json->in.at++;
		if (json->n == MOST_LEVELS)
			return false;
		json->closers[json->n++] = is_object ? '}' : ']';
		json_blanks(&json->in);
		if (next_is(&json->in, json->closers[json->n - 1])) {
			json->in.at++;
			json->n--;
			return true;
		}
		if (is_object && !json_key(&json->in))
			return false;
	}
}

const char *check_json(const char *text, size_t size)
{
	struct json json = {.in = {text, text + size}};
	bool is_bad = false;

	do {
		if (!json_value(&json))
			return "a value that is none of JSON";
	} while (json_go_on(&json, &is_bad));
	return is_bad                     ? "a bracket or a comma that JSON does not have there"
	       : json.in.at < json.in.end ? "more than one value"
	                                  : NULL;
}

/* ---- XML ---- */

struct xml {
	struct in in;
	struct in names[MOST_LEVELS];
	int n;
};

static bool xml_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_:-.", c));
}

static struct in xml_name(struct in *in)
{
	struct in name = {in->at, in->at};

	while (in->at < in->end && xml_is_name(*in->at))
		in->at++;
	name.end = in->at;
	return name;
}

static bool same_name(const struct in *a, const struct in *b)
{
	return a->end - a->at == b->end - b->at && memcmp(a->at, b->at, (size_t)(a->end - a->at)) == 0;
}

static bool xml_entity(struct in *in)
{
	static const char *const NAMES[] = {"amp;", "lt;", "gt;", "quot;", "apos;"};

	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (take(in, NAMES[i]))
			return true;
	if (!take(in, "#"))
		return false;
	take(in, "x");
	return xml_name(in).end > in->at - 8 && take(in, ";");
}

/* Characters up to one of these; a stop of the document's end is none. */
static bool xml_text(struct in *in, char stop)
{
	while (in->at < in->end && *in->at != stop) {
		if (stop != '<' && *in->at == '<')
			return false;
		uint32_t c = next_char(in);
		if (c == UINT32_MAX || (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0xfffe || c == 0xffff)
			return false;
		if (c == '&' && !xml_entity(in))
			return false;
	}
	return true;
}

static bool xml_attribute(struct in *in)
{
	struct in name = xml_name(in);

	return name.end > name.at && take(in, "=") && take(in, "\"") && xml_text(in, '"') && take(in, "\"");
}

static bool xml_start(struct xml *xml)
{
	struct in name = xml_name(&xml->in);

	if (name.at == name.end || xml->n == MOST_LEVELS)
		return false;
	for (;;) {
		const char *before = xml->in.at;

		json_blanks(&xml->in);
		if (take(&xml->in, "/>"))
			return true;
		if (take(&xml->in, ">")) {
			xml->names[xml->n++] = name;
			return true;
		}
		if (before == xml->in.at || !xml_attribute(&xml->in))
			return false;
	}
}

static bool xml_skip(struct in *in, const char *word)
{
	const char *found = memmem(in->at, (size_t)(in->end - in->at), word, strlen(word));

	in->at = found ? found + strlen(word) : in->end;
	return found != NULL;
}

static bool xml_end(struct xml *xml)
{
	struct in name = xml_name(&xml->in);

	return xml->n && same_name(&name, &xml->names[--xml->n]) && take(&xml->in, ">");
}

static bool xml_tag(struct xml *xml)
{
	struct in *in = &xml->in;

	if (take(in, "<?"))
		return xml_skip(in, "?>");
	if (take(in, "<!--"))
		return xml_skip(in, "-->");
	if (take(in, "<![CDATA["))
		return xml->n && xml_skip(in, "]]>");
	if (take(in, "<!DOCTYPE"))
		return !xml->n && xml_skip(in, ">");
	if (take(in, "</"))
		return xml_end(xml);
	return take(in, "<") && xml_start(xml);
}

const char *check_xml(const char *text, size_t size)
{
	static struct xml xml;

	xml = (struct xml){.in = {text, text + size}};
	while (xml.in.at < xml.in.end) {
		if (!xml_text(&xml.in, '<'))
			return "a character or an entity that is none of XML";
		if (xml.in.at < xml.in.end && !xml_tag(&xml))
			return "a tag that is none, or ends another";
	}
	return xml.n ? "a tag that does not end" : NULL;
}

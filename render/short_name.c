#include "render/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (is_word(at[n]))
		n++;
	return n;
}

/* ---- Go ---- */

/* The "/" that ends the element of a path here; NULL: this is none. */
static const char *end_of_element(const char *at)
{
	const char *end = at;

	while (is_word(*end) || *end == '-' || *end == '.')
		end++;
	return end > at && *end == '/' ? end : NULL;
}

/* "v2.F" is a version of the package named before: where the version ends; NULL: it is no version. */
static const char *end_of_version(const char *at)
{
	size_t n = *at == 'v' ? strspn(at + 1, "0123456789") : 0;

	if (!n || at[1] == '0' || (n == 1 && at[1] == '1') || at[1 + n] != '.')
		return NULL;
	return at + 1 + n;
}

static const char *without_path(const char *name, struct arena *arena)
{
	const char *element = NULL, *at = name;

	for (const char *end; (end = end_of_element(at)); at = end + 1)
		element = at;
	const char *version = element ? end_of_version(at) : NULL;
	return version ? arena_printf(arena, "%.*s%s", (int)(at - 1 - element), element, version) : at;
}

/* ---- Java ---- */

static size_t method_length(const char *at)
{
	size_t n = 0;

	if (strncmp(at, "<init>", 6) == 0)
		return 6;
	if (!islower((unsigned char)*at))
		return 0;
	while (is_word(at[n]) || at[n] == '$')
		n++;
	return n;
}

/* Lower-case packages, a class, a method and no more but arguments; NULL: it is no such name. */
static const char *java_method(const char *name, struct arena *arena)
{
	const char *class = name;

	for (size_t n; islower((unsigned char)*class) && class[n = word_length(class)] == '.';)
		class += n + 1;
	if (!isupper((unsigned char)*class))
		return NULL;
	const char *dot = class;
	while (is_word(*dot) || *dot == '$')
		dot++;
	size_t n = *dot == '.' ? method_length(dot + 1) : 0;
	if (!n || (dot[1 + n] && dot[1 + n] != '('))
		return NULL;
	return arena_strndup(arena, class, (size_t)(dot - class) + 1 + n);
}

/* ---- C++ ---- */

/* Where the last class begins, which is known by its capital and has a member. */
static const char *last_class(const char *name)
{
	const char *class = name;

	for (const char *at = name;;) {
		size_t n = word_length(at);
		const char *member = at + n + 2;

		if (!n || strncmp(at + n, "::", 2) != 0)
			return class;
		member += *member == '~';
		if (isupper((unsigned char)at[strspn(at, "_")]) && is_word(*member))
			class = at;
		at += n + 2;
	}
}

const char *short_name(const char *name, struct arena *arena)
{
	static const char anonymous[] = "(anonymous namespace)::";

	if (strncmp(name, anonymous, sizeof anonymous - 1) == 0)
		name += sizeof anonymous - 1;
	name = without_path(name, arena);
	const char *method = java_method(name, arena);
	return method ? method : last_class(name);
}

#include "symbolize/demangle.h"
#include "symbolize/cplusplus.h"
#include "symbolize/rust.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

enum { D_LONGEST = 2048 };

/* ---- D ---- */

/* dlang_demangle has neither a cap nor a callback; each pair of back references may double the text. */
static bool is_tame_d(const char *name, size_t n)
{
	enum { MOST_REFERENCES = 20 };
	unsigned n_references = 0;

	for (const char *at = name; (at = strchr(at, 'Q')); at++)
		n_references++;
	return n <= D_LONGEST && n_references <= MOST_REFERENCES;
}

static bool dlang(const char *name, size_t n, struct capped *text)
{
	if (!is_tame_d(name, n))
		return false;
	char *readable = dlang_demangle(name, DMGL_DLANG);
	if (readable)
		capped_add_string(text, readable);
	free(readable);
	return text->n > 0;
}

/* ---- suffixes ---- */

static bool is_word(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - at) == n && memcmp(at, word, n) == 0;
}

static bool is_clone_word(const char *at, const char *end, bool has_number)
{
	static const char *const NUMBERED[] = {"part", "constprop", "isra", "cold", "llvm", "lto_priv", "localalias"};
	static const char *const BARE[] = {"cold", "localalias"};
	const char *const *words = has_number ? NUMBERED : BARE;
	size_t n = has_number ? sizeof NUMBERED / sizeof *NUMBERED : sizeof BARE / sizeof *BARE;

	for (size_t i = 0; i < n; i++)
		if (is_word(at, end, words[i]))
			return true;
	return false;
}

/* The length without ".part.0", ".cold" and the like, which gcc and clang add to parts and copies of a function. */
static size_t without_clones(const char *name, size_t n)
{
	for (;;) {
		const char *end = name + n;
		const char *digits = end;

		while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		bool has_number = digits < end && digits > name && digits[-1] == '.';
		if (has_number)
			end = digits - 1;
		const char *dot = memrchr(name, '.', (size_t)(end - name));
		if (!dot || dot == name || !is_clone_word(dot + 1, end, has_number))
			return n;
		n = (size_t)(dot - name);
	}
}

/* The length without "@GLIBC_2.2.5" or "@@GLIBC_2.2.5", as .symtab has it. */
static size_t without_version(const char *name, size_t n)
{
	const char *at = memchr(name, '@', n);

	if (!at || at == name)
		return n;
	const char *version = at[1] == '@' ? at + 2 : at + 1;
	return *version >= 'A' && *version <= 'Z' && !memchr(version, '@', strlen(version)) ? (size_t)(at - name) : n;
}

/* ---- template arguments ---- */

static bool is_identifier(const char *name, size_t n)
{
	static const char DIGITS[] = "0123456789";
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return n > 0 && !strchr(DIGITS, name[0]) && strspn(name, LETTERS) >= n;
}

/* A bare name, or "operator()" and the like; what follows "operator" alone is "<", no arguments. */
static bool takes_arguments(const char *name, size_t n)
{
	enum { WORD = sizeof "operator" - 1 };

	if (n < WORD || memcmp(name, "operator", WORD) != 0)
		return is_identifier(name, n);
	return n > WORD && (is_identifier(name, n) || strspn(name + WORD, "()[]+-*/%^&|~!=,>") >= n - WORD);
}

/* The length without "<int, A<T> >", which DWARF has in the names of instances of templates. All of it must be one pair. */
static size_t without_arguments(const char *name, size_t n)
{
	const char *start = memchr(name, '<', n);
	size_t n_function = start ? (size_t)(start - name) : 0, depth = 0;

	if (!takes_arguments(name, n_function))
		return n;
	for (const char *at = start; at < name + n; at++) {
		depth += *at == '<';
		depth -= *at == '>';
		if (depth == 0)
			return at + 1 == name + n ? n_function : n;
	}
	return n;
}

/* ---- the two names ---- */

typedef bool cplusplus_fn(const char *name, struct capped *text);

static bool demangle(const char *name, size_t n, cplusplus_fn *cplusplus, struct capped *text)
{
	capped_begin(text);
	if (name[0] != '_' || n > CAPPED_MANGLED_LONGEST)
		return false;
	if (rust_is_name(name)) {
		if (rust_add(name, text))
			return true;
		capped_begin(text);
	}
	switch (name[1]) {
	case 'Z':
		return cplusplus(name, text);
	case 'D':
		return dlang(name, n, text);
	default:
		return false;
	}
}

static const char *take_as_it_is(const char *name, size_t n, struct arena *arena)
{
	struct capped text;

	capped_begin(&text);
	capped_add(&text, name, n);
	return capped_take(&text, arena);
}

/* Without the symbol's version, which libiberty does not know. */
static bool demangle_versioned(const char *system_name, size_t n, cplusplus_fn *cplusplus, struct capped *text)
{
	char *CLEANUP(mem_free_local) name = NULL;

	if (system_name[n]) /* libiberty wants a whole string */
		name = mem_strndup(system_name, n);
	return demangle(name ? name : system_name, n, cplusplus, text);
}

const char *demangle_short(const char *system_name, struct arena *arena)
{
	struct capped text;
	size_t n = without_version(system_name, strlen(system_name));

	if (demangle_versioned(system_name, n, cplusplus_short, &text))
		return capped_take(&text, arena);
	return take_as_it_is(system_name, without_arguments(system_name, without_clones(system_name, n)), arena);
}

static const char *demangle_templates(const char *system_name, struct arena *arena)
{
	struct capped text;
	size_t n = without_version(system_name, strlen(system_name));

	if (demangle_versioned(system_name, n, cplusplus_templates, &text))
		return capped_take(&text, arena);
	return take_as_it_is(system_name, without_clones(system_name, n), arena);
}

const char *demangle_full(const char *system_name, struct arena *arena)
{
	struct capped text;

	if (demangle(system_name, strlen(system_name), cplusplus_full, &text))
		return capped_take(&text, arena);
	return take_as_it_is(system_name, strlen(system_name), arena);
}

const char *demangle_as(enum demangle_style style, const char *system_name, struct arena *arena)
{
	switch (style) {
	case DEMANGLE_SHORT:
		break;
	case DEMANGLE_TEMPLATES:
		return demangle_templates(system_name, arena);
	case DEMANGLE_FULL:
		return demangle_full(system_name, arena);
	case DEMANGLE_NONE:
		return take_as_it_is(system_name, strlen(system_name), arena);
	}
	return demangle_short(system_name, arena);
}

#include "symbolize/rust.h"

#include <libiberty/demangle.h>
#include <string.h>

enum { NAME_DEEPEST = 1024 };

/* Reads a v0 name by its grammar before libiberty does. Where libiberty skips a path it still counts through each
 * "for<...>" (one that claims 2^60 lifetimes hangs it), and it follows references to any place. */
struct v0 {
	const char *start, *at, *end;
	uint8_t *kinds; /* what begins at each byte */
	unsigned depth;
	unsigned n_references;
	bool has_punycode;
};

enum { V0_PATH = 1, V0_TYPE = 2, V0_CONST = 4 };

static bool v0_path(struct v0 *v);
static bool v0_type(struct v0 *v);

static bool v0_eat(struct v0 *v, char c)
{
	if (v->at == v->end || *v->at != c)
		return false;
	v->at++;
	return true;
}

static int digit62(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
}

static bool v0_number(struct v0 *v, uint64_t *ret)
{
	uint64_t x = 0;

	if (v0_eat(v, '_')) {
		*ret = 0;
		return true;
	}
	for (; v->at < v->end && digit62(*v->at) >= 0; v->at++)
		if (__builtin_mul_overflow(x, 62u, &x) || __builtin_add_overflow(x, (uint64_t)digit62(*v->at), &x))
			return false;
	*ret = x + 1;
	return v0_eat(v, '_');
}

static bool v0_optional_number(struct v0 *v, char tag, uint64_t *ret)
{
	*ret = 0;
	if (!v0_eat(v, tag))
		return true;
	if (!v0_number(v, ret))
		return false;
	++*ret;
	return true;
}

static bool v0_identifier(struct v0 *v)
{
	uint64_t ignored;
	size_t n = 0;

	if (!v0_optional_number(v, 's', &ignored))
		return false;
	v->has_punycode |= v0_eat(v, 'u');
	if (v->at == v->end || *v->at < '0' || *v->at > '9')
		return false;
	if (!v0_eat(v, '0'))
		for (; v->at < v->end && *v->at >= '0' && *v->at <= '9' && n < CAPPED_MANGLED_LONGEST; v->at++)
			n = n * 10 + (size_t)(*v->at - '0');
	v0_eat(v, '_');
	if (n > (size_t)(v->end - v->at))
		return false;
	v->at += n;
	return true;
}

static bool v0_reference(struct v0 *v, uint8_t kinds)
{
	size_t here = (size_t)(v->at - v->start) - 1;
	uint64_t place;

	v->n_references++;
	return v0_number(v, &place) && place < here && (v->kinds[place] & kinds);
}

static bool v0_binder(struct v0 *v)
{
	static const uint64_t MOST = 1000;
	uint64_t n;

	return v0_optional_number(v, 'G', &n) && n <= MOST;
}

static bool v0_const(struct v0 *v)
{
	v->kinds[v->at - v->start] |= V0_CONST;
	if (v0_eat(v, 'p'))
		return true;
	if (v0_eat(v, 'B'))
		return v0_reference(v, V0_CONST);
	if (v->at == v->end)
		return false;
	v->at++;
	v0_eat(v, 'n');
	while (v->at < v->end && ((*v->at >= '0' && *v->at <= '9') || (*v->at >= 'a' && *v->at <= 'f')))
		v->at++;
	return v0_eat(v, '_');
}

static bool v0_argument(struct v0 *v)
{
	uint64_t ignored;

	if (v0_eat(v, 'L'))
		return v0_number(v, &ignored);
	return v0_eat(v, 'K') ? v0_const(v) : v0_type(v);
}

static bool v0_list(struct v0 *v, bool (*item)(struct v0 *))
{
	while (!v0_eat(v, 'E'))
		if (!item(v))
			return false;
	return true;
}

static bool v0_function(struct v0 *v)
{
	if (!v0_binder(v))
		return false;
	v0_eat(v, 'U');
	if (v0_eat(v, 'K') && !v0_eat(v, 'C') && !v0_identifier(v))
		return false;
	return v0_list(v, v0_type) && v0_type(v);
}

static bool v0_trait(struct v0 *v)
{
	if (!v0_path(v))
		return false;
	while (v0_eat(v, 'p'))
		if (!v0_identifier(v) || !v0_type(v))
			return false;
	return true;
}

static bool v0_dyn(struct v0 *v)
{
	uint64_t ignored;

	return v0_binder(v) && v0_list(v, v0_trait) && v0_eat(v, 'L') && v0_number(v, &ignored);
}

static bool v0_type_of(struct v0 *v, char tag)
{
	uint64_t ignored;

	switch (tag) {
	case 'A':
		return v0_type(v) && v0_const(v);
	case 'R':
	case 'Q':
		return v0_optional_number(v, 'L', &ignored) && v0_type(v);
	case 'S':
	case 'P':
	case 'O':
		return v0_type(v);
	case 'T':
		return v0_list(v, v0_type);
	case 'F':
		return v0_function(v);
	case 'D':
		return v0_dyn(v);
	case 'B':
		return v0_reference(v, V0_TYPE | V0_PATH);
	default:
		v->at--;
		return v0_path(v);
	}
}

static bool v0_type(struct v0 *v)
{
	if (v->at == v->end || v->depth >= NAME_DEEPEST)
		return false;
	v->kinds[v->at - v->start] |= V0_TYPE;
	if (*v->at >= 'a' && *v->at <= 'z') {
		v->at++;
		return true;
	}
	v->depth++;
	bool is_good = v0_type_of(v, *v->at++);
	v->depth--;
	return is_good;
}

static bool v0_path_of(struct v0 *v, char tag)
{
	uint64_t ignored;

	switch (tag) {
	case 'C':
		return v0_identifier(v);
	case 'M':
		return v0_optional_number(v, 's', &ignored) && v0_path(v) && v0_type(v);
	case 'X':
		return v0_optional_number(v, 's', &ignored) && v0_path(v) && v0_type(v) && v0_path(v);
	case 'Y':
		return v0_type(v) && v0_path(v);
	case 'N':
		return v->at++ < v->end && v0_path(v) && v0_identifier(v);
	case 'I':
		return v0_path(v) && v0_list(v, v0_argument);
	case 'B':
		return v0_reference(v, V0_PATH);
	default:
		return false;
	}
}

static bool v0_path(struct v0 *v)
{
	if (v->at >= v->end || v->depth >= NAME_DEEPEST)
		return false;
	v->kinds[v->at - v->start] |= V0_PATH;
	v->depth++;
	bool is_good = v0_path_of(v, *v->at++);
	v->depth--;
	return is_good;
}

/* A punycode identifier is printed from a malloc'd copy, out of which must not be jumped: then the few references it
 * may have keep the length in bounds instead. */
static bool v0_check(const char *name, bool *may_leave_ret)
{
	enum { MOST_REFERENCES_WITH_PUNYCODE = 16 };
	const char *start = name + 2;
	const char *end = start + strcspn(start, ".");
	uint8_t *CLEANUP(mem_free_local) kinds = mem_zalloc((size_t)(end - start) + 1, 1);
	struct v0 v = {.start = start, .at = start, .end = end, .kinds = kinds};

	if (!v0_path(&v) || (v.at < v.end && !v0_path(&v)) || v.at != v.end)
		return false;
	*may_leave_ret = !v.has_punycode;
	return !v.has_punycode || v.n_references <= MOST_REFERENCES_WITH_PUNYCODE;
}

bool rust_is_name(const char *name)
{
	if (strncmp(name, "_R", 2) == 0)
		return true;
	return strncmp(name, "_ZN", 3) == 0 && strstr(name, "17h");
}

bool rust_add(const char *name, struct capped *text)
{
	bool may_leave = true;

	if (name[1] == 'R' && !v0_check(name, &may_leave))
		return false;
	if (!may_leave)
		return rust_demangle_callback(name, DMGL_RUST, capped_add_or_swallow, text) != 0 && text->n > 0;
	if (setjmp(text->full))
		return true;
	return rust_demangle_callback(name, DMGL_RUST, capped_add_or_leave, text) != 0 && text->n > 0;
}

/* Goes through a piece of memory within its bounds: the numbers and strings that DWARF is made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What would pass the end makes it bad, and gives 0 or ""; a bad one has nothing left. All here is inline, for line
 * programs are run by these. */
struct scan {
	const uint8_t *at, *end;
	bool is_big_endian, is_bad;
};

static inline size_t scan_left(const struct scan *in)
{
	return in->is_bad ? 0 : (size_t)(in->end - in->at);
}

static inline void scan_skip(struct scan *in, uint64_t n)
{
	if (n > scan_left(in))
		in->is_bad = true;
	else
		in->at += n;
}

/* A number of n bytes, at most 8, in the byte order of the file. */
static inline uint64_t scan_fixed(struct scan *in, unsigned n)
{
	uint64_t value = 0;

	if (n > scan_left(in) || n > sizeof value) {
		in->is_bad = true;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		value = value << 8 | in->at[in->is_big_endian ? i : n - 1 - i];
	in->at += n;
	return value;
}

/* A LEB128 number; bits behind the 64th are dropped. Most have one byte. */
static inline uint64_t scan_uleb(struct scan *in)
{
	uint64_t value = 0;

	if (scan_left(in) && *in->at < 0x80)
		return *in->at++;

	for (unsigned shift = 0; scan_left(in); shift += 7) {
		uint8_t byte = *in->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	in->is_bad = true;
	return 0;
}

static inline int64_t scan_sleb(struct scan *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; scan_left(in);) {
		uint8_t byte = *in->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && (byte & 0x40))
			value |= ~(uint64_t)0 << shift;
		return (int64_t)value;
	}
	in->is_bad = true;
	return 0;
}

/* Up to a NUL; lies where it was scanned. */
static inline const char *scan_string(struct scan *in)
{
	size_t n = scan_left(in);
	const uint8_t *nul = n ? memchr(in->at, '\0', n) : NULL;
	const char *string = (const char *)in->at;

	if (!nul) {
		in->is_bad = true;
		return "";
	}
	in->at = nul + 1;
	return string;
}

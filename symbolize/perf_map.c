#include "symbolize/perf_map.h"

#include "analyze/base/cursor.h"
#include "analyze/base/file.h"
#include "symbolize/demangle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start, size;
	struct span name;
};

struct ranges {
	enum demangle_style names;
	struct range *items;
	uint32_t n, cap;
	uint64_t n_bad, first_bad; /* lines */
};

/* ---- reading ---- */

static bool read_range(struct span line, struct range *ret)
{
	bool overflow = false;
	uint64_t end;

	if (!span_hex(&line, &ret->start, &overflow) || !span_char(&line, ' '))
		return false;
	span_blanks(&line);
	if (!span_hex(&line, &ret->size, &overflow) || !span_char(&line, ' '))
		return false;
	span_blanks(&line);
	ret->name = line;
	return !overflow && span_length(&line) && !__builtin_add_overflow(ret->start, ret->size, &end);
}

static void read_line(struct ranges *ranges, struct span line, uint64_t number)
{
	struct range range;

	if (!span_length(&line))
		return;
	if (read_range(line, &range)) {
		MEM_GROW(ranges->items, ranges->n, ranges->cap);
		ranges->items[ranges->n++] = range;
	} else if (!ranges->n_bad++) {
		ranges->first_bad = number;
	}
}

static struct err *read_ranges(struct ranges *ranges, struct cursor *in, struct diag *diag)
{
	struct span line;

	while (cursor_line(in, &line))
		read_line(ranges, line, in->line);
	if (ranges->n_bad && !ranges->n)
		return err_new("%s:%" PRIu64 ": expected a perf map, with lines of START SIZE NAME in hex", in->name,
		               ranges->first_bad);
	if (ranges->n_bad)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu64 ": expected START SIZE NAME in hex; %" PRIu64 " such line%s skipped", in->name,
		         ranges->first_bad, ranges->n_bad, ranges->n_bad == 1 ? " is" : "s are");
	return NULL;
}

/* ---- addresses ---- */

struct asked {
	uint64_t addr;
	uint32_t loc;
	uint32_t next; /* at or behind this one, the first that may still have no name; taken short cuts */
};

static bool lies_in_file(const struct profile *p, const struct location *loc)
{
	return loc->object.row && p->objects[loc->object.row].fate != OBJECT_SPECIAL && !loc->in_hole;
}

static int by_addr(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->loc < y->loc ? -1 : x->loc > y->loc;
}

/* Sorted, with one more at the end that is never named. */
static struct asked *collect(const struct profile *p, uint32_t *n_ret)
{
	struct asked *asked = mem_alloc(p->n_locs + 1, sizeof *asked);
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->n_locs; i++)
		if (!p->locs[i].n_lines && !lies_in_file(p, &p->locs[i]))
			asked[n++] = (struct asked){.addr = p->locs[i].addr, .loc = i};
	qsort(asked, n, sizeof *asked, by_addr);
	for (uint32_t i = 0; i <= n; i++)
		asked[i].next = i;
	*n_ret = n;
	return asked;
}

static uint32_t first_at(const struct asked *asked, uint32_t n, uint64_t addr)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (asked[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t next_nameless(struct asked *asked, uint32_t at)
{
	while (asked[at].next != at) {
		asked[at].next = asked[asked[at].next].next;
		at = asked[at].next;
	}
	return at;
}

/* ---- names ---- */

static struct line make_line(struct build *build, const struct ranges *ranges, const struct range *range)
{
	struct arena *arena = arena_new();
	const char *name = arena_strndup(arena, range->name.at, span_length(&range->name));
	struct function func = {.name = build_cstr(build, demangle_as(ranges->names, name, arena)),
	                        .system_name = build_cstr(build, name)};

	arena_free(arena);
	return (struct line){.func = build_func(build, &func)};
}

static void name_loc(struct build *build, loc_id loc, const struct line *line)
{
	if (build_profile(build)->locs[loc.row].in_hole)
		build_unplace(build, loc);
	build_lines(build, loc, line, 1);
}

/* Each address is named once, and then passed over: last lines come first, for they win. */
static void name_all(struct build *build, const struct ranges *ranges, struct asked *asked, uint32_t n)
{
	for (uint32_t i = ranges->n; i-- > 0;) {
		const struct range *range = &ranges->items[i];
		uint32_t at = next_nameless(asked, first_at(asked, n, range->start));
		struct line line = {0};

		for (; at < n && asked[at].addr - range->start < range->size; at = next_nameless(asked, at)) {
			if (!line.func.row)
				line = make_line(build, ranges, range);
			name_loc(build, (loc_id){asked[at].loc}, &line);
			asked[at].next = at + 1;
		}
	}
}

/* ---- all together ---- */

static bool is_text(const uint8_t *data, size_t size)
{
	return !memchr(data, '\0', size);
}

struct err *perf_map_name(struct build *build, const char *path, enum demangle_style style)
{
	struct ranges ranges = {.names = style};
	struct bytes bytes;
	struct cursor in;
	uint32_t n;
	struct err *err = file_read_known(path, is_text, &bytes);

	if (err)
		return err;
	cursor_init(&in, file_shown(path), bytes.data, bytes.size);
	err = read_ranges(&ranges, &in, build_notes(build));
	if (!err) {
		struct asked *asked = collect(build_profile(build), &n);

		name_all(build, &ranges, asked, n);
		free(asked);
	}
	free(ranges.items);
	bytes_free(&bytes);
	return err;
}

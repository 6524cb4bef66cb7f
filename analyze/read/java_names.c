#include "analyze/read/java_names.h"

#include "analyze/base/addrs.h"
#include "analyze/base/text.h"
#include "analyze/read/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a line is one of
 *   com.example.Query.run (Query.java:103)
 *   JVM_Sleep (/usr/lib/jvm/lib/server/libjvm.so)
 *   ... generated stub/JIT ...
 *   GC                                                  a state of the machine */

enum { LONGEST_NAME = 64 << 10 };

struct java_id {
	uint64_t id;
	loc_id loc;
	bool is_named;
};

struct java_names {
	struct addrs numbers; /* of ids */
	struct java_id *ids;  /* by number */
	uint32_t cap;
};

struct java_names *java_names_new(void)
{
	return mem_zalloc(1, sizeof(struct java_names));
}

void java_names_free(struct java_names *names)
{
	if (!names)
		return;
	addrs_free(&names->numbers);
	free(names->ids);
	free(names);
}

loc_id java_names_loc(struct java_names *names, struct build *build, uint64_t id)
{
	uint32_t n = names->numbers.n, number = addrs_number(&names->numbers, id);

	if (number == n) {
		MEM_GROW(names->ids, n, names->cap);
		/* The address stays 0: equal ids of two runs need not be equal places, equal names are. */
		names->ids[n] = (struct java_id){.id = id, .loc = build_placed_loc(build, 0, (map_id){0})};
	}
	return names->ids[number].loc;
}

struct place {
	struct span func, file;
	uint32_t line;
};

static struct span base_name(struct span path)
{
	const char *slash = memrchr(path.at, '/', span_length(&path));

	return (struct span){slash ? slash + 1 : path.at, path.end};
}

/* The last blank in front of a "(", of a text that ends in ")"; NULL: the text has no such part. */
static const char *find_parenthesis(struct span text)
{
	if (text.at == text.end || text.end[-1] != ')')
		return NULL;
	for (const char *at = text.end - 1; at > text.at + 1; at--)
		if (at[-1] == '(' && (at[-2] == ' ' || at[-2] == '\t'))
			return at - 2;
	return NULL;
}

static struct place parse_place(struct span text)
{
	static const char stub[] = "generated stub/JIT", stub_name[] = "STUB";
	const char *blank = find_parenthesis(text);
	struct place place = {.func = text, .file = {text.end, text.end}};

	if (blank) {
		struct span inner = {blank + 2, text.end - 1};

		if (!names_split_place(inner, &place.file, &place.line))
			place.file = base_name(inner);
		place.func.end = blank;
		span_trim_end(&place.func);
	} else if (memmem(text.at, span_length(&text), stub, sizeof stub - 1)) {
		place.func = (struct span){stub_name, stub_name + sizeof stub_name - 1};
	}
	return place;
}

static void set_name(struct build *build, struct java_id *id, const struct place *place)
{
	str_id name = build_str(build, place->func.at, span_length(&place->func));
	str_id file = build_str(build, place->file.at, span_length(&place->file));
	func_id func = build_func(build, &(struct function){.name = name, .system_name = name, .file = file});

	build_lines(build, id->loc, &(struct line){.func = func, .line = place->line}, 1);
	id->is_named = true;
}

/* A name ends at a NUL, and so do all strings of a profile; and it has an end. */
static struct span bound(struct span text)
{
	size_t length = strnlen(text.at, span_length(&text));

	return (struct span){text.at, text.at + text_cut_bytes(text.at, length, LONGEST_NAME)};
}

static void take_line(struct java_names *names, struct build *build, struct span line)
{
	bool overflow = false;
	uint64_t id;

	if (!span_starts(&line, "0x") || !span_hex(&line, &id, &overflow) || overflow)
		return;
	const char *end = line.at;
	span_blanks(&line);
	struct span text = bound(line);
	uint32_t number = addrs_find(&names->numbers, id);
	if (line.at == end || number == ADDRS_NONE || names->ids[number].is_named)
		return;
	struct place place = parse_place(text);
	if (place.func.at != place.func.end)
		set_name(build, &names->ids[number], &place);
}

/* What has no name is shown by its number, as an address without one would be. */
static void name_the_rest(struct java_names *names, const struct cursor *in, struct build *build)
{
	uint32_t n_nameless = 0;
	uint64_t first = 0;

	for (uint32_t i = 0; i < names->numbers.n; i++) {
		char text[32];

		if (names->ids[i].is_named)
			continue;
		if (!n_nameless++)
			first = names->ids[i].id;
		snprintf(text, sizeof text, "0x%016" PRIx64, names->ids[i].id);
		set_name(build, &names->ids[i], &(struct place){.func = {text, text + strlen(text)}, .file = {text, text}});
	}
	if (n_nameless)
		diag_add(build_notes(build), NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s:%" PRIu64 ": expected a line \"0x%" PRIx64 " NAME\"; %" PRIu32 " of %" PRIu32 " ids have no name",
		         in->name, in->line, first, n_nameless, names->numbers.n);
}

void java_names_read(struct java_names *names, struct cursor *in, struct build *build)
{
	struct span line;

	while (cursor_line(in, &line)) {
		take_line(names, build, line);
		if (cursor_line_is_cut(in))
			diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
			         "%s:%" PRIu64 ": the names are cut by the end of the file", in->name, in->line);
	}
	name_the_rest(names, in, build);
	build_fold(build);
}

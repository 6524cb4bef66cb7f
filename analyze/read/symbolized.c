#include "analyze/base/text.h"
#include "analyze/read/losses.h"
#include "analyze/read/names.h"
#include "analyze/read/read.h"
#include "analyze/read/readable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What google-pprof --raw writes, and servers that know their own names:
 *   --- symbol
 *   binary=/srv/bin/server
 *   0x0000000000401226 outer(int)--inlined(int)<0000000000401200>
 *   ---
 *   --- profile                      or heap, growth, contention
 * and a profile of another format: a CPU profile at the very next byte, or text. */

enum { LONGEST_NAME = 64 << 10, LONGEST_PATH = 4096, MOST_LEVELS = 1024, MOST_MARKERS = 8 };

struct symbolized {
	struct cursor *in;
	struct build *build;
	struct names *names;
	struct row_trouble bad;
};

static bool probe(struct span head)
{
	return span_starts(&head, "--- symbol");
}

/* ---- names ---- */

/* "operator--" is a name; all other "--" separate two. */
static bool is_decrement(struct span names, const char *dashes)
{
	static const char word[] = "operator";
	struct span before = {names.at, dashes};

	if (!span_ends(&before, word))
		return false;
	before.end -= sizeof word - 1;
	return before.at == before.end || !span_is_name_char(before.end[-1]);
}

/* The last of several names, which is the innermost; it is taken off. */
static struct span take_last_name(struct span *names)
{
	for (const char *at = names->end - 1; at - 1 >= names->at; at--) {
		if (at[-1] != '-' || *at != '-' || is_decrement(*names, at - 1))
			continue;
		struct span name = {at + 1, names->end};
		names->end = at - 1;
		return name;
	}
	struct span name = *names;
	names->end = names->at;
	return name;
}

/* "f(int)<0000000000401226>": where the symbol begins, in 8 or 16 digits. */
static struct span without_address(struct span name)
{
	const char *open = memrchr(name.at, '<', span_length(&name));

	if (!open || open == name.at || name.end[-1] != '>' || name.end - open < 10 ||
	    !span_is_hex(&(struct span){open + 1, name.end - 1}))
		return name;
	return (struct span){name.at, open};
}

/* What a writer without a name puts in its place. */
static bool is_no_name(struct span name)
{
	return name.at == name.end || span_is(&name, "??") || (span_word(&name, "0x") && span_is_hex(&name));
}

static void add_name(struct symbolized *s, uint64_t addr, struct span name)
{
	span_blanks(&name);
	span_trim_end(&name);
	name = without_address(name);
	if (is_no_name(name))
		return;
	name.end = name.at + text_cut_bytes(name.at, span_length(&name), LONGEST_NAME);
	char *CLEANUP(mem_free_local) text = mem_alloc(span_length(&name) + 1, 1);
	readable_short(name, text);
	names_add(s->names, addr, build_cstr(s->build, text), build_str(s->build, name.at, span_length(&name)));
}

static void add_names(struct symbolized *s, uint64_t addr, struct span names)
{
	if (names_know(s->names, addr))
		return;
	for (int i = 0; i < MOST_LEVELS && names.at < names.end; i++)
		add_name(s, addr, take_last_name(&names));
}

/* ---- the table ---- */

/* "0x401226 NAMES". False: the line is something else. */
static bool take_symbol(struct symbolized *s, struct span line)
{
	bool overflow = false;
	uint64_t addr;

	if (!span_hex(&line, &addr, &overflow) || overflow || line.at == line.end || (*line.at != ' ' && *line.at != '\t'))
		return false;
	span_blanks(&line);
	if (line.at == line.end || *line.at == '=')
		return false;
	add_names(s, addr, line);
	return true;
}

/* "binary=/srv/bin/server", and what else other writers may say. */
static bool take_variable(struct symbolized *s, struct span line)
{
	struct span value = line;

	if (span_word(&value, "binary="))
		diag_add(build_notes(s->build), NOTE_DETAIL, NOTE_PLAIN, "%s:%" PRIu64 ": the names are those of %.*s",
		         s->in->name, s->in->line, (int)text_cut_bytes(value.at, span_length(&value), LONGEST_PATH), value.at);
	while (line.at < line.end && span_is_name_char(*line.at))
		line.at++;
	span_blanks(&line);
	return span_char(&line, '=');
}

static void take_line(struct symbolized *s, struct span line)
{
	if (line.at < line.end && !take_symbol(s, line) && !take_variable(s, line))
		row_trouble_add(&s->bad, s->in, "expected \"0xADDRESS NAME\"");
}

static void note_bad_lines(struct symbolized *s)
{
	char which[TROUBLE_TEXT];

	if (s->bad.n)
		diag_add(build_notes(s->build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped", s->in->name,
		         s->bad.line, s->bad.what, row_trouble_which(&s->bad, "line", which));
}

/* The heap readers' first lines; a table may lack its end. */
static bool ends_table(struct span line)
{
	return span_starts(&line, "---") || span_starts(&line, "heap profile:") || span_starts(&line, "heap_v2/");
}

/* Up to the line that ends the table, which stays. */
static void read_table(struct symbolized *s)
{
	struct cursor before = *s->in;
	struct span line;

	while (cursor_line(s->in, &line) && !ends_table(line)) {
		take_line(s, line);
		before = *s->in;
	}
	*s->in = before;
	note_bad_lines(s);
}

/* "---" and "--- heap" only say what follows; "--- contention" is part of it. */
static void skip_markers(struct symbolized *s)
{
	struct cursor before = *s->in;
	struct span line;

	for (int i = 0; i < MOST_MARKERS && !profile_find_reader((struct span){s->in->at, s->in->end}); i++) {
		if (!cursor_line(s->in, &line) || (line.at < line.end && !span_starts(&line, "---"))) {
			*s->in = before;
			return;
		}
		before = *s->in;
	}
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct symbolized s = {.in = in, .build = build, .names = names_new()};
	struct span line;

	cursor_line(in, &line);
	read_table(&s);
	skip_markers(&s);
	struct err *err = profile_read_body(in, opts, build);
	if (!err)
		names_apply(s.names, build);
	names_free(s.names);
	return err;
}

const struct reader reader_symbolized = {
	.name = "symbolized",
	.help = "a profile with the names of its addresses in front, as google-pprof --raw writes it",
	.probe = probe,
	.ends_anywhere = true,
	.is_mapless = true,
	.read = read,
};

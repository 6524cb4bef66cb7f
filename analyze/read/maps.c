#include "analyze/read/maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "start-end perms offset major:minor inode   path" */
struct row {
	uint64_t start, limit, offset, inode;
	bool executable, deleted;
	struct span path;
};

bool maps_begin(const struct span *line)
{
	return span_starts(line, "MAPPED_LIBRARIES:") || span_starts(line, "--- Memory map:");
}

static struct span take_word(struct span *line)
{
	struct span word = {line->at, line->at};

	while (word.end < line->end && *word.end != ' ' && *word.end != '\t')
		word.end++;
	line->at = word.end;
	span_blanks(line);
	return word;
}

static bool parse_perms(struct span perms, struct row *row)
{
	if (span_length(&perms) != 4 || (perms.at[0] != 'r' && perms.at[0] != '-'))
		return false;
	row->executable = perms.at[2] == 'x';
	return true;
}

/* The path is the rest of the line, blanks and all; the kernel adds " (deleted)" when the file is gone. */
static void parse_path(struct span rest, struct row *row)
{
	static const char deleted[] = " (deleted)";
	size_t length = sizeof deleted - 1;

	row->deleted = span_length(&rest) > length && memcmp(rest.end - length, deleted, length) == 0;
	if (row->deleted)
		rest.end -= length;
	row->path = rest;
}

static bool parse_row(struct span line, struct row *row)
{
	bool overflow = false;
	int64_t inode = 0;

	if (!span_hex(&line, &row->start, &overflow) || !span_char(&line, '-') || !span_hex(&line, &row->limit, &overflow))
		return false;
	span_blanks(&line);
	if (!parse_perms(take_word(&line), row) || !span_hex(&line, &row->offset, &overflow))
		return false;
	span_blanks(&line);
	take_word(&line); /* the device */
	if (!span_int64(&line, &inode, &overflow) || overflow || row->limit <= row->start)
		return false;
	row->inode = (uint64_t)inode;
	span_blanks(&line);
	parse_path(line, row);
	return true;
}

/* The kernel writes a newline in a path as \012; the other characters stand for themselves. */
static str_id decode_path(struct build *build, struct span path)
{
	char CLEANUP(mem_free_local) *text = mem_strndup(path.at, span_length(&path));
	char *to = text;

	for (const char *at = path.at; at < path.end; to++) {
		if (path.end - at >= 4 && memcmp(at, "\\012", 4) == 0) {
			*to = '\n';
			at += 4;
		} else {
			*to = *at++;
		}
	}
	return build_str(build, text, (size_t)(to - text));
}

static object_id object_of(struct build *build, const struct row *row)
{
	/* Huge pages are the text of a neighbour, which the next row of its file places. */
	if (row->path.at == row->path.end || span_starts(&row->path, "/anon_hugepage"))
		return (object_id){0};
	object_id object = build_object(build, decode_path(build, row->path), (str_id){0});

	build_object_facts(build, object, row->deleted, row->inode);
	if (*row->path.at == '[')
		build_object_fate(build, object, OBJECT_SPECIAL, (str_id){0});
	return object;
}

/* Where each object's first byte lies: from there a link-time address can be guessed without the file. */
struct bases {
	uint64_t *at;
	uint32_t n;
};

static void note_base(struct bases *bases, object_id object, const struct row *row)
{
	while (bases->n <= object.row) {
		bases->at = mem_realloc(bases->at, bases->n + 1, sizeof *bases->at);
		bases->at[bases->n++] = UINT64_MAX;
	}
	if (row->offset == 0 && row->start < bases->at[object.row])
		bases->at[object.row] = row->start;
}

/* Adjoining pieces of one file are one mapping. */
static bool extends(const struct mapping *last, const struct mapping *next)
{
	return last->object.row == next->object.row && last->limit == next->start &&
	       last->offset + (last->limit - last->start) == next->offset;
}

void maps_read(struct cursor *in, struct build *build)
{
	struct mapping last = {0};
	struct bases bases = {0};
	struct span line;

	build_maps_begin(build);
	while (cursor_line(in, &line)) {
		struct row row;

		if (cursor_line_is_cut(in))
			diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
			         "%s:%" PRIu64 ": the map is cut by the end of the file; objects behind it have no names", in->name,
			         in->line);
		if (span_starts(&line, "heap profile:")) {
			diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
			         "%s:%" PRIu64 ": another profile begins here; only the first one of a file is read", in->name,
			         in->line);
			break;
		}
		if (!parse_row(line, &row))
			continue;
		object_id object = object_of(build, &row);
		note_base(&bases, object, &row);
		if (!object.row || !row.executable)
			continue;
		struct mapping next = {row.start, row.limit, row.offset, object, (uint32_t)in->line};
		if (last.object.row && extends(&last, &next)) {
			last.limit = next.limit;
			continue;
		}
		if (last.object.row)
			build_map(build, &last);
		last = next;
	}
	if (last.object.row)
		build_map(build, &last);
	note_base(&bases, (object_id){build_profile(build)->n_objects}, &(struct row){.offset = 1});
	build_assign_maps(build, bases.at);
	free(bases.at);
}

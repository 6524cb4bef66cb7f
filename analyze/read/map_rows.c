#include "analyze/read/map_rows.h"

#include <string.h>

/* A hexadecimal word at the end of a path is a build id from this length on, unless an offset stands before it. */
enum { SHORTEST_BUILD_ID = 16 };

/* ---- words ---- */

static struct span take_word(struct span *line)
{
	struct span word = {line->at, line->at};

	while (word.end < line->end && !span_is_blank(*word.end))
		word.end++;
	line->at = word.end;
	span_blanks(line);
	return word;
}

static struct span cut_last_word(struct span *line)
{
	struct span word = {line->end, line->end};

	while (word.at > line->at && !span_is_blank(word.at[-1]))
		word.at--;
	line->end = word.at;
	span_trim_end(line);
	return word;
}

static bool take_hex_word(struct span *line, uint64_t *ret)
{
	struct span word = take_word(line);
	bool overflow = false;

	return span_hex(&word, ret, &overflow) && !overflow && word.at == word.end;
}

/* "r-xp", FreeBSD's "r-x", macOS's "r-x/rwx", of which the second part is what might be. */
static bool take_perms(struct span *line, struct map_fields *row)
{
	struct span rest = *line, word = take_word(&rest);
	const char *slash = memchr(word.at, '/', span_length(&word));
	const char *end = slash ? slash : word.end;

	if (end - word.at != 3 && end - word.at != 4)
		return false;
	for (const char *at = word.at; at < end; at++)
		if (!strchr("-rwxps", *at) || !*at)
			return false;
	row->executable = memchr(word.at, 'x', (size_t)(end - word.at));
	*line = rest;
	return true;
}

/* "start-end", or blanks between the two. */
static bool take_range(struct span *line, struct map_fields *row)
{
	bool overflow = false;

	if (!span_hex(line, &row->start, &overflow))
		return false;
	span_blanks(line);
	span_char(line, '-');
	span_blanks(line);
	return span_hex(line, &row->limit, &overflow) && !overflow && row->start < row->limit;
}

static bool is_build_id(const struct span *word)
{
	return span_length(word) % 2 == 0 && span_length(word) <= LONGEST_BUILD_ID && span_is_hex(word);
}

/* The path is the rest of the line, blanks and all; the kernel adds " (deleted)" when the file is gone. */
static void set_path(struct map_fields *row, struct span path)
{
	static const char deleted[] = " (deleted)";

	row->deleted = span_ends(&path, deleted);
	if (row->deleted)
		path.end -= sizeof deleted - 1;
	row->path = path;
}

/* ---- what stands behind the range ---- */

/* Linux, and gperftools on every system: "perms offset major:minor inode   path". */
static bool parse_proc(struct span rest, struct map_fields *row)
{
	bool overflow = false;
	int64_t inode;

	span_blanks(&rest);
	if (!take_perms(&rest, row) || !take_hex_word(&rest, &row->offset))
		return false;
	struct span device = take_word(&rest), number = take_word(&rest);
	if (!memchr(device.at, ':', span_length(&device)) || !span_int64(&number, &inode, &overflow) ||
	    number.at < number.end)
		return false;
	row->inode = overflow ? 0 : (uint64_t)inode;
	set_path(row, rest);
	return true;
}

/* Newer FreeBSD ends its rows with "CH uid" or "NCH -1": whether there is a credential, and whose. */
static struct span without_credential(struct span path)
{
	struct span rest = path;

	cut_last_word(&rest);
	struct span word = cut_last_word(&rest);
	return span_is(&word, "CH") || span_is(&word, "NCH") ? rest : path;
}

/* FreeBSD's procfs: "resident private object perms references shadows flags COW NC type path", NCOW and NNC being the
 * contrary. It tells no offsets. */
static bool parse_freebsd(struct span rest, struct map_fields *row)
{
	span_blanks(&rest);
	for (int i = 0; i < 3; i++)
		take_word(&rest);
	if (!take_perms(&rest, row))
		return false;
	for (int i = 0; i < 3; i++)
		take_word(&rest);
	struct span cow = take_word(&rest), copy = take_word(&rest), type = take_word(&rest);
	if ((!span_is(&cow, "COW") && !span_is(&cow, "NCOW")) || (!span_is(&copy, "NC") && !span_is(&copy, "NNC")))
		return false;
	rest = without_credential(rest);
	if (!span_is(&type, "vnode") || span_is(&rest, "-"))
		rest.at = rest.end;
	set_path(row, rest);
	row->lacks_offset = true;
	return true;
}

static bool parse_at_offset(struct span word, struct map_fields *row)
{
	bool overflow = false;

	return span_word(&word, "(@") && span_hex(&word, &row->offset, &overflow) && !overflow && span_char(&word, ')') &&
	       word.at == word.end;
}

/* "path", "path (@offset)", "path (@offset) buildid", "path buildid". */
static void parse_path_and_id(struct span rest, struct map_fields *row)
{
	struct span before = rest, last = cut_last_word(&before);
	struct span farther = before, mark = cut_last_word(&farther);

	if (parse_at_offset(last, row)) {
		rest = before;
	} else if (parse_at_offset(mark, row)) {
		rest = farther;
		if (is_build_id(&last))
			row->build_id = last;
	} else if (before.at < before.end && span_length(&last) >= SHORTEST_BUILD_ID && is_build_id(&last)) {
		rest = before;
		row->build_id = last;
	}
	set_path(row, rest);
}

/* Google's own: ": path" for executable rows of offset 0, and the brief " perms path (@offset) buildid", of which only
 * the path has to be there. Without the colon it must look like one: this is no place for prose. */
static bool parse_brief(struct span rest, struct map_fields *row)
{
	bool has_colon = span_char(&rest, ':');

	if (rest.at == rest.end || !span_is_blank(*rest.at))
		return false;
	span_blanks(&rest);
	if (!take_perms(&rest, row))
		row->executable = true;
	if (rest.at == rest.end || (!has_colon && !strchr("/$[", *rest.at)))
		return false;
	parse_path_and_id(rest, row);
	return row->path.at < row->path.end;
}

/* The text rows of macOS' vmmap: "__TEXT start-end [sizes] perms SM=mode path". The other rows are data. */
static bool parse_vmmap(struct span line, struct map_fields *row)
{
	if (!span_word(&line, "__TEXT") || line.at == line.end || !span_is_blank(*line.at))
		return false;
	span_blanks(&line);
	if (!take_range(&line, row))
		return false;
	span_blanks(&line);
	const char *end = memchr(line.at, ']', span_length(&line));
	if (!span_char(&line, '[') || !end)
		return false;
	line.at = end + 1;
	span_blanks(&line);
	if (!take_perms(&line, row))
		return false;
	struct span mode = take_word(&line);
	set_path(row, line);
	row->lacks_offset = true;
	return span_starts(&mode, "SM=") && line.at < line.end;
}

static bool parse_bare(struct span line, struct map_fields *ret)
{
	static bool (*const shapes[])(struct span, struct map_fields *) = {parse_proc, parse_freebsd, parse_brief};
	struct map_fields range = {0};

	*ret = (struct map_fields){0};
	if (!take_range(&line, &range))
		return parse_vmmap(line, ret);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		*ret = range;
		if (shapes[i](line, ret))
			return true;
	}
	return false;
}

struct span map_row_without_log(struct span line)
{
	const char *at = line.at;

	while (at < line.end && *at != '[' && *at != ']')
		at++;
	if (line.end - at < 2 || *at != ']' || !span_is_blank(at[1]))
		return line;
	const char *digits = at;
	while (digits > line.at && span_is_digit(digits[-1]))
		digits--;
	if (digits == at || digits - line.at < 2 || digits[-1] != ':')
		return line;
	struct span rest = {at + 1, line.end};
	span_blanks(&rest);
	return rest;
}

bool map_row_parse(struct span line, struct map_fields *ret)
{
	return parse_bare(line, ret) || parse_bare(map_row_without_log(line), ret);
}

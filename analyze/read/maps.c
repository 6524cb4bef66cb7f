#include "analyze/read/maps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A map has one or two variables. These bound the time and the text that a hostile one can make of them. */
enum { MOST_VARIABLES = 64, LONGEST_NAME = 64, MOST_EXPANDED = 16 << 20 };
/* A hexadecimal word at the end of a path is a build id from this length on, unless an offset stands before it. */
enum { SHORTEST_BUILD_ID = 16, LONGEST_BUILD_ID = 128 };

struct row {
	uint64_t start, limit, offset, inode;
	bool executable, deleted, lacks_offset;
	struct span path, build_id;
};

struct variable {
	struct span name, value;
};

struct map {
	struct build *build;
	struct map_row *rows;
	uint32_t n_rows, cap_rows;
	struct variable variables[MOST_VARIABLES];
	uint32_t n_variables, n_expanded;
	char *text; /* of the path that is resolved at the moment */
	uint32_t n_text, cap_text;
};

bool maps_begin(const struct span *line)
{
	return span_starts(line, "MAPPED_LIBRARIES:") || span_starts(line, "--- Memory map:");
}

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
static bool take_perms(struct span *line, struct row *row)
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
static bool take_range(struct span *line, struct row *row)
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
	struct span rest = *word;
	bool overflow = false;
	uint64_t number;

	return span_length(word) % 2 == 0 && span_length(word) <= LONGEST_BUILD_ID && !span_starts(word, "0x") &&
	       !span_starts(word, "0X") && span_hex(&rest, &number, &overflow) && rest.at == rest.end;
}

/* The path is the rest of the line, blanks and all; the kernel adds " (deleted)" when the file is gone. */
static void set_path(struct row *row, struct span path)
{
	static const char deleted[] = " (deleted)";

	row->deleted = span_ends(&path, deleted);
	if (row->deleted)
		path.end -= sizeof deleted - 1;
	row->path = path;
}

/* ---- what stands behind the range ---- */

/* Linux, and gperftools on every system: "perms offset major:minor inode   path". */
static bool parse_proc(struct span rest, struct row *row)
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
static bool parse_freebsd(struct span rest, struct row *row)
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

static bool parse_at_offset(struct span word, struct row *row)
{
	bool overflow = false;

	return span_word(&word, "(@") && span_hex(&word, &row->offset, &overflow) && !overflow && span_char(&word, ')') &&
	       word.at == word.end;
}

/* "path", "path (@offset)", "path (@offset) buildid", "path buildid". */
static void parse_path_and_id(struct span rest, struct row *row)
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
static bool parse_brief(struct span rest, struct row *row)
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
static bool parse_vmmap(struct span line, struct row *row)
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

static bool parse_row(struct span line, struct row *ret)
{
	static bool (*const shapes[])(struct span, struct row *) = {parse_proc, parse_freebsd, parse_brief};
	struct row range = {0};

	*ret = (struct row){0};
	if (!take_range(&line, &range))
		return parse_vmmap(line, ret);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		*ret = range;
		if (shapes[i](line, ret))
			return true;
	}
	return false;
}

/* A map that was written to a log has "I0131 10:20:30.123456 789 file.cc:12] " before each row. */
static struct span without_log_prefix(struct span line)
{
	const char *at = line.at;

	while (at < line.end && *at != '[' && *at != ']')
		at++;
	if (line.end - at < 2 || *at != ']' || !span_is_blank(at[1]))
		return line;
	const char *digits = at;
	while (digits > line.at && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == at || digits - line.at < 2 || digits[-1] != ':')
		return line;
	struct span rest = {at + 1, line.end};
	span_blanks(&rest);
	return rest;
}

bool maps_is_row(struct span line)
{
	struct row row;

	span_blanks(&line);
	return parse_row(line, &row) || parse_row(without_log_prefix(line), &row);
}

/* ---- variables and escapes ---- */

static void set_variable(struct map *map, struct span name, struct span value)
{
	uint32_t i = 0;

	while (i < map->n_variables && !span_equal(&map->variables[i].name, &name))
		i++;
	if (i == MOST_VARIABLES)
		return;
	map->variables[i] = (struct variable){name, value};
	if (i == map->n_variables)
		map->n_variables++;
}

/* "build=/srv/app" makes of "$build/x.so" in the rows that follow "/srv/app/x.so". */
static void define(struct map *map, struct span line)
{
	const char *equals = memchr(line.at, '=', span_length(&line));

	if (!equals)
		return;
	struct span name = {line.at, equals}, value = {equals + 1, line.end};
	span_trim_end(&name);
	span_blanks(&value);
	if (name.at < name.end && span_length(&name) <= LONGEST_NAME)
		set_variable(map, name, value);
}

/* The variable that the text behind a $ begins with; of several the one with the longest name. */
static const struct variable *find_variable(const struct map *map, struct span text)
{
	const struct variable *found = NULL;

	for (uint32_t i = 0; i < map->n_variables; i++) {
		const struct variable *variable = &map->variables[i];
		size_t length = span_length(&variable->name);

		if (length <= span_length(&text) && memcmp(variable->name.at, text.at, length) == 0 &&
		    (!found || length > span_length(&found->name)))
			found = variable;
	}
	return found;
}

static void append(struct map *map, char c)
{
	MEM_GROW(map->text, map->n_text, map->cap_text);
	map->text[map->n_text++] = c;
}

static bool append_variable(struct map *map, struct span *path)
{
	struct span rest = *path;
	const struct variable *variable = span_char(&rest, '$') ? find_variable(map, rest) : NULL;

	if (!variable || span_length(&variable->value) > MOST_EXPANDED - map->n_expanded)
		return false;
	map->n_expanded += (uint32_t)span_length(&variable->value);
	for (const char *at = variable->value.at; at < variable->value.end; at++)
		append(map, *at);
	path->at = rest.at + span_length(&variable->name);
	return true;
}

/* The kernel writes a newline in a path as \012; other control characters and blanks are read likewise. */
static bool append_escaped(struct map *map, struct span *path)
{
	int c = 0;

	if (path->end - path->at < 4 || *path->at != '\\')
		return false;
	for (int i = 1; i < 4; i++) {
		if (path->at[i] < '0' || path->at[i] > '7')
			return false;
		c = c * 8 + (path->at[i] - '0');
	}
	if (!c || c > ' ')
		return false;
	append(map, (char)c);
	path->at += 4;
	return true;
}

static str_id resolve_path(struct map *map, struct span path)
{
	if (!memchr(path.at, '$', span_length(&path)) && !memchr(path.at, '\\', span_length(&path)))
		return build_str(map->build, path.at, span_length(&path));
	map->n_text = 0;
	while (path.at < path.end)
		if (!append_variable(map, &path) && !append_escaped(map, &path))
			append(map, *path.at++);
	return build_str(map->build, map->n_text ? map->text : "", map->n_text);
}

/* ---- what a path says of its row ---- */

/* Memory that has a name, and yet none of its own: huge pages, shared memory. */
static bool is_nameless(const struct row *row)
{
	const struct span *path = &row->path;

	return path->at == path->end || span_starts(path, "/anon_hugepage") || span_is(path, "//anon") ||
	       (row->deleted && (span_is(path, "/dev/zero") || span_starts(path, "/SYSV")));
}

static bool is_named_memory(const struct span *path)
{
	return span_starts(path, "/memfd:") || span_starts(path, "[anon:") || span_starts(path, "[anon_shmem:");
}

/* What the kernel or a loader puts there: there is no file to look for. */
static bool is_special(const struct span *path)
{
	struct span base = *path;

	for (const char *slash; (slash = memchr(base.at, '/', span_length(&base)));)
		base.at = slash + 1;
	return is_named_memory(path) || span_starts(path, "[") || span_starts(path, "anon_inode:") ||
	       span_starts(&base, "linux-vdso") || span_starts(&base, "linux-gate");
}

static str_id build_id_of(struct build *build, const struct span *word)
{
	char text[LONGEST_BUILD_ID];
	size_t length = span_length(word);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(word->at[i] | 0x20); /* hex digits: 0 to 9 have this bit already */
	return build_str(build, text, length);
}

static object_id object_of(struct map *map, const struct row *row)
{
	bool special = is_special(&row->path);

	if (is_nameless(row) || (special && !row->executable))
		return (object_id){0};
	str_id file = resolve_path(map, row->path);
	if (!file.row)
		return (object_id){0};
	str_id build_id = span_length(&row->build_id) ? build_id_of(map->build, &row->build_id) : (str_id){0};
	object_id object = build_object(map->build, file, build_id);
	build_object_facts(map->build, object, row->deleted, row->inode);
	if (special)
		build_object_fate(map->build, object, OBJECT_SPECIAL, (str_id){0});
	return object;
}

static void add_row(struct map *map, const struct row *row, uint64_t line)
{
	object_id object = object_of(map, row);

	if (!object.row && !row->executable)
		return;
	MEM_GROW(map->rows, map->n_rows, map->cap_rows);
	map->rows[map->n_rows++] = (struct map_row){
		.mapping = {row->start, row->limit, row->offset, object, (uint32_t)line},
		.executable = row->executable,
		.lacks_file = !object.row || is_named_memory(&row->path),
		.lacks_offset = row->lacks_offset,
	};
}

/* ---- the section ---- */

static void read_line(struct map *map, struct span line, uint64_t number)
{
	struct row row;
	struct span rest = without_log_prefix(line);

	if (parse_row(line, &row) || parse_row(rest, &row))
		add_row(map, &row, number);
	else
		define(map, rest);
}

static void note_end(const struct cursor *in, struct build *build, const char *what)
{
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s", in->name, in->line, what);
}

void maps_read(struct cursor *in, struct build *build)
{
	struct map map = {.build = build};
	struct span line;

	build_maps_begin(build);
	while (cursor_line(in, &line)) {
		if (cursor_line_is_cut(in) && line.at < line.end)
			note_end(in, build, "the map is cut by the end of the file; objects behind it have no names");
		if (span_starts(&line, "heap profile:")) {
			note_end(in, build, "another profile begins here; only the first one of a file is read");
			break;
		}
		read_line(&map, line, in->line);
	}
	build_assign_maps(build, map.rows, map.n_rows);
	free(map.rows);
	free(map.text);
}

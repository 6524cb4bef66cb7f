#include "analyze/read/maps.h"

#include "analyze/read/losses.h"
#include "analyze/read/map_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A map has one or two variables. These bound the time and the text that a hostile one can make of them. */
enum { MOST_VARIABLES = 64, LONGEST_NAME = 64, MOST_EXPANDED = 16 << 20 };

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

bool maps_is_row(struct span line)
{
	struct map_fields row;

	span_blanks(&line);
	return map_row_parse(line, &row);
}

bool maps_begin(const struct span *line)
{
	return span_starts(line, "MAPPED_LIBRARIES:") || span_starts(line, "--- Memory map:");
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
static bool is_nameless(const struct map_fields *row)
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

str_id maps_build_id(struct build *build, struct span text)
{
	char lower[LONGEST_BUILD_ID];
	size_t length = span_length(&text);

	if (length > LONGEST_BUILD_ID || !span_is_hex(&text))
		return build_str(build, text.at, length);
	for (size_t i = 0; i < length; i++)
		lower[i] = (char)(text.at[i] | 0x20); /* hex digits: 0 to 9 have this bit already */
	return build_str(build, lower, length);
}

static object_id object_of(struct map *map, const struct map_fields *row)
{
	bool special = is_special(&row->path);

	if (is_nameless(row) || (special && !row->executable))
		return (object_id){0};
	str_id file = resolve_path(map, row->path);
	if (!file.row)
		return (object_id){0};
	object_id object = build_object(map->build, file, maps_build_id(map->build, row->build_id));
	build_object_facts(map->build, object, row->deleted, row->inode);
	if (special)
		build_object_fate(map->build, object, OBJECT_SPECIAL, (str_id){0});
	return object;
}

static void add_row(struct map *map, const struct map_fields *row, uint64_t line)
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
	struct map_fields row;

	if (map_row_parse(line, &row))
		add_row(map, &row, number);
	else
		define(map, map_row_without_log(line));
}

static void note_cut(const struct cursor *in, struct build *build)
{
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
	         "%s:%" PRIu64 ": the map is cut by the end of the file; objects behind it have no names", in->name,
	         in->line);
}

void maps_read(struct cursor *in, struct build *build)
{
	struct map map = {.build = build};
	struct span line;

	build_maps_begin(build);
	while (cursor_line(in, &line)) {
		if (cursor_line_is_cut(in) && line.at < line.end)
			note_cut(in, build);
		if (span_starts(&line, "heap profile:")) {
			losses_note_next_profile(in, build);
			break;
		}
		read_line(&map, line, in->line);
	}
	build_assign_maps(build, map.rows, map.n_rows);
	free(map.rows);
	free(map.text);
}

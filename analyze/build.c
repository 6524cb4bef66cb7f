#include "analyze/build_private.h"

#include "analyze/base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What stands in row 0 of a column: the "none" that ids point at. */
static void push_row_0(struct build *build)
{
	struct profile *p = build->p;

	build_str(build, "", 0);
	MEM_GROW(p->objects, p->n_objects, build->caps.objects);
	p->objects[p->n_objects++] = (struct object){0};
	MEM_GROW(p->maps, p->n_maps, build->caps.maps);
	p->maps[p->n_maps++] = (struct mapping){0};
	MEM_GROW(p->locs, p->n_locs, build->caps.locs);
	p->locs[p->n_locs++] = (struct location){0};
	MEM_GROW(p->funcs, p->n_funcs, build->caps.funcs);
	p->funcs[p->n_funcs++] = (struct function){0};
	/* No row, but a column: the empty span of a location without lines points at it. */
	MEM_GROW(p->lines, p->n_lines, build->caps.lines);
	build_stack(build, NULL, 0);
	build_labels(build, NULL, 0);
}

struct build *build_new(void)
{
	struct build *build = mem_zalloc(1, sizeof *build);

	build->p = mem_zalloc(1, sizeof *build->p);
	build->p->arena = arena_new();
	build->p->n_sets = 1;
	push_row_0(build);
	return build;
}

static void free_indexes(struct build *build)
{
	index_free(&build->str_index);
	index_free(&build->object_index);
	index_free(&build->file_index);
	index_free(&build->func_index);
	index_free(&build->stack_index);
	addrs_free(&build->addrs);
	free(build->loc_of_addr);
	index_free(&build->line_index);
	index_free(&build->place_index);
	index_free(&build->labels_index);
	index_free(&build->sample_index);
	index_free(&build->comment_index);
	free(build->plain_sample);
}

void build_free(struct build *build)
{
	if (!build)
		return;
	profile_free(build->p);
	free_indexes(build);
	free(build);
}

struct profile *build_finish(struct build *build)
{
	struct profile *profile = build->p;

	build_limit_levels(build);
	free_indexes(build);
	free(build);
	return profile;
}

const struct profile *build_profile(const struct build *build)
{
	return build->p;
}

struct diag *build_notes(struct build *build)
{
	return &build->p->notes;
}

/* ---- strings ---- */

struct str_key {
	const struct profile *p;
	const char *text;
	size_t length;
};

static bool same_str(const void *context, uint32_t row)
{
	const struct str_key *key = context;
	const struct str *str = &key->p->strs[row];

	return str->length == key->length && memcmp(str->text, key->text, key->length) == 0;
}

str_id build_str(struct build *build, const char *text, size_t length)
{
	struct profile *p = build->p;
	struct str_key key = {p, text, length};
	uint64_t hash = hash_bytes(text, length);
	uint32_t row = index_find(&build->str_index, hash, same_str, &key);

	if (row != INDEX_NONE)
		return (str_id){row};
	MEM_GROW(p->strs, p->n_strs, build->caps.strs);
	p->strs[p->n_strs] = (struct str){arena_strndup(p->arena, text, length), (uint32_t)length};
	index_add(&build->str_index, hash, p->n_strs);
	return (str_id){p->n_strs++};
}

str_id build_cstr(struct build *build, const char *text)
{
	return build_str(build, text, strlen(text));
}

/* ---- types ---- */

uint32_t build_type(struct build *build, const char *type, const char *unit)
{
	struct profile *p = build->p;

	MEM_GROW(p->types, p->n_types, build->caps.types);
	p->types[p->n_types] = (struct value_type){build_cstr(build, type), build_cstr(build, unit)};
	return p->n_types++;
}

void build_set_period(struct build *build, const char *type, const char *unit, int64_t period)
{
	build->p->period_type = (struct value_type){build_cstr(build, type), build_cstr(build, unit)};
	build->p->period = period;
}

void build_set_default_type(struct build *build, uint32_t type)
{
	build->p->default_type = type;
}

void build_name_default_type(struct build *build, uint32_t type)
{
	build->p->default_type = type;
	build->p->default_is_named = true;
}

void build_source_time(struct build *build, int64_t time_nanos)
{
	struct profile *p = build->p;

	if (p->n_sources)
		p->sources[p->n_sources - 1].time_nanos = time_nanos;
}

void build_set_time(struct build *build, int64_t time_nanos, int64_t duration_nanos)
{
	build->p->time_nanos = time_nanos;
	build_source_time(build, time_nanos);
	build->p->duration_nanos = duration_nanos;
}

void build_set_doc_url(struct build *build, str_id url)
{
	build->p->doc_url = url;
}

void build_set_frame_filters(struct build *build, str_id drop_frames, str_id keep_frames)
{
	build->p->drop_frames = drop_frames;
	build->p->keep_frames = keep_frames;
}

struct comment_key {
	const struct profile *p;
	str_id comment;
};

static bool same_comment(const void *context, uint32_t row)
{
	const struct comment_key *key = context;

	return key->p->comments[row].row == key->comment.row;
}

void build_comment(struct build *build, str_id comment)
{
	struct profile *p = build->p;
	struct comment_key key = {p, comment};
	uint64_t hash = hash_u64(comment.row);

	if (index_find(&build->comment_index, hash, same_comment, &key) != INDEX_NONE)
		return;
	index_add(&build->comment_index, hash, p->n_comments);
	MEM_GROW(p->comments, p->n_comments, build->caps.comments);
	p->comments[p->n_comments++] = comment;
}

/* ---- sources, objects and maps ---- */

void build_source(struct build *build, const char *name, const char *format)
{
	struct profile *p = build->p;

	MEM_GROW(p->sources, p->n_sources, build->caps.sources);
	p->sources[p->n_sources++] =
		(struct source){.name = build_cstr(build, name), .format = build_cstr(build, format), .first_map = p->n_maps};
	addrs_free(&build->addrs);
	build->n_loc_of_addr = 0;
	build->first_loc = p->n_locs;
}

void build_source_facts(struct build *build, const char *header, const char *rule, int64_t period)
{
	struct source *source = build_current_source(build);

	source->header = build_cstr(build, header);
	source->rule = build_cstr(build, rule);
	source->period = period;
}

void build_mapless(struct build *build)
{
	build_current_source(build)->is_mapless = true;
}

uint32_t build_first_loc(const struct build *build)
{
	return build->first_loc;
}

struct source *build_current_source(struct build *build)
{
	return &build->p->sources[build->p->n_sources - 1];
}

void build_count_row(struct build *build)
{
	build_current_source(build)->n_rows++;
}

void build_end_source(struct build *build, uint64_t n_input_lines)
{
	build_current_source(build)->n_input_lines = n_input_lines;
}

struct object_key {
	const struct profile *p;
	str_id file, build_id;
};

static bool same_object(const void *context, uint32_t row)
{
	const struct object_key *key = context;
	const struct object *object = &key->p->objects[row];

	return object->file.row == key->file.row && object->build_id.row == key->build_id.row;
}

static bool same_file(const void *context, uint32_t row)
{
	const struct object_key *key = context;

	return key->p->objects[row].file.row == key->file.row;
}

/* A text profile knows no build ids: its file is the first one of that name, whatever build that is. */
static uint32_t find_object(struct build *build, const struct object_key *key)
{
	uint32_t row = index_find(&build->object_index, hash_pair(key->file.row, key->build_id.row), same_object, key);

	if (row != INDEX_NONE)
		return row;
	row = index_find(&build->file_index, hash_u64(key->file.row), same_file, key);
	if (row == INDEX_NONE || !key->build_id.row)
		return row;
	struct object *first = &build->p->objects[row];
	if (!first->build_id.row)
		first->build_id = key->build_id;
	return first->build_id.row == key->build_id.row ? row : INDEX_NONE;
}

/* What is longer is no path of a file. */
static str_id bound_path(struct build *build, str_id file)
{
	const struct str *str = &build->p->strs[file.row];

	if (str->length < PATH_MAX)
		return file;
	return build_str(build, str->text, text_cut_bytes(str->text, str->length, PATH_MAX - 1));
}

object_id build_object(struct build *build, str_id file, str_id build_id)
{
	struct profile *p = build->p;
	file = bound_path(build, file);
	struct object_key key = {p, file, build_id};
	uint32_t row = find_object(build, &key);

	if (row != INDEX_NONE)
		return (object_id){row};
	MEM_GROW(p->objects, p->n_objects, build->caps.objects);
	p->objects[p->n_objects] = (struct object){.file = file, .build_id = build_id};
	index_add(&build->object_index, hash_pair(file.row, build_id.row), p->n_objects);
	if (index_find(&build->file_index, hash_u64(file.row), same_file, &key) == INDEX_NONE)
		index_add(&build->file_index, hash_u64(file.row), p->n_objects);
	return (object_id){p->n_objects++};
}

void build_object_facts(struct build *build, object_id object, bool deleted, uint64_t inode)
{
	struct object *row = &build->p->objects[object.row];

	row->deleted |= deleted;
	if (!row->inode)
		row->inode = inode;
}

void build_set_build_id(struct build *build, object_id object, str_id build_id)
{
	build->p->objects[object.row].build_id = build_id;
}

void build_maps_begin(struct build *build)
{
	build_current_source(build)->has_maps = true;
}

map_id build_map(struct build *build, const struct mapping *mapping)
{
	struct profile *p = build->p;

	MEM_GROW(p->maps, p->n_maps, build->caps.maps);
	p->maps[p->n_maps] = *mapping;
	build_current_source(build)->n_maps++;
	return (map_id){p->n_maps++};
}

/* ---- what the symbolizer writes ---- */

struct func_key {
	const struct profile *p;
	const struct function *function;
};

static bool same_func(const void *context, uint32_t row)
{
	const struct func_key *key = context;
	const struct function *a = &key->p->funcs[row], *b = key->function;

	return a->name.row == b->name.row && a->full_name.row == b->full_name.row &&
	       a->system_name.row == b->system_name.row && a->file.row == b->file.row && a->start_line == b->start_line;
}

func_id build_func(struct build *build, const struct function *function)
{
	struct profile *p = build->p;
	struct func_key key = {p, function};
	uint64_t names = hash_pair(function->name.row, function->system_name.row);
	uint64_t hash = hash_pair(names, hash_pair(function->file.row, function->start_line));
	uint32_t row = index_find(&build->func_index, hash, same_func, &key);

	if (row != INDEX_NONE)
		return (func_id){row};
	MEM_GROW(p->funcs, p->n_funcs, build->caps.funcs);
	p->funcs[p->n_funcs] = *function;
	index_add(&build->func_index, hash, p->n_funcs);
	return (func_id){p->n_funcs++};
}

void build_func_names(struct build *build, func_id func, const struct function *names)
{
	struct function *row = &build->p->funcs[func.row];

	row->name = names->name;
	row->rule_name = names->rule_name;
	row->full_name = names->full_name;
}

void build_lines(struct build *build, loc_id loc, const struct line *lines, uint32_t n)
{
	struct profile *p = build->p;

	p->locs[loc.row].first_line = p->n_lines;
	p->locs[loc.row].n_lines = n;
	p->locs[loc.row].is_hint = false;
	for (uint32_t i = 0; i < n; i++) {
		MEM_GROW(p->lines, p->n_lines, build->caps.lines);
		p->lines[p->n_lines++] = lines[i];
	}
}

void build_hint(struct build *build, loc_id loc, const struct line *lines, uint32_t n)
{
	build_lines(build, loc, lines, n);
	build->p->locs[loc.row].is_hint = true;
}

void build_vaddr(struct build *build, loc_id loc, uint64_t vaddr)
{
	build->p->locs[loc.row].vaddr = vaddr;
}

void build_set_program(struct build *build, object_id object)
{
	build->p->program = object;
}

void build_object_fate(struct build *build, object_id object, enum object_fate fate, str_id path_used)
{
	build->p->objects[object.row].fate = fate;
	build->p->objects[object.row].path_used = path_used;
}

void build_object_build_id(struct build *build, object_id object, str_id used_build_id)
{
	build->p->objects[object.row].used_build_id = used_build_id;
}

void build_object_time(struct build *build, object_id object, int64_t time_nanos)
{
	build->p->objects[object.row].time_nanos = time_nanos;
}

void build_object_calls(struct build *build, object_id object, uint32_t n_returns, uint32_t n_calls, bool is_doubtful)
{
	build->p->objects[object.row].n_returns = n_returns;
	build->p->objects[object.row].n_calls = n_calls;
	build->p->objects[object.row].is_doubtful = is_doubtful;
}

void build_unplace(struct build *build, loc_id loc)
{
	struct location *row = &build->p->locs[loc.row];

	row->object = (object_id){0};
	row->map = (map_id){0};
	row->offset = row->vaddr = row->addr;
	row->in_hole = false;
}

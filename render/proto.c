#include "render/proto_out.h"
#include "render/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The profile as google/pprof's profile.proto, with the names that were found: what the view keeps of it. */

/* Where programs at fixed addresses begin. */
static const uint64_t FIXED_BASE = 0x400000;

/* The lines of a location that a stack keeps. A stack that begins within a location has one of its own. */
struct place {
	loc_id loc;
	struct view_lines lines;
};

struct written_map {
	struct mapping map;
	uint32_t source;
	bool reaches_below; /* holds an address below its start */
	uint64_t highest;   /* of the addresses that it holds */
};

struct written_label {
	const char *key, *text, *unit;
	int64_t number;
	uint32_t at; /* in the order of the profile */
};

struct writer {
	const struct report *report;
	const struct profile *p;
	const struct view *view;
	struct proto_out to;
	struct written_map *maps; /* a mapping's id is one more than its number here, and so with the others */
	uint32_t n_maps, cap_maps;
	uint32_t *map_of_map;    /* by the profile's mapping: one more than the written one */
	uint32_t *map_of_object; /* by object: the first of its mappings, likewise */
	struct index map_index;
	struct place *places;
	uint32_t n_places, cap_places;
	struct index place_index;
	func_id *funcs;
	uint32_t n_funcs;
	uint32_t *func_ids; /* by the profile's function; 0: not yet used */
	double *values;
	struct written_label *labels; /* of a sample */
	uint32_t n_labels, cap_labels;
	uint32_t space[2], objects[2]; /* types whose quotient is the size of a block: in use, allocated; n_types: none */
};

static const char *text_of(const struct writer *w, str_id id)
{
	return profile_text(w->p, id);
}

/* ---- mappings ---- */

struct map_key {
	const struct writer *w;
	const struct mapping *map;
	uint32_t source;
};

/* Inputs of one program share its mappings, wherever each of them had them. */
static bool same_map(const void *context, uint32_t at)
{
	const struct map_key *key = context;
	const struct written_map *written = &key->w->maps[at];
	const struct mapping *a = &written->map, *b = key->map;

	return written->source != key->source && a->object.row == b->object.row && a->offset == b->offset &&
	       a->limit - a->start == b->limit - b->start;
}

static void add_flags(struct mapping *to, const struct mapping *from)
{
	to->has_functions |= from->has_functions;
	to->has_files |= from->has_files;
	to->has_lines |= from->has_lines;
	to->has_inlines |= from->has_inlines;
}

static uint32_t push_map(struct writer *w, const struct mapping *map, uint32_t source)
{
	MEM_GROW(w->maps, w->n_maps, w->cap_maps);
	w->maps[w->n_maps++] = (struct written_map){.map = *map, .source = source};
	if (!w->map_of_object[map->object.row])
		w->map_of_object[map->object.row] = w->n_maps;
	return w->n_maps - 1;
}

static void add_map(struct writer *w, uint32_t row, uint32_t source)
{
	const struct mapping *map = &w->p->maps[row];
	struct map_key key = {w, map, source};
	uint64_t hash = hash_pair(map->object.row, hash_pair(map->offset, map->limit - map->start));
	uint32_t found = index_find(&w->map_index, hash, same_map, &key);

	if (found == INDEX_NONE) {
		found = push_map(w, map, source);
		index_add(&w->map_index, hash, found);
	}
	add_flags(&w->maps[found].map, map);
	w->map_of_map[row] = found + 1;
}

/* Text that was remapped whole leaves a file no mapping of its own. It gets one from where the file would begin. */
static void add_missing_maps(struct writer *w)
{
	for (uint32_t i = 1; i < w->p->n_locs; i++) {
		const struct location *loc = &w->p->locs[i];
		uint64_t base = loc->addr - loc->offset;

		if (loc->object.row && !w->map_of_object[loc->object.row])
			push_map(w, &(struct mapping){.start = base, .limit = base + 1, .object = loc->object}, w->p->n_sources);
	}
}

/* The first mapping is taken for the main program's: the two change places. */
static void put_program_first(struct writer *w)
{
	uint32_t at = w->map_of_object[w->p->program.row];

	if (!w->p->program.row || at < 2) /* it is not known, has no mapping or stands first */
		return;
	struct written_map first = w->maps[0];
	w->maps[0] = w->maps[at - 1];
	w->maps[at - 1] = first;
	for (uint32_t i = 0; i < w->p->n_maps; i++)
		if (w->map_of_map[i] == 1 || w->map_of_map[i] == at)
			w->map_of_map[i] = w->map_of_map[i] == at ? 1 : at;
	w->map_of_object[w->p->program.row] = 1;
	w->map_of_object[first.map.object.row] = at;
}

static void choose_maps(struct writer *w)
{
	const struct profile *p = w->p;

	w->map_of_map = mem_zalloc(p->n_maps, sizeof *w->map_of_map);
	w->map_of_object = mem_zalloc(p->n_objects, sizeof *w->map_of_object);
	for (uint32_t i = 0; i < p->n_sources; i++)
		for (uint32_t k = p->sources[i].first_map; k < p->sources[i].first_map + p->sources[i].n_maps; k++)
			add_map(w, k, i);
	add_missing_maps(w);
	put_program_first(w);
}

/* The number of the written mapping that places the location, and one more; 0: it lies in none. What was placed by its
 * neighbour is written as a part of that. */
static uint32_t map_of(const struct writer *w, const struct location *loc)
{
	uint32_t own = w->map_of_map[loc->map.row];

	if (own && w->maps[own - 1].map.object.row == loc->object.row)
		return own;
	return loc->object.row ? w->map_of_object[loc->object.row] : 0;
}

/* Where the location lies in its written mapping: at its own address, unless that is another input's. */
static uint64_t addr_in(const struct writer *w, const struct written_map *map, const struct location *loc)
{
	if (loc->object.row)
		return map->map.start + (loc->offset - map->map.offset);
	return map->map.start + (loc->addr - w->p->maps[loc->map.row].start);
}

/* Names that a profile.proto brought along are told of by its own mapping. In what was symbolized here, inlined functions
 * were looked for. */
static void note_names(struct mapping *map, const struct profile *p, const struct place *place)
{
	const struct location *loc = &p->locs[place->loc.row];

	if (place->lines.first == place->lines.end || !(loc->is_hint || p->objects[loc->object.row].fate == OBJECT_FOUND))
		return;
	map->has_inlines |= !loc->is_hint || loc->n_lines > 1;
	for (uint32_t i = place->lines.first; i < place->lines.end; i++) {
		const struct function *func = &p->funcs[p->lines[i].func.row];

		map->has_functions |= func->name.row != 0;
		map->has_files |= func->file.row != 0;
		map->has_lines |= p->lines[i].line != 0;
	}
}

static void note_place(struct writer *w, const struct place *place)
{
	const struct location *loc = &w->p->locs[place->loc.row];
	uint32_t at = map_of(w, loc);

	if (!at)
		return;
	struct written_map *map = &w->maps[at - 1];
	uint64_t addr = addr_in(w, map, loc);
	map->reaches_below |= addr < map->map.start;
	if (addr > map->highest)
		map->highest = addr;
	note_names(&map->map, w->p, place);
}

/* A mapping reaches to all its locations: some lie in its file's rest, of which the map says nothing. And as google/pprof does, the program begins where its file does when
 * that is where programs are linked to. */
static struct mapping reach_out(const struct written_map *map, bool is_first)
{
	struct mapping reached = map->map;
	uint64_t base = reached.start - reached.offset;

	if (map->reaches_below || (is_first && base == FIXED_BASE)) {
		reached.start = base;
		reached.offset = 0;
	}
	if (reached.limit && reached.limit <= map->highest)
		reached.limit = map->highest + 1;
	return reached;
}

static void put_map(struct writer *w, uint32_t at)
{
	const struct written_map *map = &w->maps[at];
	const struct mapping reached = reach_out(map, at == 0);
	const struct object *object = &w->p->objects[reached.object.row];
	str_id build_id = object->build_id.row ? object->build_id : object->used_build_id;
	struct pb_writer *message = &w->to.message;

	pb_writer_clear(message);
	pb_put_number(message, MAPPING_ID, (uint64_t)at + 1);
	pb_put_number(message, MAPPING_MEMORY_START, reached.start);
	pb_put_number(message, MAPPING_MEMORY_LIMIT, reached.limit);
	pb_put_number(message, MAPPING_FILE_OFFSET, reached.offset);
	pb_put_number(message, MAPPING_FILENAME, proto_out_str(&w->to, text_of(w, object->file)));
	pb_put_number(message, MAPPING_BUILD_ID, proto_out_str(&w->to, text_of(w, build_id)));
	pb_put_number(message, MAPPING_HAS_FUNCTIONS, reached.has_functions);
	pb_put_number(message, MAPPING_HAS_FILENAMES, reached.has_files);
	pb_put_number(message, MAPPING_HAS_LINE_NUMBERS, reached.has_lines);
	pb_put_number(message, MAPPING_HAS_INLINE_FRAMES, reached.has_inlines);
	pb_put_message(&w->to.profile, PROFILE_MAPPING, message);
}

static void put_maps(struct writer *w)
{
	for (uint32_t i = 0; i < w->n_places; i++)
		note_place(w, &w->places[i]);
	for (uint32_t i = 0; i < w->n_maps; i++)
		put_map(w, i);
}

/* ---- locations and functions, in the order of their first use ---- */

struct place_key {
	const struct writer *w;
	const struct place *place;
};

static bool same_place(const void *context, uint32_t at)
{
	const struct place_key *key = context;
	const struct place *a = &key->w->places[at], *b = key->place;

	return a->loc.row == b->loc.row && a->lines.first == b->lines.first && a->lines.end == b->lines.end;
}

static uint64_t place_id(struct writer *w, const struct place *place)
{
	struct place_key key = {w, place};
	uint64_t hash = hash_pair(place->loc.row, hash_pair(place->lines.first, place->lines.end));
	uint32_t found = index_find(&w->place_index, hash, same_place, &key);

	if (found != INDEX_NONE)
		return (uint64_t)found + 1;
	MEM_GROW(w->places, w->n_places, w->cap_places);
	w->places[w->n_places] = *place;
	index_add(&w->place_index, hash, w->n_places);
	return (uint64_t)++w->n_places;
}

static uint32_t func_id_of(struct writer *w, func_id func)
{
	if (!w->func_ids[func.row]) {
		w->funcs[w->n_funcs] = func;
		w->func_ids[func.row] = ++w->n_funcs;
	}
	return w->func_ids[func.row];
}

static void put_place(struct writer *w, uint32_t at)
{
	const struct place *place = &w->places[at];
	const struct location *loc = &w->p->locs[place->loc.row];
	struct pb_writer *message = &w->to.message;
	uint32_t map = map_of(w, loc);

	pb_writer_clear(message);
	pb_put_number(message, LOCATION_ID, (uint64_t)at + 1);
	pb_put_number(message, LOCATION_MAPPING_ID, map);
	pb_put_number(message, LOCATION_ADDRESS, map ? addr_in(w, &w->maps[map - 1], loc) : loc->addr);
	for (uint32_t i = place->lines.first; i < place->lines.end; i++) {
		const struct line *line = &w->p->lines[i];

		proto_out_line(message, &w->to.inner, func_id_of(w, line->func), line->line, line->column);
	}
	pb_put_message(&w->to.profile, PROFILE_LOCATION, message);
}

static void put_places(struct writer *w)
{
	w->funcs = mem_alloc(w->p->n_funcs, sizeof *w->funcs);
	w->func_ids = mem_zalloc(w->p->n_funcs, sizeof *w->func_ids);
	for (uint32_t i = 0; i < w->n_places; i++)
		put_place(w, i);
	for (uint32_t i = 0; i < w->n_funcs; i++) {
		const struct function *func = &w->p->funcs[w->funcs[i].row];

		proto_out_function(&w->to, (uint64_t)i + 1, text_of(w, func->name), text_of(w, func->system_name),
		                   text_of(w, func->file), func->start_line);
	}
}

/* ---- samples ---- */

static void put_stack(struct writer *w, stack_id id)
{
	const struct profile *p = w->p;
	const struct stack *stack = &p->stacks[id.row];
	struct pb_writer *packed = &w->to.inner;

	pb_writer_clear(packed);
	for (uint32_t i = w->view->starts[id.row].frame; i < stack->n; i++) {
		struct place place = {p->frames[stack->first + i], view_frame_lines(w->view, id, i)};

		if (view_has_frame(w->view, id, i))
			pb_put_varint(packed, place_id(w, &place));
	}
	if (packed->size)
		pb_put_message(&w->to.message, SAMPLE_LOCATION_ID, packed);
}

/* What a block of the sample measures, as google/pprof says in a label: in use, else of those that were allocated. Values
 * that were scaled from samples may miss a whole number by a rounding. False: there is no block. */
static bool block_size(const struct writer *w, uint32_t sample, int64_t *ret)
{
	for (int pair = 0; pair < 2; pair++) {
		if (w->space[pair] >= w->p->n_types || w->objects[pair] >= w->p->n_types)
			continue;
		double space = view_value(w->view, sample, w->space[pair]),
			   objects = view_value(w->view, sample, w->objects[pair]);
		double size = space / objects, near = round(size);

		if (objects == 0 || !(fabs(size) < 0x1p63))
			continue;
		*ret = (int64_t)(fabs(size - near) <= 1e-9 * fabs(near) ? near : floor(size));
		return true;
	}
	return false;
}

static int by_key(const void *a, const void *b)
{
	const struct written_label *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static void push_label(struct writer *w, struct written_label label)
{
	MEM_GROW(w->labels, w->n_labels, w->cap_labels);
	label.at = w->n_labels;
	w->labels[w->n_labels++] = label;
}

static void collect_labels(struct writer *w, uint32_t sample)
{
	const struct profile *p = w->p;
	const struct label_set *set = &p->label_sets[p->sample_labels[sample].row];
	int64_t size;

	w->n_labels = 0;
	for (uint32_t i = set->first; i < set->first + set->n; i++)
		push_label(w, (struct written_label){
						  .key = text_of(w, p->labels[i].key),
						  .text = text_of(w, p->labels[i].text),
						  .number = p->labels[i].number,
						  .unit = text_of(w, p->labels[i].unit),
					  });
	if (block_size(w, sample, &size))
		push_label(w, (struct written_label){.key = "bytes", .text = "", .number = size, .unit = "bytes"});
	if (w->n_labels > 1)
		qsort(w->labels, w->n_labels, sizeof *w->labels, by_key);
}

static void put_labels(struct writer *w, uint32_t sample)
{
	struct pb_writer *message = &w->to.inner;

	collect_labels(w, sample);
	for (uint32_t i = 0; i < w->n_labels; i++) {
		const struct written_label *label = &w->labels[i];

		pb_writer_clear(message);
		pb_put_number(message, LABEL_KEY, proto_out_str(&w->to, label->key));
		pb_put_number(message, LABEL_STR, proto_out_str(&w->to, label->text));
		pb_put_number(message, LABEL_NUM, (uint64_t)label->number);
		pb_put_number(message, LABEL_NUM_UNIT, proto_out_str(&w->to, label->unit));
		pb_put_message(&w->to.message, SAMPLE_LABEL, message);
	}
}

static void put_sample(struct writer *w, uint32_t sample)
{
	pb_writer_clear(&w->to.message);
	put_stack(w, w->p->sample_stacks[sample]);
	for (uint32_t i = 0; i < w->p->n_types; i++)
		w->values[i] = view_value(w->view, sample, i);
	proto_out_values(&w->to.message, &w->to.inner, w->values, w->p->n_types);
	put_labels(w, sample);
	pb_put_message(&w->to.profile, PROFILE_SAMPLE, &w->to.message);
}

static void find_blocks(struct writer *w)
{
	static const char *const types[2][2] = {{"inuse_space", "inuse_objects"}, {"alloc_space", "alloc_objects"}};

	for (int pair = 0; pair < 2; pair++) {
		w->space[pair] = profile_find_type(w->p, types[pair][0]);
		w->objects[pair] = profile_find_type(w->p, types[pair][1]);
	}
}

static void put_samples(struct writer *w)
{
	find_blocks(w);
	w->values = mem_alloc(w->p->n_types, sizeof *w->values);
	for (uint32_t i = 0; i < w->p->n_samples; i++)
		if (w->view->passes[i])
			put_sample(w, i);
}

/* ---- all together ---- */

static void put_types(struct writer *w)
{
	for (uint32_t i = 0; i < w->p->n_types; i++)
		proto_out_type(&w->to, PROFILE_SAMPLE_TYPE, text_of(w, w->p->types[i].type), text_of(w, w->p->types[i].unit));
}

static void put_header(struct writer *w)
{
	const struct profile *p = w->p;
	struct pb_writer *profile = &w->to.profile;

	/* Where the frames have been cut already, the patterns that cut them would cut what they left. */
	if (w->view->opts.all_frames) {
		pb_put_number(profile, PROFILE_DROP_FRAMES, proto_out_str(&w->to, text_of(w, p->drop_frames)));
		pb_put_number(profile, PROFILE_KEEP_FRAMES, proto_out_str(&w->to, text_of(w, p->keep_frames)));
	}
	proto_out_times(&w->to, p);
	for (uint32_t i = 0; i < p->n_comments; i++)
		pb_put_number(profile, PROFILE_COMMENT, proto_out_str(&w->to, text_of(w, p->comments[i])));
	/* A reader that is told nothing shows the last. */
	if (p->default_is_named || w->view->opts.type + 1 != p->n_types)
		pb_put_number(profile, PROFILE_DEFAULT_SAMPLE_TYPE, proto_out_str(&w->to, w->report->type));
	pb_put_number(profile, PROFILE_DOC_URL, proto_out_str(&w->to, text_of(w, p->doc_url)));
}

static void free_writer(struct writer *w)
{
	free(w->maps);
	free(w->map_of_map);
	free(w->map_of_object);
	free(w->places);
	free(w->funcs);
	free(w->func_ids);
	free(w->values);
	free(w->labels);
	index_free(&w->map_index);
	index_free(&w->place_index);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct writer w = {.report = report, .p = report->profile, .view = report->view};

	proto_out_init(&w.to);
	choose_maps(&w);
	put_types(&w);
	put_samples(&w);
	put_maps(&w);
	put_places(&w);
	put_header(&w);
	proto_out_finish(&w.to, out);
	free_writer(&w);
	return NULL;
}

const struct renderer render_proto = {
	.name = "proto",
	.help = "the profile with its names, as google/pprof's profile.proto",
	.ext = "pb.gz",
	.binary = true,
	.write = write,
};

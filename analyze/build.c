#include "analyze/build.h"

#include "analyze/base/index.h"

#include <stdlib.h>
#include <string.h>

/* Room that each column has; what is used is in the profile. */
struct caps {
	uint32_t strs, types, objects, maps, locs, lines, funcs, frames, stacks, sources, samples;
};

struct build {
	struct profile *p;
	struct caps caps;
	struct index str_index, object_index, func_index, stack_index;
	struct index addr_index; /* locations of the current source, by address */
	struct index key_index;  /* locations by (object, offset); filled by the first build_append */
	bool keys_are_known;
	uint32_t *sample_of; /* by stack; 0: none yet, else one more than the sample's row */
	uint32_t sample_of_cap;
	uint32_t first_loc; /* of the current source */
};

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
	build_stack(build, NULL, 0);
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
	index_free(&build->func_index);
	index_free(&build->stack_index);
	index_free(&build->addr_index);
	index_free(&build->key_index);
	free(build->sample_of);
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

/* ---- sources, objects and maps ---- */

void build_source(struct build *build, const char *name, const char *format)
{
	struct profile *p = build->p;

	MEM_GROW(p->sources, p->n_sources, build->caps.sources);
	p->sources[p->n_sources++] =
		(struct source){.name = build_cstr(build, name), .format = build_cstr(build, format), .first_map = p->n_maps};
	index_free(&build->addr_index);
	build->first_loc = p->n_locs;
}

static struct source *current_source(struct build *build)
{
	return &build->p->sources[build->p->n_sources - 1];
}

void build_count_row(struct build *build)
{
	current_source(build)->n_rows++;
}

void build_end_source(struct build *build, uint64_t n_input_lines)
{
	current_source(build)->n_input_lines = n_input_lines;
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

object_id build_object(struct build *build, str_id file, str_id build_id)
{
	struct profile *p = build->p;
	struct object_key key = {p, file, build_id};
	uint64_t hash = hash_pair(file.row, build_id.row);
	uint32_t row = index_find(&build->object_index, hash, same_object, &key);

	if (row != INDEX_NONE)
		return (object_id){row};
	MEM_GROW(p->objects, p->n_objects, build->caps.objects);
	p->objects[p->n_objects] = (struct object){.file = file, .build_id = build_id};
	index_add(&build->object_index, hash, p->n_objects);
	return (object_id){p->n_objects++};
}

void build_object_facts(struct build *build, object_id object, bool deleted, uint64_t inode)
{
	struct object *row = &build->p->objects[object.row];

	row->deleted |= deleted;
	if (!row->inode)
		row->inode = inode;
}

void build_maps_begin(struct build *build)
{
	current_source(build)->has_maps = true;
}

void build_map(struct build *build, const struct mapping *mapping)
{
	struct profile *p = build->p;

	MEM_GROW(p->maps, p->n_maps, build->caps.maps);
	p->maps[p->n_maps++] = *mapping;
	current_source(build)->n_maps++;
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Snapshots of one process have the same program at the same place; libraries may come and go. */
static uint32_t hash_maps(const struct profile *p, const struct source *source)
{
	uint64_t hash = 0;

	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		const struct object *object = &p->objects[p->maps[i].object.row];
		const struct str *file = &p->strs[object->file.row];

		if (object->fate == OBJECT_SPECIAL || memmem(file->text, file->length, ".so", 3))
			continue;
		hash = hash_pair(hash, hash_pair(p->maps[i].start, hash_bytes(file->text, file->length)));
	}
	return (uint32_t)hash;
}

static void assign_map(struct profile *p, struct location *loc, map_id map, const uint64_t *base_of)
{
	const struct mapping *m = &p->maps[map.row];

	loc->map = map;
	if (!map.row)
		return;
	loc->object = m->object;
	loc->offset = loc->addr - m->start + m->offset;
	uint64_t base = base_of[m->object.row];
	/* Programs at fixed addresses start at 4 MiB, where nothing else is ever mapped (x86-64 and i386 alike). */
	loc->vaddr = base == UINT64_MAX ? loc->offset : base == 0x400000 ? loc->addr : loc->addr - base;
}

/* Text that was remapped (huge pages) or whose first row is missing lies below a row of its file: the row's offset says
 * how far down the file reaches. */
static map_id find_map(const struct profile *p, const struct source *source, uint64_t addr)
{
	map_id map = profile_find_map(p, source->first_map, source->n_maps, addr);
	uint32_t low = source->first_map, high = source->first_map + source->n_maps;

	if (map.row)
		return map;
	while (low < high) { /* the first row that starts above the address */
		uint32_t middle = low + (high - low) / 2;

		if (p->maps[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == source->first_map + source->n_maps)
		return (map_id){0};
	return p->maps[low].start - addr <= p->maps[low].offset ? (map_id){low} : (map_id){0};
}

struct loc_key {
	const struct profile *p;
	object_id object;
	uint64_t offset;
};

static bool same_loc(const void *context, uint32_t row)
{
	const struct loc_key *key = context;
	const struct location *loc = &key->p->locs[row];

	return loc->object.row == key->object.row && loc->offset == key->offset;
}

static uint32_t find_loc_key(const struct build *build, object_id object, uint64_t offset)
{
	struct loc_key key = {build->p, object, offset};

	return index_find(&build->key_index, hash_pair(object.row, offset), same_loc, &key);
}

static void add_loc_key(struct build *build, uint32_t row)
{
	const struct location *loc = &build->p->locs[row];

	index_add(&build->key_index, hash_pair(loc->object.row, loc->offset), row);
}

/* Stacks are interned by their frames, so frames that changed mean new stacks; the samples move along. */
static void refold(struct build *build, const uint32_t *loc_to)
{
	struct profile *p = build->p;
	struct profile old = *p;

	p->frames = NULL;
	p->stacks = NULL;
	p->sample_stacks = NULL;
	p->values = NULL;
	p->n_frames = p->n_stacks = p->n_samples = 0;
	build->caps.frames = build->caps.stacks = build->caps.samples = 0;
	index_free(&build->stack_index);
	free(build->sample_of);
	build->sample_of = NULL;
	build->sample_of_cap = 0;
	build_stack(build, NULL, 0);
	for (uint32_t i = 0; i < old.n_frames; i++)
		old.frames[i].row = loc_to[old.frames[i].row];
	for (uint32_t i = 0; i < old.n_samples; i++) {
		const struct stack *stack = &old.stacks[old.sample_stacks[i].row];

		build_sample(build, build_stack(build, old.frames + stack->first, stack->n),
		             old.values + (size_t)i * old.n_types);
	}
	free(old.frames);
	free(old.stacks);
	free(old.sample_stacks);
	free(old.values);
}

/* One object mapped twice: two addresses are one location. */
static void fold_locations(struct build *build)
{
	struct profile *p = build->p;
	uint32_t *loc_to = mem_alloc(p->n_locs, sizeof *loc_to);
	bool any = false;

	for (uint32_t row = 0; row < p->n_locs; row++) {
		uint32_t found = find_loc_key(build, p->locs[row].object, p->locs[row].offset);

		loc_to[row] = row && found != INDEX_NONE ? found : row;
		any |= loc_to[row] != row;
		if (row && loc_to[row] == row)
			add_loc_key(build, row);
	}
	if (any)
		refold(build, loc_to);
	free(loc_to);
	build->keys_are_known = true;
}

void build_assign_maps(struct build *build, const uint64_t *base_of)
{
	struct profile *p = build->p;
	struct source *source = current_source(build);

	qsort(p->maps + source->first_map, source->n_maps, sizeof *p->maps, by_start);
	source->maps_hash = hash_maps(p, source);
	for (uint32_t i = build->first_loc; i < p->n_locs; i++)
		assign_map(p, &p->locs[i], find_map(p, source, p->locs[i].addr), base_of);
	fold_locations(build);
}

/* ---- locations, stacks and samples ---- */

struct addr_key {
	const struct profile *p;
	uint64_t addr;
};

static bool same_addr(const void *context, uint32_t row)
{
	const struct addr_key *key = context;

	return key->p->locs[row].addr == key->addr;
}

static uint32_t push_loc(struct build *build, const struct location *loc)
{
	struct profile *p = build->p;

	MEM_GROW(p->locs, p->n_locs, build->caps.locs);
	p->locs[p->n_locs] = *loc;
	return p->n_locs++;
}

loc_id build_loc(struct build *build, uint64_t addr)
{
	struct addr_key key = {build->p, addr};
	uint64_t hash = hash_u64(addr);
	uint32_t row = index_find(&build->addr_index, hash, same_addr, &key);

	if (row != INDEX_NONE)
		return (loc_id){row};
	row = push_loc(build, &(struct location){.addr = addr, .offset = addr, .vaddr = addr});
	index_add(&build->addr_index, hash, row);
	return (loc_id){row};
}

struct stack_key {
	const struct profile *p;
	const loc_id *frames;
	uint32_t n;
};

static bool same_stack(const void *context, uint32_t row)
{
	const struct stack_key *key = context;
	const struct stack *stack = &key->p->stacks[row];

	return stack->n == key->n &&
	       (!key->n || memcmp(key->p->frames + stack->first, key->frames, key->n * sizeof *key->frames) == 0);
}

stack_id build_stack(struct build *build, const loc_id *frames, uint32_t n)
{
	struct profile *p = build->p;
	struct stack_key key = {p, frames, n};
	uint64_t hash = hash_bytes(n ? (const void *)frames : "", n * sizeof *frames);
	uint32_t row = index_find(&build->stack_index, hash, same_stack, &key);

	if (row != INDEX_NONE)
		return (stack_id){row};
	MEM_GROW(p->stacks, p->n_stacks, build->caps.stacks);
	p->stacks[p->n_stacks] = (struct stack){p->n_frames, n};
	for (uint32_t i = 0; i < n; i++) {
		MEM_GROW(p->frames, p->n_frames, build->caps.frames);
		p->frames[p->n_frames++] = frames[i];
	}
	index_add(&build->stack_index, hash, p->n_stacks);
	return (stack_id){p->n_stacks++};
}

static size_t values_per_sample(const struct profile *p)
{
	return (size_t)p->n_sets * p->n_types;
}

/* The values of the stack's sample, made with zeros when there is none yet. */
static double *sample_values(struct build *build, stack_id stack)
{
	struct profile *p = build->p;
	size_t width = values_per_sample(p);

	while (stack.row >= build->sample_of_cap) {
		uint32_t cap = mem_next_cap(build->sample_of_cap);

		build->sample_of = mem_realloc(build->sample_of, cap, sizeof *build->sample_of);
		memset(build->sample_of + build->sample_of_cap, 0, (cap - build->sample_of_cap) * sizeof *build->sample_of);
		build->sample_of_cap = cap;
	}
	if (!build->sample_of[stack.row]) {
		if (p->n_samples == build->caps.samples) {
			build->caps.samples = mem_next_cap(p->n_samples);
			p->sample_stacks = mem_realloc(p->sample_stacks, build->caps.samples, sizeof *p->sample_stacks);
			p->values = mem_realloc(p->values, build->caps.samples, width * sizeof *p->values);
		}
		p->sample_stacks[p->n_samples] = stack;
		memset(p->values + p->n_samples * width, 0, width * sizeof *p->values);
		build->sample_of[stack.row] = ++p->n_samples;
	}
	return p->values + (build->sample_of[stack.row] - 1) * width;
}

void build_sample(struct build *build, stack_id stack, const double *values)
{
	double *sum = sample_values(build, stack);

	for (uint32_t i = 0; i < build->p->n_types; i++)
		sum[i] += values[i];
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

void build_lines(struct build *build, loc_id loc, const struct line *lines, uint32_t n)
{
	struct profile *p = build->p;

	p->locs[loc.row].first_line = p->n_lines;
	p->locs[loc.row].n_lines = n;
	for (uint32_t i = 0; i < n; i++) {
		MEM_GROW(p->lines, p->n_lines, build->caps.lines);
		p->lines[p->n_lines++] = lines[i];
	}
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

/* ---- merging ---- */

/* Row numbers of the other profile to ours. */
struct translation {
	str_id *strs;
	object_id *objects;
	loc_id *locs;
	uint32_t *types; /* by our type: the other's */
	uint32_t first_map;
};

static struct err *match_types(const struct profile *ours, const struct profile *other, uint32_t *types)
{
	for (uint32_t i = 0; i < ours->n_types; i++) {
		const char *name = profile_text(ours, ours->types[i].type);
		const char *unit = profile_text(ours, ours->types[i].unit);

		types[i] = profile_find_type(other, name);
		if (types[i] == other->n_types || strcmp(profile_text(other, other->types[types[i]].unit), unit) != 0)
			return err_new("%s and %s cannot be combined: one has %s (%s), the other has not",
			               profile_text(ours, ours->sources[0].name), profile_text(other, other->sources[0].name), name,
			               unit);
	}
	return NULL;
}

static void append_objects(struct build *build, const struct profile *other, struct translation *to)
{
	for (uint32_t i = 1; i < other->n_objects; i++) {
		const struct object *object = &other->objects[i];

		to->objects[i] = build_object(build, to->strs[object->file.row], to->strs[object->build_id.row]);
		build_object_facts(build, to->objects[i], object->deleted, object->inode);
		if (object->fate == OBJECT_SPECIAL)
			build_object_fate(build, to->objects[i], OBJECT_SPECIAL, (str_id){0});
	}
}

static void append_maps(struct build *build, const struct profile *other, struct translation *to, uint32_t set)
{
	struct profile *p = build->p;

	to->first_map = p->n_maps;
	for (uint32_t i = 1; i < other->n_maps; i++) {
		struct mapping map = other->maps[i];

		map.object = to->objects[map.object.row];
		MEM_GROW(p->maps, p->n_maps, build->caps.maps);
		p->maps[p->n_maps++] = map;
	}
	for (uint32_t i = 0; i < other->n_sources; i++) {
		struct source source = other->sources[i];

		source.name = to->strs[source.name.row];
		source.format = to->strs[source.format.row];
		source.first_map += to->first_map - 1;
		source.set = set;
		MEM_GROW(p->sources, p->n_sources, build->caps.sources);
		p->sources[p->n_sources++] = source;
	}
}

static void append_locs(struct build *build, const struct profile *other, struct translation *to)
{
	for (uint32_t i = 1; i < other->n_locs; i++) {
		struct location loc = other->locs[i];

		loc.object = to->objects[loc.object.row];
		uint32_t row = find_loc_key(build, loc.object, loc.offset);
		if (row == INDEX_NONE) {
			if (loc.map.row)
				loc.map.row += to->first_map - 1;
			row = push_loc(build, &loc);
			add_loc_key(build, row);
		}
		to->locs[i] = (loc_id){row};
	}
}

/* [sample][type] becomes [sample][set][type]; from the last sample to the first, since rows move up. */
static void widen_to_base(struct build *build)
{
	struct profile *p = build->p;
	size_t row = p->n_types * sizeof *p->values;

	if (p->n_sets == N_SETS)
		return;
	p->n_sets = N_SETS;
	if (!build->caps.samples)
		return;
	p->values = mem_realloc(p->values, build->caps.samples, N_SETS * row);
	for (uint32_t i = p->n_samples; i-- > 0;) {
		double *wide = p->values + (size_t)i * N_SETS * p->n_types;

		memmove(wide, p->values + (size_t)i * p->n_types, row);
		memset(wide + p->n_types, 0, row);
	}
}

static void append_samples(struct build *build, const struct profile *other, const struct translation *to, uint32_t set)
{
	struct profile *p = build->p;
	loc_id *frames = NULL;
	uint32_t cap = 0;

	for (uint32_t i = 0; i < other->n_samples; i++) {
		const struct stack *stack = &other->stacks[other->sample_stacks[i].row];

		if (stack->n > cap)
			frames = mem_realloc(frames, cap = stack->n, sizeof *frames);
		for (uint32_t k = 0; k < stack->n; k++)
			frames[k] = to->locs[other->frames[stack->first + k].row];
		double *sum = sample_values(build, build_stack(build, frames, stack->n)) + (size_t)set * p->n_types;
		for (uint32_t t = 0; t < p->n_types; t++)
			sum[t] += profile_value(other, i, SET_MAIN, to->types[t]);
	}
	free(frames);
}

struct err *build_append(struct build *build, const struct profile *other, enum profile_set set)
{
	struct profile *p = build->p;
	struct translation to = {.types = mem_zalloc(p->n_types, sizeof *to.types)};
	struct err *err = match_types(p, other, to.types);

	if (err) {
		free(to.types);
		return err;
	}
	if (!build->keys_are_known)
		fold_locations(build);
	if (set == SET_BASE)
		widen_to_base(build);
	to.strs = mem_zalloc(other->n_strs, sizeof *to.strs);
	to.objects = mem_zalloc(other->n_objects, sizeof *to.objects);
	to.locs = mem_zalloc(other->n_locs, sizeof *to.locs);
	for (uint32_t i = 0; i < other->n_strs; i++)
		to.strs[i] = build_str(build, other->strs[i].text, other->strs[i].length);
	append_objects(build, other, &to);
	append_maps(build, other, &to, set);
	append_locs(build, other, &to);
	append_samples(build, other, &to, set);
	diag_append(&p->notes, &other->notes);
	free(to.strs);
	free(to.objects);
	free(to.locs);
	free(to.types);
	return NULL;
}

#include "symbolize/job_names.h"
#include "symbolize/demangle.h"

#include <stdlib.h>
#include <string.h>

enum { PART = 512 };

void job_names_init(struct job_names *names, struct arena *arena)
{
	names->arena = arena;
}

void job_names_free(struct job_names *names)
{
	for (uint32_t i = 0; i < names->n_parts; i++)
		arena_free(names->part_arenas[i]);
	free(names->part_arenas);
	free(names->at);
	free(names->of_place);
	addrs_free(&names->places);
	index_free(&names->index);
}

struct query {
	const struct job_names *names;
	const char *system_name;
	size_t n;
};

static bool is_same(const void *context, uint32_t row)
{
	const struct query *query = context;
	const char *name = query->names->at[row]->system_name;

	return strncmp(name, query->system_name, query->n) == 0 && name[query->n] == '\0';
}

static struct name *intern_text(struct job_names *names, const char *system_name)
{
	size_t n = strnlen(system_name, SYSTEM_NAME_LONGEST);
	struct query query = {names, system_name, n};
	uint64_t hash = hash_bytes(system_name, n);
	uint32_t row = index_find(&names->index, hash, is_same, &query);

	if (row != INDEX_NONE)
		return names->at[row];
	struct name *name = arena_alloc(names->arena, 1, sizeof *name);
	name->system_name = arena_strndup(names->arena, system_name, n);
	MEM_GROW(names->at, names->n, names->cap);
	names->at[names->n] = name;
	index_add(&names->index, hash, names->n++);
	return name;
}

struct name *job_names_intern(struct job_names *names, const char *system_name)
{
	uint32_t n = names->places.n, place = addrs_number(&names->places, (uintptr_t)system_name);

	if (place < n)
		return names->of_place[place];
	MEM_GROW(names->of_place, n, names->cap_of_place);
	return names->of_place[place] = intern_text(names, system_name);
}

uint32_t job_names_finish(struct job_names *names)
{
	names->n_parts = (names->n + PART - 1) / PART;
	names->part_arenas = mem_zalloc(names->n_parts, sizeof(struct arena *));
	return names->n_parts;
}

void job_names_demangle(struct job_names *names, uint32_t part, enum demangle_style style, bool want_full)
{
	struct arena *arena = names->part_arenas[part] = arena_new();

	for (uint32_t i = part * PART; i < names->n && i < (part + 1) * PART; i++) {
		struct name *name = names->at[i];

		name->shown = demangle_as(style, name->system_name, arena);
		name->rule = style == DEMANGLE_SHORT ? NULL : demangle_short(name->system_name, arena);
		name->full = want_full ? demangle_full(name->system_name, arena) : NULL;
	}
}

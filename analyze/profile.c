#include "analyze/profile.h"

#include "analyze/base/file.h"

#include <stdlib.h>
#include <string.h>

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->strs);
	free(profile->types);
	free(profile->objects);
	free(profile->maps);
	free(profile->locs);
	free(profile->lines);
	free(profile->funcs);
	free(profile->frames);
	free(profile->stacks);
	free(profile->labels);
	free(profile->label_sets);
	free(profile->sources);
	free(profile->comments);
	free(profile->sample_stacks);
	free(profile->sample_labels);
	free(profile->values);
	free(profile->block_sizes);
	diag_clear(&profile->notes);
	arena_free(profile->arena);
	free(profile);
}

static bool is_heap_type(const char *type)
{
	return strncmp(type, "inuse_", 6) == 0 || strncmp(type, "alloc_", 6) == 0 || strcmp(type, "space") == 0 ||
	       strcmp(type, "objects") == 0;
}

static bool is_contention_type(const char *type)
{
	return strcmp(type, "contentions") == 0 || strcmp(type, "delay") == 0;
}

enum profile_family profile_family(const struct profile *profile)
{
	uint32_t n_heap = 0, n_contention = 0, n_cpu = 0;

	for (uint32_t i = 0; i < profile->n_types; i++) {
		const char *type = profile_text(profile, profile->types[i].type);

		n_heap += is_heap_type(type);
		n_contention += is_contention_type(type);
		n_cpu += strcmp(type, "cpu") == 0;
	}
	if (n_heap && n_heap == profile->n_types)
		return FAMILY_HEAP;
	if (n_contention && n_contention == profile->n_types)
		return FAMILY_CONTENTION;
	return n_cpu ? FAMILY_CPU : FAMILY_OTHER;
}

const char *profile_object_base(const struct profile *profile, object_id object)
{
	return file_base(profile_text(profile, profile->objects[object.row].file));
}

const char *profile_program(const struct profile *profile)
{
	return profile->program.row ? profile_object_base(profile, profile->program) : NULL;
}

static uint32_t find_exact(const struct profile *profile, const char *name)
{
	uint32_t i = 0;

	while (i < profile->n_types && strcmp(profile_text(profile, profile->types[i].type), name) != 0)
		i++;
	return i;
}

uint32_t profile_find_type(const struct profile *profile, const char *name)
{
	static const char *const aliases[][2] = {
		{"inuse_space", "space"}, {"inuse_objects", "objects"}, {"alloc_space", "space"}, {"alloc_objects", "objects"},
		{"space", "inuse_space"}, {"objects", "inuse_objects"}, {"total_delay", "delay"},
	};
	uint32_t found = find_exact(profile, name);

	for (size_t i = 0; found == profile->n_types && i < sizeof aliases / sizeof *aliases; i++)
		if (strcmp(aliases[i][0], name) == 0)
			found = find_exact(profile, aliases[i][1]);
	return found;
}

uint32_t profile_count_type(const struct profile *profile, uint32_t type)
{
	static const char *const counts[][2] = {
		{"inuse_space", "inuse_objects"},
		{"alloc_space", "alloc_objects"},
		{"space", "objects"},
		{"delay", "contentions"},
		{"cpu", "samples"},
	};
	const char *name = profile_text(profile, profile->types[type].type);

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (strcmp(counts[i][0], name) == 0)
			return profile_find_type(profile, counts[i][1]);
	return strcmp(profile_text(profile, profile->types[type].unit), "count") == 0 ? type : profile->n_types;
}

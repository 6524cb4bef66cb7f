#include "cmd/sample_type.h"

#include "analyze/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *join_types(struct arena *arena, const struct profile *profile)
{
	const char **names = arena_alloc(arena, profile->n_types, sizeof *names);

	for (uint32_t i = 0; i < profile->n_types; i++)
		names[i] = profile_text(profile, profile->types[i].type);
	return text_join(arena, names, profile->n_types);
}

static struct err *unknown_type(const struct options *options, const struct profile *profile)
{
	if (!profile->n_types)
		return err_new("%s: expected a profile with sample types, found none",
		               profile_text(profile, profile->sources[0].name));
	struct arena *arena = arena_new();
	const char *types = join_types(arena, profile);
	struct err *err;

	if (options->type)
		err = err_new("--%s: the profile has not got it; its types are %s", options->type, types);
	else
		err = err_new("--sample_index=%s: expected a number from 0 to %" PRIu32 " or one of %s", options->sample_index,
		              profile->n_types - 1, types);
	arena_free(arena);
	return err;
}

/* A number counts from 0, as in google/pprof, where "inuse_x" is also what is called "x". */
static uint32_t find_indexed_type(const struct profile *profile, const char *index)
{
	uint32_t found = profile_find_type(profile, index);
	char *end;

	if (found < profile->n_types)
		return found;
	if (strncmp(index, "inuse_", 6) == 0)
		return profile_find_type(profile, index + 6);
	unsigned long number = strtoul(index, &end, 10);
	return *end || *index < '0' || *index > '9' || number >= profile->n_types ? profile->n_types : (uint32_t)number;
}

/* gperftools' reports of a CPU profile count samples; google/pprof's show time. */
static uint32_t default_type(const struct profile *profile, const struct renderer *renderer)
{
	uint32_t samples = profile_find_type(profile, "samples");
	bool is_classic = renderer->parts & (PART_TABLE | PART_GRAPH);

	return is_classic && profile_family(profile) == FAMILY_CPU && samples < profile->n_types ? samples
	                                                                                         : profile->default_type;
}

struct err *sample_type_choose(const struct options *options, const struct profile *profile,
                               const struct renderer *renderer, uint32_t *ret)
{
	if (options->type)
		*ret = profile_find_type(profile, options->type);
	else if (options->sample_index)
		*ret = find_indexed_type(profile, options->sample_index);
	else
		*ret = default_type(profile, renderer);
	return *ret < profile->n_types ? NULL : unknown_type(options, profile);
}

#include "cmd/sample_type.h"

#include "analyze/base/text.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *sample_type_list(const struct profile *profile, struct arena *arena)
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
	const char *types = sample_type_list(profile, arena);
	struct err *err;

	if (options->type)
		err = err_new("--%s: the profile has not got it; its types are %s", options->type, types);
	else
		err = err_new("--sample_index=%s: expected a number from 0 to %" PRIu32 " or one of %s", options->sample_index,
		              profile->n_types - 1, types);
	arena_free(arena);
	return err;
}

struct type_word sample_type_word(const char *word)
{
	const char *of_total = text_after(word, "total_"), *of_mean = text_after(word, "mean_");

	if (of_total)
		return (struct type_word){of_total, true, false};
	if (of_mean)
		return (struct type_word){of_mean, true, true};
	return (struct type_word){word, false, false};
}

/* A number counts from 0, as in google/pprof, where "inuse_x" is also what is called "x". */
static uint32_t find_indexed_type(const struct profile *profile, const char *index)
{
	uint32_t found = profile_find_type(profile, index);
	char *end;

	if (found < profile->n_types)
		return found;
	if (text_after(index, "inuse_"))
		return profile_find_type(profile, text_after(index, "inuse_"));
	unsigned long number = strtoul(index, &end, 10);
	return *end || *index < '0' || *index > '9' || number >= profile->n_types ? profile->n_types : (uint32_t)number;
}

/* A type that is a count itself has no mean. */
static uint32_t find_count_type(const struct profile *profile, uint32_t type)
{
	uint32_t count = profile_count_type(profile, type);

	return count == type ? profile->n_types : count;
}

static struct err *choose_count(const struct profile *profile, const struct renderer *renderer, struct view_opts *view)
{
	struct arena *arena = arena_new();
	struct err *err = NULL;

	view->count_type = find_count_type(profile, view->type);
	if (renderer->holds_sums)
		err = err_new("--mean: --%s writes values that are to be added up, and means do not add up: let it write the "
		              "sums, and see the means with --tree or --traces",
		              renderer->name);
	else if (profile->n_sets > SET_BASE)
		err = err_new("--mean: a difference has no mean: leave out --%s", view->of_base ? "diff_base" : "base");
	else if (view->count_type == profile->n_types)
		err = err_new("--mean: %s has no count that divides it; the types of the profile are %s",
		              text_printable(profile_text(profile, profile->types[view->type].type), arena),
		              sample_type_list(profile, arena));
	arena_free(arena);
	return err;
}

/* gperftools' reports of a CPU profile count samples; google/pprof's show time. */
static uint32_t default_type(const struct profile *profile, const struct renderer *renderer,
                             const struct view_opts *view)
{
	uint32_t samples = profile_find_type(profile, "samples");
	bool counts_samples = (renderer->parts & (PART_TABLE | PART_GRAPH)) && !view->mean;

	return counts_samples && profile_family(profile) == FAMILY_CPU && samples < profile->n_types
	           ? samples
	           : profile->default_type;
}

struct err *sample_type_choose(const struct options *options, const struct profile *profile,
                               const struct renderer *renderer, struct view_opts *view)
{
	struct type_word word = sample_type_word(options->type ? options->type : "");

	if (word.has_mode)
		view->mean = word.mean;
	if (options->type)
		view->type = profile_find_type(profile, word.type);
	else if (options->sample_index)
		view->type = find_indexed_type(profile, options->sample_index);
	else
		view->type = default_type(profile, renderer, view);
	if (view->type >= profile->n_types)
		return unknown_type(options, profile);
	return view->mean ? choose_count(profile, renderer, view) : NULL;
}

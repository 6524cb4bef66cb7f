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

static struct err *no_types(const struct profile *profile)
{
	return err_new("%s: expected a profile with sample types, found none",
	               profile_text(profile, profile->sources[0].name));
}

static struct err *unknown_index(const struct profile *profile, const char *option, const char *index)
{
	if (!profile->n_types)
		return no_types(profile);
	struct arena *arena = arena_new();
	struct err *err = err_new("%s=%s: expected a number from 0 to %" PRIu32 " or one of %s", option, index,
	                          profile->n_types - 1, sample_type_list(profile, arena));

	arena_free(arena);
	return err;
}

static struct err *unknown_type(const struct options *options, const struct profile *profile)
{
	if (!options->type || !profile->n_types)
		return unknown_index(profile, "--sample_index", options->sample_index ? options->sample_index : "");
	struct arena *arena = arena_new();
	struct err *err =
		err_new("--%s: the profile has not got it; its types are %s", options->type, sample_type_list(profile, arena));

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

static struct err *check_mean(const struct profile *profile, const struct view_opts *view, uint32_t type,
                              const char *option)
{
	struct arena *arena = arena_new();
	struct err *err = NULL;

	if (profile->n_sets > SET_BASE)
		err = err_new("%s: a difference has no mean: leave out --%s", option, view->of_base ? "diff_base" : "base");
	else if (find_count_type(profile, type) == profile->n_types)
		err = err_new("%s: %s has no count that divides it; the types of the profile are %s", option,
		              text_printable(profile_text(profile, profile->types[type].type), arena),
		              sample_type_list(profile, arena));
	arena_free(arena);
	return err;
}

static struct err *choose_count(const struct profile *profile, const struct renderer *renderer, struct view_opts *view)
{
	view->count_type = find_count_type(profile, view->type);
	if (renderer->holds_sums)
		return err_new("--mean: --%s writes values that are to be added up, and means do not add up: let it write the "
		               "sums, and see the means with --tree or --traces",
		               renderer->name);
	return check_mean(profile, view, view->type, "--mean");
}

/* ---- columns ---- */

static bool has_columns(const struct options *options, const struct renderer *renderer)
{
	return options->columns && renderer == &render_top;
}

/* The one of this name or number. */
static struct err *read_column(const struct profile *profile, const char *name, struct column_opts *ret)
{
	*ret = (struct column_opts){.type = find_indexed_type(profile, name)};
	if (ret->type < profile->n_types)
		return NULL;
	ret->is_mean = strcmp(name, "mean") == 0;
	return ret->is_mean ? NULL : unknown_index(profile, "--columns", name);
}

/* A mean has no type yet. */
static struct err *read_columns(const struct profile *profile, const char *list, struct columns_opts *ret)
{
	struct err *err = NULL;
	size_t length;

	*ret = (struct columns_opts){0};
	for (const char *item; !err && (item = text_item(&list, ',', &length));) {
		char CLEANUP(mem_free_local) *name = mem_strndup(item, length);

		/* There is room for one more, the view's. */
		if (ret->n + 1 == COLUMNS_MOST)
			return err_new("--columns: expected at most %d types", COLUMNS_MOST - 1);
		err = read_column(profile, name, &ret->items[ret->n++]);
	}
	return err;
}

static uint32_t first_column(const struct profile *profile, const struct columns_opts *columns)
{
	for (uint32_t i = 0; i < columns->n; i++)
		if (!columns->items[i].is_mean)
			return columns->items[i].type;
	return profile->n_types;
}

static void add_shown_type(uint32_t type, struct columns_opts *columns)
{
	for (uint32_t i = 0; i < columns->n; i++)
		if (!columns->items[i].is_mean && columns->items[i].type == type)
			return;
	memmove(columns->items + 1, columns->items, columns->n * sizeof *columns->items);
	columns->items[0] = (struct column_opts){.type = type};
	columns->n++;
}

/* The view's type, or where that is a count what it counts: of inuse_objects it is inuse_space. */
static uint32_t type_of_mean(const struct profile *profile, uint32_t shown)
{
	for (uint32_t i = 0; i < profile->n_types && find_count_type(profile, shown) == profile->n_types; i++)
		if (i != shown && profile_count_type(profile, i) == shown)
			return i;
	return shown;
}

struct err *sample_type_columns(const struct options *options, const struct profile *profile,
                                const struct renderer *renderer, const struct view_opts *view, struct columns_opts *ret)
{
	if (!has_columns(options, renderer))
		return NULL;
	if (view->mean)
		return err_new("--columns and --%s contradict each other: mean is a column, too", options->type);
	struct err *err = read_columns(profile, options->columns, ret);
	if (err)
		return err;
	add_shown_type(view->type, ret);
	for (uint32_t i = 0; i < ret->n && !err; i++) {
		struct column_opts *column = &ret->items[i];

		if (!column->is_mean)
			continue;
		column->type = type_of_mean(profile, view->type);
		column->count_type = find_count_type(profile, column->type);
		err = check_mean(profile, view, column->type, "--columns=mean");
	}
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
	struct columns_opts columns = {0};
	struct err *err = has_columns(options, renderer) ? read_columns(profile, options->columns, &columns) : NULL;

	if (err)
		return err;
	if (word.has_mode)
		view->mean = word.mean;
	if (options->type)
		view->type = profile_find_type(profile, word.type);
	else if (options->sample_index)
		view->type = find_indexed_type(profile, options->sample_index);
	else if (first_column(profile, &columns) < profile->n_types)
		view->type = first_column(profile, &columns);
	else
		view->type = default_type(profile, renderer, view);
	if (view->type >= profile->n_types)
		return unknown_type(options, profile);
	return view->mean ? choose_count(profile, renderer, view) : NULL;
}

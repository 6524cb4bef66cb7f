#include "render/trend_rows.h"

#include "analyze/base/file.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST_HEADING = 8 };

uint32_t trend_n_rows(const struct report *report, uint32_t usual)
{
	const struct report_opts *opts = &report->opts;
	uint32_t most = opts->node_count < 0 ? usual : (uint32_t)opts->node_count, n = report->series.n_rows;

	return opts->trim && most && most < n ? most : n;
}

/* ---- snapshots ---- */

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool all_differ(const char *const *texts, uint32_t n)
{
	const char **CLEANUP(mem_free_local) sorted = mem_alloc(n, sizeof *sorted);

	memcpy(sorted, texts, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_texts);
	for (uint32_t i = 1; i < n; i++)
		if (strcmp(sorted[i], sorted[i - 1]) == 0)
			return false;
	return true;
}

const char **trend_names(const struct series *series, struct arena *arena)
{
	uint32_t n = series->n_snapshots;
	const char **names = arena_alloc(arena, n, sizeof *names);

	for (uint32_t i = 0; i < n; i++)
		names[i] = file_base(series->snapshots[i].name);
	if (all_differ(names, n))
		return names;
	for (uint32_t i = 0; i < n; i++)
		names[i] = series->snapshots[i].name;
	return names;
}

/* A number in a name, of which the first is 0; NULL: there are less. */
static const char *find_number(const char *name, uint32_t which, size_t *length_ret)
{
	static const char digits[] = "0123456789";

	for (;; which--) {
		name += strcspn(name, digits);
		*length_ret = strspn(name, digits);
		if (!which || !*name)
			return *name ? name : NULL;
		name += *length_ret;
	}
}

static bool have_numbers(const char *const *names, uint32_t n, uint32_t which)
{
	size_t length;

	for (uint32_t i = 0; i < n; i++)
		if (!find_number(names[i], which, &length))
			return false;
	return true;
}

/* Whether they make headings. */
static bool take_numbers(const char *const *names, uint32_t n, uint32_t which, struct arena *arena, const char **ret)
{
	for (uint32_t i = 0; i < n; i++) {
		size_t length;
		const char *number = find_number(names[i], which, &length);

		if (length > LONGEST_HEADING)
			return false;
		ret[i] = arena_strndup(arena, number, length);
	}
	return all_differ(ret, n);
}

const char **trend_headings(const struct series *series, struct arena *arena)
{
	uint32_t n = series->n_snapshots;
	const char **headings = arena_alloc(arena, n, sizeof *headings);
	const char **CLEANUP(mem_free_local) names = mem_alloc(n, sizeof *names);

	for (uint32_t i = 0; i < n; i++)
		names[i] = file_base(series->snapshots[i].name);
	for (uint32_t which = 0; have_numbers(names, n, which); which++)
		if (take_numbers(names, n, which, arena, headings))
			return headings;
	for (uint32_t i = 0; i < n; i++)
		headings[i] = arena_printf(arena, "%u", i + 1);
	return headings;
}

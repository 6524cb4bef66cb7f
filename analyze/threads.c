#include "analyze/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

/* What stands behind the t of "t3". */
static const char *plain(const char *thread)
{
	return *thread == 't' && is_number(thread + 1) ? thread + 1 : thread;
}

/* NULL: the label names no thread. */
static const char *name_of(const struct profile *p, const struct label *label, char text[24])
{
	if (strcmp(profile_text(p, label->key), "thread") != 0)
		return NULL;
	if (label->text.row)
		return plain(profile_text(p, label->text));
	snprintf(text, 24, "%" PRId64, label->number);
	return text;
}

static bool set_has(const struct profile *p, const struct label_set *set, const char *thread)
{
	char text[24];

	for (uint32_t i = set->first; i < set->first + set->n; i++) {
		const char *name = name_of(p, &p->labels[i], text);

		if (name && strcmp(name, thread) == 0)
			return true;
	}
	return false;
}

bool *threads_find(const struct profile *profile, const char *thread)
{
	bool *found = mem_zalloc(profile->n_label_sets, sizeof *found);

	for (uint32_t i = 0; i < profile->n_label_sets; i++)
		found[i] = set_has(profile, &profile->label_sets[i], plain(thread));
	return found;
}

/* Numbers by their size, however long they are; then texts. */
static int by_name(const void *x, const void *y)
{
	const char *a = *(const char *const *)x, *b = *(const char *const *)y;
	bool a_is_number = is_number(a), b_is_number = is_number(b);

	if (a_is_number != b_is_number)
		return a_is_number ? -1 : 1;
	if (a_is_number && strlen(a) != strlen(b))
		return strlen(a) < strlen(b) ? -1 : 1;
	return strcmp(a, b);
}

const char **threads_list(const struct profile *profile, struct arena *arena, uint32_t *n_ret)
{
	const char **names = arena_alloc(arena, profile->n_labels, sizeof *names);
	bool CLEANUP(mem_free_local) *is_known = mem_zalloc(profile->n_strs, sizeof *is_known);
	uint32_t n = 0, n_once = 0;
	char text[24];

	for (uint32_t i = 0; i < profile->n_labels; i++) {
		const struct label *label = &profile->labels[i];
		const char *name = name_of(profile, label, text);

		if (name && !is_known[label->text.row])
			names[n++] = name == text ? arena_strndup(arena, text, strlen(text)) : name;
		is_known[label->text.row] |= name && label->text.row;
	}
	if (n)
		qsort(names, n, sizeof *names, by_name);
	for (uint32_t i = 0; i < n; i++)
		if (!i || strcmp(names[i], names[n_once - 1]) != 0)
			names[n_once++] = names[i];
	*n_ret = n_once;
	return names;
}

const char *threads_title(const char *thread, struct arena *arena)
{
	return is_number(plain(thread)) ? arena_printf(arena, "t%s", plain(thread)) : thread;
}

#include "render/label_groups.h"

#include "analyze/base/text.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *x, const void *y)
{
	const struct shown_label *a = *(const struct shown_label *const *)x, *b = *(const struct shown_label *const *)y;
	int order = text_compare(a->key, b->key);

	/* Both are items of one list: the values of a key stay in its order. */
	return order ? order : a < b ? -1 : a > b;
}

void labels_sort(const struct shown_label **labels, uint32_t n)
{
	if (n)
		qsort(labels, n, sizeof *labels, by_key);
}

static int by_head(const void *x, const void *y)
{
	const struct label_group *a = x, *b = y;
	int order = strcmp(a->head, b->head);

	return order ? order : a->labels < b->labels ? -1 : a->labels > b->labels;
}

uint32_t label_groups(const struct label_list *list, enum label_kind kind,
                      const char *(*head)(struct arena *, const char *key), struct arena *arena,
                      struct label_group **ret)
{
	const struct shown_label **labels = arena_alloc(arena, list->n, sizeof *labels);
	struct label_group *groups = arena_alloc(arena, list->n, sizeof *groups);
	uint32_t n = 0, n_groups = 0;

	for (uint32_t i = 0; i < list->n; i++)
		if ((list->items[i].text == NULL) == (kind == LABEL_NUMBER))
			labels[n++] = &list->items[i];
	labels_sort(labels, n);
	for (uint32_t i = 0; i < n; i++) {
		if (!i || text_compare(labels[i]->key, labels[i - 1]->key) != 0)
			groups[n_groups++] = (struct label_group){head(arena, labels[i]->key), labels + i, 0};
		groups[n_groups - 1].n++;
	}
	qsort(groups, n_groups, sizeof *groups, by_head);
	*ret = groups;
	return n_groups;
}

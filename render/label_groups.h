/* The labels of one sample, put together by key, in the order in which google/pprof writes them. */
#pragma once

#include "analyze/labels.h"

/* A key may have several values; text and numbers of one key are two groups. */
struct label_group {
	const char *head; /* what stands before the values */
	const struct shown_label **labels;
	uint32_t n;
};

enum label_kind { LABEL_TEXT, LABEL_NUMBER };

/* By key; labels, which are of one list, stay in its order where their keys are equal. */
void labels_sort(const struct shown_label **labels, uint32_t n);

/* The groups of one kind, in arena. head makes the text before the values of a key, by which they are sorted. */
uint32_t label_groups(const struct label_list *list, enum label_kind kind,
                      const char *(*head)(struct arena *, const char *key), struct arena *arena,
                      struct label_group **ret);

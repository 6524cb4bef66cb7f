/* Which labels reports show: those of the keys that the user's patterns choose. */
#pragma once

#include "analyze/labels.h"
#include "analyze/tag_filter.h"

struct tag_keys;

/* NULL where all are shown. Notes tell of a pattern that no key matches; the error is a bad one. */
struct err *tag_keys_new(const struct profile *profile, const struct tag_opts *opts, struct diag *notes,
                         struct tag_keys **ret) MUST_CHECK;
void tag_keys_free(struct tag_keys *keys);

/* Takes the labels out of the list that are not shown. keys may be NULL. */
void tag_keys_keep(const struct tag_keys *keys, struct label_list *list);

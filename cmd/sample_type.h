/* Which of a profile's values a report shows. */
#pragma once

#include "cmd/options.h"
#include "render/renderer.h"

/* The type that the user named, by its name or number, or by the first of the columns, else the one that this kind of
 * report shows by itself; and for means, what they are divided by. The error lists the types that there are, or says that
 * there are no means. */
struct err *sample_type_choose(const struct options *options, const struct profile *profile,
                               const struct renderer *renderer, struct view_opts *view) MUST_CHECK;

/* The columns that the user named (--columns), where the renderer shows any: the view's type is one of them, the first where
 * it is not named. The error lists the types, or says that there are no means. */
struct err *sample_type_columns(const struct options *options, const struct profile *profile,
                                const struct renderer *renderer, const struct view_opts *view,
                                struct columns_opts *ret) MUST_CHECK;

/* The names of the types, with commas between. */
const char *sample_type_list(const struct profile *profile, struct arena *arena);

/* What the words "x", "total_x" and "mean_x" say of a sample type x. */
struct type_word {
	const char *type; /* in the word */
	bool has_mode;    /* it says whether means are shown */
	bool mean;
};
struct type_word sample_type_word(const char *word);

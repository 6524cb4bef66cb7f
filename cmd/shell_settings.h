/* The shell's settings: the options that hold for each command, until they are changed. */
#pragma once

#include "cmd/options.h"
#include "render/out.h"

/* What a row of the option table is to the shell. */
bool setting_is_command(const struct opt_row *row); /* a report or a viewer */
bool setting_makes_report(
	const struct opt_row *row);                   /* one that is an option of --text, and means it where it is alone */
bool setting_is_known(const struct opt_row *row); /* what commands obey; others only count when pprof starts */

bool setting_is_group(const char *name); /* "granularity" or "sort" */
/* True for the options that google/pprof's groups "granularity" and "sort" consist of. */
bool setting_is_member(const char *group, const struct opt_row *row);
/* "X: did you mean Y?" */
struct err *setting_unknown(const char *what, const char *name) MUST_CHECK;
/* Sets an option by its name, a group by one of its names, or the type of the values by its own; value NULL: it is said
 * without one; "": the setting is as nobody set it. The error leaves all as it was. */
struct err *setting_set(struct options *options, const struct profile *profile, const char *name,
                        const char *value) MUST_CHECK;
/* True when this word alone chooses the type of the values: alloc_space, total_delay, mean_delay. */
bool setting_is_type(const struct profile *profile, const char *word);
/* focus, ignore, hide, show, tagfocus and tagignore as nobody set them. */
void settings_clear_filters(struct options *options);
/* "name = value", line by line. */
void setting_list(const struct options *options, const struct profile *profile, struct out *out);

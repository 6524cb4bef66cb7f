/* What a user can do about names that are missing or doubtful: in --info, and behind the warnings. */
#pragma once

#include "analyze/profile.h"

/* By the object's fate; of row 0, for addresses in no object. Lines of at most 70 characters, behind which a build id may
 * stand, in the arena; NULL: nothing is missing, or nothing helps. */
const char *advice_on_object(const struct profile *p, object_id object, struct arena *arena);
/* The same in one line. */
const char *advice_in_a_line(const struct profile *p, object_id object, struct arena *arena);

/* What a job found out about a location, put into the profile. */
#pragma once

#include "analyze/build.h"
#include "symbolize/job.h"

/* The answer has frames. */
void answer_write(struct build *build, const struct answer *answer);

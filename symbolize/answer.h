/* What a job found out about locations, put into the profile. */
#pragma once

#include "analyze/build.h"
#include "symbolize/job.h"

/* Those that have frames get their lines. */
void answers_write(struct build *build, const struct answer *answers, uint32_t n);

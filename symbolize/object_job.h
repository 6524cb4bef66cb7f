/* The job that an object of a profile needs. */
#pragma once

#include "analyze/profile.h"
#include "symbolize/job.h"
#include "symbolize/symbolize.h"

/* A job without questions. is_program: the user's program stands for the object. */
struct job object_job(const struct profile *profile, const struct symbolize_opts *opts, object_id object,
                      bool is_program);

/* The location's offset is a link-time address: no map places it, or one that knows nothing. */
bool object_job_is_link_time(const struct profile *profile, const struct location *loc);

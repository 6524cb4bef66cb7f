/* What a job found out about a location, put into the profile. */
#pragma once

#include "analyze/build.h"
#include "symbolize/job.h"

/* Knows the texts that it has written by their place in memory: most come many times. All answers that go through one
 * writer outlive it. */
struct answer_writer {
	struct build *build;
	struct addrs places;
	str_id *ids; /* beside places */
	uint32_t cap;
};

/* The answer has frames. writer begins as zeroed but for build. */
void answer_write(struct answer_writer *writer, const struct answer *answer);
void answer_writer_free(struct answer_writer *writer);

/* The samples of a Profile message. */
#pragma once

#include "analyze/read/proto_tables.h"

/* Adds them to the build of the tables, after the sample types; *n_ret is how many there are. One that is damaged is a
 * trouble, and none that can be used an error. */
struct err *proto_samples_read(struct span message, const struct cursor *in, struct proto_tables *tables,
                               uint64_t *n_ret) MUST_CHECK;

/* A profile.proto under construction: its string table, and the fields that all formats which write one share. */
#pragma once

#include "analyze/base/index.h"
#include "analyze/base/pb.h"
#include "analyze/profile.h"
#include "analyze/proto.h"
#include "render/out.h"

struct proto_out {
	struct pb_writer profile;
	struct pb_writer message, inner; /* scratch, for a field of the profile and for one of that */
	struct index pointers;           /* of the strings, to find again what was found before without reading it */
	const char **strings;            /* in the order of their first use; they stay the caller's */
	uint32_t n_strings, cap_strings;
	struct index index;
};

void proto_out_init(struct proto_out *to);

/* The number of the text in the string table. */
uint64_t proto_out_str(struct proto_out *to, const char *text);

void proto_out_type(struct proto_out *to, enum profile_field field, const char *type, const char *unit);
/* Values as int64: rounded half away from zero, and held at the ends of the range. */
void proto_out_values(struct pb_writer *sample, struct pb_writer *scratch, const double *values, uint32_t n);
void proto_out_function(struct proto_out *to, uint64_t id, const char *name, const char *system_name, const char *file,
                        uint32_t start_line);
void proto_out_line(struct pb_writer *location, struct pb_writer *scratch, uint64_t function, uint32_t line,
                    uint32_t column);
/* When the profile was taken, and by what period. */
void proto_out_times(struct proto_out *to, const struct profile *profile);

/* Adds the string table, writes all of it compressed, and frees it. */
void proto_out_finish(struct proto_out *to, struct out *out);

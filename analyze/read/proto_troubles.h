/* What is wrong with a profile.proto: each kind of trouble is counted, and gets one note. */
#pragma once

#include "analyze/base/cursor.h"
#include "analyze/base/pb.h"
#include "analyze/build.h"

enum proto_trouble {
	SAMPLE_FORM,   /* not a message, or a field of another type */
	SAMPLE_VALUES, /* not one for each type */
	SAMPLE_LOCATION,
	SAMPLE_STRING,
	SAMPLE_DEPTH,
	N_SAMPLE_TROUBLES,
	TABLE_FORM = N_SAMPLE_TROUBLES,
	TABLE_ID,
	TABLE_STRING,
	TABLE_FIRST_STRING,
	TABLE_LONG_STRING,
	TABLE_FUNCTION,
	TABLE_MAPPING,
	TABLE_LINES,
	TABLE_COMMENTS,
	N_TROUBLES
};

struct proto_troubles {
	struct proto_trouble_kind {
		uint32_t n;
		const char *at; /* where the first is, and what it is */
		char text[120];
	} kinds[N_TROUBLES];
};

/* Counts a trouble; the text of the first of its kind is kept. */
void proto_trouble(struct proto_troubles *troubles, enum proto_trouble kind, const char *at, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* Likewise, of a message that ended early, or else of the type of one of its fields. */
void proto_bad_form(struct proto_troubles *troubles, enum proto_trouble kind, const struct pb_reader *message,
                    const struct pb_field *field);

/* One note for each kind; a trouble of samples costs each of them one of n_samples. */
void proto_troubles_note(const struct proto_troubles *troubles, uint64_t n_samples, const struct cursor *in,
                         struct build *build);
/* The error where no sample can be used: what is wrong with the first. There is one. */
struct err *proto_troubles_err(const struct proto_troubles *troubles, const struct cursor *in) MUST_CHECK;

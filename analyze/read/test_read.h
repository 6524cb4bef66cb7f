/* Profiles read from a text that stands in a test, for *_test.c of the readers alone. */
#pragma once

#include "analyze/test.h"

#include "analyze/read/reader.h"

#include <string.h>

/* The reader must know the text by its head. In messages the file is called "t". */
static inline struct err *test_read(const struct reader *reader, const char *text, const struct read_opts *opts,
                                    struct build **ret)
{
	struct cursor in;

	*ret = build_new();
	assert_true(reader->probe((struct span){text, text + strlen(text)}));
	cursor_init(&in, "t", text, strlen(text));
	build_source(*ret, "t", reader->name);
	// cppcheck-suppress returnDanglingLifetime ; an error keeps a text, and no cursor
	return reader->read(&in, opts, *ret);
}

static inline struct profile *test_read_whole(const struct reader *reader, const char *text,
                                              const struct read_opts *opts)
{
	struct build *build;

	assert_null(test_read(reader, text, opts, &build));
	return build_finish(build);
}

/* Of all samples. */
static inline double test_sum(const struct profile *p, const char *type)
{
	double sum = 0;

	for (uint32_t i = 0; i < p->n_samples; i++)
		sum += profile_value(p, i, SET_MAIN, profile_find_type(p, type));
	return sum;
}

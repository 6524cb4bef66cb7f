#include "testdata/fuzz/fuzz.h"

#include "analyze/report.h"

#include <stdlib.h>

const struct read_opts fuzz_read_opts = {.n_threads = 1, .max_inflate = 1 << 20};

enum { MOST_TYPES = 16 };

void fuzz_expect(bool holds)
{
	if (!holds)
		abort();
}

static void look_at_report(const struct view *view, unsigned parts)
{
	struct report_opts opts = {.trim = false};
	struct report *report;
	struct err *err = report_build(view, &opts, parts, &report);

	if (err)
		err_free(err);
	else
		report_free(report);
}

static void look_at_types(const struct view *view)
{
	for (uint32_t type = 0; type < view->profile->n_types && type < MOST_TYPES; type++)
		view_free(view_of_type(view, type));
}

void fuzz_look_at_parts(struct build *build, bool normalize, unsigned parts)
{
	struct profile *profile = build_finish(build);
	struct view_opts opts = {.type = profile->default_type, .normalize = normalize};
	struct view *view;
	struct err *err = view_new(profile, &opts, &view);

	if (err) {
		err_free(err);
	} else {
		look_at_report(view, parts);
		look_at_types(view);
		view_free(view);
	}
	profile_free(profile);
}

void fuzz_look_at(struct build *build)
{
	fuzz_look_at_parts(build, false, PART_TABLE | PART_TAGS | PART_INFO);
}

struct build *fuzz_read(const struct reader *reader, const struct read_opts *opts, const uint8_t *data, size_t size)
{
	struct cursor in;

	cursor_init(&in, "t", data, size);
	if (!reader->probe((struct span){in.at, in.end}))
		return NULL;
	struct build *build = build_new();
	build_source(build, "t", reader->name);
	struct err *err = reader->read(&in, opts, build);
	if (!err)
		return build;
	err_free(err);
	build_free(build);
	return NULL;
}

void fuzz_reader(const struct reader *reader, const struct read_opts *opts, const uint8_t *data, size_t size)
{
	struct build *build = fuzz_read(reader, opts, data, size);

	if (build)
		fuzz_look_at(build);
}

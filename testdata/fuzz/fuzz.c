#include "testdata/fuzz/fuzz.h"

#include "analyze/view.h"

const struct read_opts fuzz_read_opts = {.n_threads = 1, .max_inflate = 1 << 20};

static void look_at(const struct profile *profile)
{
	struct view_opts opts = {0};
	struct view *view;

	for (opts.type = 0; opts.type < profile->n_types; opts.type++) {
		struct err *err = view_new(profile, &opts, &view);

		if (err)
			err_free(err);
		else
			view_free(view);
	}
}

void fuzz_reader(const struct reader *reader, const uint8_t *data, size_t size)
{
	struct cursor in;

	cursor_init(&in, "t", data, size);
	if (!reader->probe((struct span){in.at, in.end}))
		return;
	struct build *build = build_new();
	build_source(build, "t", reader->name);
	struct err *err = reader->read(&in, &fuzz_read_opts, build);
	if (err) {
		err_free(err);
		build_free(build);
		return;
	}
	struct profile *profile = build_finish(build);
	look_at(profile);
	profile_free(profile);
}

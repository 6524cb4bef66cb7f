#include "testdata/fuzz/fuzz_profile.h"

#include "analyze/build.h"

#include <stdlib.h>

struct frame {
	const char *name, *file;
	uint32_t line;
};

static const struct frame FRAMES[] = {
	{"malloc", "", 0},
	{"std::vector<int>::push_back", "/usr/include/c++/vector.h", 1200},
	{"server::Cache::add", "/src/server/cache.cc", 42},
	{"server::handle", "/src/server/handle.cc", 7},
	{"(anonymous namespace)::run", "/src/main.cc", 99},
	{"main", "/src/main.cc", 12},
	{"github.com/some/pkg.(*T).Grow", "pkg/t.go", 33},
	{"java.util.HashMap.put", "HashMap.java", 611},
};
enum { N_FRAMES = sizeof FRAMES / sizeof *FRAMES };

static loc_id add_loc(struct build *build, const struct frame *frame, uint32_t number)
{
	loc_id loc = build_loc(build, 0x1000 + 0x10 * number);
	str_id name = build_cstr(build, frame->name);
	struct function function = {.name = name, .system_name = name, .file = build_cstr(build, frame->file)};
	struct line lines[2] = {{.func = build_func(build, &function), .line = frame->line}};

	function.name = function.system_name = build_cstr(build, "outlined");
	lines[1] = (struct line){.func = build_func(build, &function), .line = 1};
	build_lines(build, loc, lines, number % 3 == 2 ? 2 : 1);
	return loc;
}

static labels_id add_labels(struct build *build, uint32_t number)
{
	static const char *const TENANTS[] = {"alice", "bob:8", "c,d", ""};
	const struct label labels[] = {
		{.key = build_cstr(build, "tenant"), .text = build_cstr(build, TENANTS[number % 4])},
		{.key = build_cstr(build, "request"), .number = 512 << number, .unit = build_cstr(build, "bytes")},
		{.key = build_cstr(build, "thread"), .text = build_cstr(build, number % 2 ? "t1" : "t2")},
	};

	return build_labels(build, labels, number % 4);
}

static void add_samples(struct build *build, uint32_t factor)
{
	loc_id locs[N_FRAMES];

	for (uint32_t i = 0; i < N_FRAMES; i++)
		locs[i] = add_loc(build, &FRAMES[i], i);
	for (uint32_t i = 0; i < N_FRAMES; i++) {
		const double values[] = {(i + 1) * factor, (i + 1) * factor * 1024.0 * (i % 3)};

		build_sample(build, build_stack(build, locs + i, N_FRAMES - i), add_labels(build, i), values);
		build_block_size(build, INT64_C(1024) * (i % 3));
	}
}

static struct build *build_heap(const char *name, uint32_t factor)
{
	struct build *build = build_new();

	build_source(build, name, "heap");
	build_type(build, "inuse_objects", "count");
	build_type(build, "inuse_space", "bytes");
	build_set_default_type(build, 1);
	add_samples(build, factor);
	return build;
}

struct profile *fuzz_profile(void)
{
	struct build *build = build_heap("now", 3), *base = build_heap("before", 2);

	if (build_append(build, build_profile(base), SET_BASE))
		abort();
	build_free(base);
	return build_finish(build);
}

/* What reports are written, in each format but those that graphviz lays out. The bytes are texts, each ended by a NUL, up to
 * an empty one; then the choices of which a profile is made. What is written must be well-formed, and a profile.proto has
 * the same totals. */
#include "render/render.h"
#include "testdata/fuzz/checks.h"
#include "testdata/fuzz/fuzz.h"

#include "analyze/base/gzip.h"
#include "analyze/build.h"
#include "analyze/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 32, MOST_SAMPLES = 12, MOST_FRAMES = 6, N_LOCS = 8 };

/* ---- the input ---- */

struct text {
	const char *at;
	size_t size;
};

struct input {
	struct text texts[MOST_TEXTS];
	uint32_t n_texts;
	const uint8_t *at, *end;
};

static struct input input_of(const uint8_t *data, size_t size)
{
	struct input in = {.texts = {{"", 0}}, .n_texts = 1, .at = data, .end = data + size};

	while (in.at < in.end && in.n_texts < MOST_TEXTS) {
		size_t n = strnlen((const char *)in.at, (size_t)(in.end - in.at));
		struct text text = {(const char *)in.at, n};

		in.at += n + (in.at + n < in.end);
		if (n == 0)
			break;
		in.texts[in.n_texts++] = text;
	}
	return in;
}

static unsigned choice(struct input *in, unsigned n)
{
	return in->at < in->end ? *in->at++ % n : 0;
}

static str_id chosen_text(struct input *in, struct build *build)
{
	const struct text *text = &in->texts[choice(in, in->n_texts)];

	return build_str(build, text->at, text->size);
}

static double chosen_value(struct input *in)
{
	static const double VALUES[] = {0, 1, 3, 1023, 1024, 1 << 20, 1e9, 4503599627370496, 0x1p53, 0x1p62, 0x1p63, 0.5};
	double value = VALUES[choice(in, sizeof VALUES / sizeof *VALUES)];

	return choice(in, 4) == 3 ? -value : value;
}

/* ---- the profile ---- */

static void add_lines(struct input *in, struct build *build, loc_id loc)
{
	struct line lines[3];
	uint32_t n = choice(in, 4);

	for (uint32_t i = 0; i < n; i++) {
		struct function function = {.name = chosen_text(in, build), .file = chosen_text(in, build)};

		function.system_name = choice(in, 2) ? chosen_text(in, build) : function.name;
		lines[i] = (struct line){.func = build_func(build, &function), .line = choice(in, 256)};
	}
	if (n)
		build_lines(build, loc, lines, n);
}

static loc_id add_loc(struct input *in, struct build *build, map_id map, uint32_t number)
{
	loc_id loc = build_placed_loc(build, 0x1000 + 0x10 * number, choice(in, 2) ? map : (map_id){0});

	add_lines(in, build, loc);
	return loc;
}

static map_id add_map(struct input *in, struct build *build)
{
	struct mapping mapping = {.start = 0x1000, .limit = 0x2000};

	mapping.object = build_object(build, chosen_text(in, build), chosen_text(in, build));
	return build_map(build, &mapping);
}

static labels_id add_labels(struct input *in, struct build *build)
{
	struct label labels[3];
	uint32_t n = choice(in, 4);

	for (uint32_t i = 0; i < n; i++) {
		labels[i] = (struct label){.key = chosen_text(in, build)};
		if (choice(in, 2))
			labels[i].text = chosen_text(in, build);
		else
			labels[i].number = (int64_t)(chosen_value(in) / 2);
		if (!labels[i].text.row)
			labels[i].unit = chosen_text(in, build);
	}
	return build_labels(build, labels, n);
}

static void add_sample(struct input *in, struct build *build, const loc_id *locs)
{
	uint32_t n = choice(in, MOST_FRAMES + 1);
	loc_id frames[MOST_FRAMES];

	for (uint32_t i = 0; i < n; i++)
		frames[i] = locs[choice(in, N_LOCS)];
	const double values[] = {chosen_value(in), chosen_value(in)};
	build_sample(build, build_stack(build, frames, n), add_labels(in, build), values);
}

static void add_header(struct input *in, struct build *build)
{
	const struct text *a = &in->texts[choice(in, in->n_texts)], *b = &in->texts[choice(in, in->n_texts)];
	char *name = mem_strndup(a->at, a->size), *unit = mem_strndup(b->at, b->size);

	build_source(build, name, "heap");
	if (choice(in, 2)) {
		build_type(build, "inuse_objects", "count");
		build_type(build, "inuse_space", "bytes");
	} else {
		build_type(build, *name ? name : "things", unit); /* no reader takes one without a name */
		build_type(build, "cpu", "nanoseconds");
	}
	build_set_time(build, (int64_t)(chosen_value(in) / 2), (int64_t)(chosen_value(in) / 2));
	build_comment(build, chosen_text(in, build));
	free(name);
	free(unit);
}

static struct build *build_profile_of(struct input *in)
{
	struct build *build = build_new();
	loc_id locs[N_LOCS];

	add_header(in, build);
	map_id map = add_map(in, build);
	for (uint32_t i = 0; i < N_LOCS; i++)
		locs[i] = add_loc(in, build, map, i);
	build_fold(build);
	for (uint32_t n = 1 + choice(in, MOST_SAMPLES); n > 0; n--)
		add_sample(in, build, locs);
	return build;
}

static struct profile *profile_of(struct input *in)
{
	bool has_base = choice(in, 4) == 3;
	struct build *build = build_profile_of(in), *base = has_base ? build_profile_of(in) : NULL;

	if (base) {
		err_free(build_append(build, build_profile(base), SET_BASE));
		build_free(base);
	}
	return build_finish(build);
}

/* ---- what is written ---- */

static void fail(const char *format, const char *problem, struct out *out)
{
	size_t size;
	const char *bytes = out_memory_bytes(out, &size);

	fprintf(stderr, "--%s: %s\n", format, problem);
	(void)fwrite(bytes, 1, size, stderr);
	abort();
}

static const char *check_proto(const struct view *view, struct out *out);

static const char *check(const struct renderer *renderer, const struct view *view, struct out *out)
{
	size_t size;
	const char *bytes = out_memory_bytes(out, &size);

	if (renderer == &render_proto)
		return check_proto(view, out);
	if (renderer->binary)
		return NULL;
	const char *ext = renderer->ext, *problem = check_text(bytes, size);
	if (!problem && strstr(ext, "json"))
		problem = check_json(bytes, size);
	if (!problem && strcmp(ext, "svg") == 0)
		problem = check_xml(bytes, size);
	return problem;
}

/* Sources and instructions are for who can open files. */
static void leave_out_files(struct report *report, unsigned parts)
{
	for (uint32_t i = 0; (parts & PART_LISTING) && i < report->listing.n_sources; i++)
		report->listing.sources[i].problem = "not read";
	if (parts & PART_CODE)
		report_take_code(report);
}

static void write_report(const struct renderer *renderer, const struct view *view, const struct report_opts *opts)
{
	struct diag told = {0};
	struct report *report = NULL;
	struct out *out = out_memory();
	struct err *err = report_build(view, opts, renderer->parts, &report);

	if (!err) {
		leave_out_files(report, renderer->parts);
		report->told = &told;
		err = renderer->write(report, out);
	}
	const char *problem = err ? NULL : check(renderer, view, out);
	if (problem)
		fail(renderer->name, problem, out);
	err_free(err);
	out_discard(out);
	report_free(report);
	diag_clear(&told);
}

static void write_as(const struct renderer *renderer, const struct profile *profile, const struct view_opts *view_opts,
                     const struct report_opts *report_opts)
{
	struct view_opts opts = *view_opts;
	struct view *view;

	opts.both_sides = renderer->both_sides;
	struct err *err = view_new(profile, &opts, &view);
	if (err)
		return err_free(err);
	write_report(renderer, view, report_opts);
	view_free(view);
}

/* ---- profile.proto is read back ---- */

static struct view *view_of(const struct profile *profile, uint32_t type)
{
	const struct view_opts opts = {.type = type, .all_frames = true};
	struct view *view;

	if (view_new(profile, &opts, &view))
		abort();
	return view;
}

/* Others are rounded or held, each by itself. */
static bool is_exact(const struct profile *profile)
{
	double sum = 0;

	for (size_t i = 0; i < (size_t)profile->n_samples * profile->n_sets * profile->n_types; i++) {
		if (profile->values[i] != floor(profile->values[i]))
			return false;
		sum += fabs(profile->values[i]);
	}
	return sum < 0x1p53;
}

static const char *check_totals(const struct profile *profile, const struct profile *read)
{
	const char *problem = profile->n_types == read->n_types ? NULL : "other types";

	for (uint32_t type = 0; !problem && type < profile->n_types; type++) {
		struct view *one = view_of(profile, type), *other = view_of(read, type);

		if (is_exact(profile) && one->all.sum != other->all.sum)
			problem = "another total";
		view_free(one);
		view_free(other);
	}
	return problem;
}

static const char *check_proto(const struct view *view, struct out *out)
{
	size_t size;
	const char *packed = out_memory_bytes(out, &size), *damage, *problem = "no profile.proto";
	struct arena *arena = arena_new();
	struct bytes bytes;
	struct cursor in;
	struct build *build = build_new();

	if (gzip_inflate("t", (const uint8_t *)packed, size, 1 << 24, arena, &bytes, &damage) || damage)
		abort();
	cursor_init(&in, "t", bytes.data, bytes.size);
	build_source(build, "t", "proto");
	struct err *err = reader_proto.read(&in, &fuzz_read_opts, build);
	struct profile *read = build_finish(build);
	if (err)
		fprintf(stderr, "%s\n", err_text(err));
	else
		problem = check_totals(view->profile, read);
	err_free(err);
	profile_free(read);
	bytes_free(&bytes);
	arena_free(arena);
	return problem;
}

/* ---- all ---- */

/* A page starts a process for each of its graphs, so only some inputs are written as one. */
static bool is_wanted(const struct renderer *renderer, bool wants_page)
{
	return renderer == &render_html ? wants_page : !(renderer->parts & PART_PICTURE);
}

static void write_all(struct input *in, const struct profile *profile)
{
	struct view_opts view = {.type = choice(in, 2), .all_frames = choice(in, 2), .no_inlines = choice(in, 4) == 3};
	struct report_opts rows = {.granularity = choice(in, BY_ADDRESS + 1),
	                           .by_cum = choice(in, 2),
	                           .node_count = -1,
	                           .call_tree = choice(in, 4) == 3,
	                           .tag_nodes = choice(in, 2),
	                           .trim = choice(in, 2),
	                           .pattern = ".",
	                           .pattern_option = "list",
	                           .stacks = choice(in, 4) == 3};
	const bool wants_page = choice(in, 16) == 15;

	for (size_t i = 0; renderers[i]; i++) {
		const struct renderer *renderer = renderers[i];

		if (is_wanted(renderer, wants_page))
			write_as(renderer, profile, &view, &rows);
		if (renderer->trend && renderer != &render_html)
			write_as(renderer->trend, profile, &view, &rows);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = input_of(data, size);
	struct profile *profile = profile_of(&in);

	if (profile->n_types > 1)
		write_all(&in, profile);
	profile_free(profile);
	return 0;
}

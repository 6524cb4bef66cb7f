#include "cmd/load.h"

#include "analyze/base/file.h"
#include "analyze/base/pool.h"
#include "analyze/snapshots.h"
#include "cmd/objects.h"
#include "cmd/term.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- arguments ---- */

/* "host:8080" or "host:8080/pprof/heap", as the peers fetch it. */
static bool looks_like_server(const char *text)
{
	const char *colon = strchr(text, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

	return digits && (colon[1 + digits] == '\0' || colon[1 + digits] == '/') &&
	       !memchr(text, '/', (size_t)(colon - text)) && access(text, F_OK) != 0;
}

static bool looks_like_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0 || looks_like_server(text);
}

/* What is asked one by one comes from standard input, unless a file is given. */
static bool asks_standard_input(const struct options *options)
{
	const struct renderer *renderer = options->report ? renderer_find(options->report) : NULL;

	return renderer && renderer->asks;
}

static bool has_standard_input(const struct strings *paths)
{
	for (uint32_t i = 0; i < paths->n; i++)
		if (strcmp(paths->items[i], "-") == 0)
			return true;
	return false;
}

static struct err *check_standard_input(const struct options *options)
{
	if (options->interactive && (has_standard_input(&options->inputs) || has_standard_input(&options->bases) ||
	                             has_standard_input(&options->diff_bases)))
		return err_new("-: expected a file: the shell reads its commands from standard input");
	return NULL;
}

/* The first of several arguments is the program when it is an ELF file. */
static struct err *split_inputs(const struct options *options, const char **program_ret, struct strings *profiles_ret)
{
	static const char *standard_input[] = {"-"};
	const struct strings *inputs = &options->inputs;
	bool has_program = inputs->n && file_is_elf(inputs->items[0]);
	bool is_asked = inputs->n == has_program && asks_standard_input(options);

	if (!inputs->n && !is_asked)
		return err_new("expected [PROGRAM] PROFILE... (--help shows how)");
	if (has_program && inputs->n == 1 && !is_asked)
		return err_new("%s: expected a profile after the program", inputs->items[0]);
	for (uint32_t i = 0; i < inputs->n; i++)
		if (looks_like_url(inputs->items[i]))
			return err_new("%s: nothing is fetched from the network; use curl -o FILE '%s', then give FILE",
			               inputs->items[i], inputs->items[i]);
	*program_ret = has_program ? inputs->items[0] : NULL;
	*profiles_ret = is_asked ? (struct strings){standard_input, 1, 0}
	                         : (struct strings){inputs->items + has_program, inputs->n - has_program, 0};
	return NULL;
}

/* ---- reading ---- */

struct reading {
	const struct options *options;
	struct strings paths;
	struct build **builds; /* NULL: could not be read */
	struct err **errors;
};

static struct err *read_job(void *context, uint32_t job)
{
	struct reading *reading = context;

	reading->errors[job] = profile_read(reading->paths.items[job], &reading->options->read, &reading->builds[job]);
	return NULL;
}

static struct err *read_all(const struct options *options, struct strings paths, struct reading *ret)
{
	*ret = (struct reading){.options = options, .paths = paths};
	ret->builds = mem_zalloc(paths.n, sizeof *ret->builds);
	ret->errors = mem_zalloc(paths.n, sizeof *ret->errors);
	return pool_run((unsigned)options->jobs, paths.n, read_job, ret);
}

static void free_reading(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		build_free(reading->builds[i]);
		err_free(reading->errors[i]);
	}
	free(reading->builds);
	free(reading->errors);
}

static struct err *take_error(struct reading *reading, uint32_t at)
{
	struct err *err = reading->errors[at];

	reading->errors[at] = NULL;
	return err;
}

/* The error that leaves nothing to go on with, or NULL: the only profile is bad, or all are, or the first one that may
 * have been meant as the program. */
static struct err *take_fatal_error(struct reading *reading, bool has_program)
{
	uint32_t n_bad = 0;

	for (uint32_t i = 0; i < reading->paths.n; i++)
		n_bad += reading->errors[i] != NULL;
	if (reading->errors[0] && !has_program && reading->paths.n > 1)
		return err_wrap(take_error(reading, 0), "expected a program (an ELF file) or a profile first");
	return n_bad == reading->paths.n ? take_error(reading, 0) : NULL;
}

/* The profiles that could be read move to the front; returns how many those are. */
static uint32_t gather_builds(struct reading *reading)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < reading->paths.n; i++) {
		struct build *build = reading->builds[i];

		reading->builds[i] = NULL;
		if (build)
			reading->builds[n++] = build;
	}
	return n;
}

static struct err *add_up(struct build **builds, uint32_t n, struct build **ret)
{
	struct build *sum = builds[0];
	struct err *err = NULL;

	builds[0] = NULL;
	for (uint32_t i = 1; i < n && !err; i++)
		err = build_append(sum, build_profile(builds[i]), SET_MAIN);
	if (err)
		build_free(sum);
	else
		*ret = sum;
	return err;
}

static struct err *join(struct build **builds, uint32_t n, struct build **ret)
{
	if (n < 2)
		return err_new("--trend: expected two snapshots or more that can be read, found %" PRIu32, n);
	return snapshots_join(builds, n, ret);
}

/* Adds the profiles up, or puts them side by side; one that cannot be read costs its part only. */
static struct err *combine_profiles(struct reading *reading, bool has_program, struct build **ret, bool *partial_ret)
{
	struct err *err = take_fatal_error(reading, has_program);
	uint32_t n = err ? 0 : gather_builds(reading);
	struct build *sum = NULL;

	if (!err)
		err = (reading->options->trend != TREND_OFF ? join : add_up)(reading->builds, n, &sum);
	if (err)
		return err;
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		if (!reading->errors[i])
			continue;
		*partial_ret = true;
		diag_add(build_notes(sum), NOTE_WARNING, NOTE_LOSS, "%s; the other profiles are used",
		         err_text(reading->errors[i]));
	}
	*ret = sum;
	return NULL;
}

static struct err *subtract_bases(struct reading *reading, struct build *build)
{
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		struct err *err = take_error(reading, i);

		if (!err)
			err = build_append(build, build_profile(reading->builds[i]), SET_BASE);
		if (err)
			return err_wrap(err, "reading the base profile");
	}
	return NULL;
}

/* Sums of one process's snapshots count what lived long again and again. */
static void note_summed_snapshots(struct build *build)
{
	const struct profile *p = build_profile(build);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_sources; i++)
		n += p->sources[i].set == SET_MAIN && p->sources[i].n_maps && p->sources[i].maps_hash &&
		     p->sources[i].maps_hash == p->sources[0].maps_hash;
	if (n > 1)
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN,
		         "%u snapshots of one process summed: --base compares two, --trend reads them in time", n);
}

static struct err *read_profiles(const struct options *options, bool has_program, struct strings paths,
                                 struct build **ret, bool *partial_ret)
{
	struct reading profiles, bases;
	struct build *build = NULL;
	struct err *err = read_all(options, paths, &profiles);

	if (!err)
		err = combine_profiles(&profiles, has_program, &build, partial_ret);
	free_reading(&profiles);
	if (err)
		return err;
	if (options->trend == TREND_OFF)
		note_summed_snapshots(build);
	err = read_all(options, options->bases.n ? options->bases : options->diff_bases, &bases);
	if (!err)
		err = subtract_bases(&bases, build);
	free_reading(&bases);
	if (err)
		build_free(build);
	else
		*ret = build;
	return err;
}

/* ---- all together ---- */

static struct err *load_with(const struct options *options, struct symbolize_opts *symbols, struct build **ret,
                             bool *partial_ret)
{
	struct strings paths = {0};
	struct err *err = check_standard_input(options);

	if (!err)
		err = split_inputs(options, &symbols->program, &paths);
	if (!err)
		err = read_profiles(options, symbols->program != NULL, paths, ret, partial_ret);
	if (err)
		return err;
	for (uint32_t i = 0; i < options->comments.n; i++)
		build_comment(*ret, build_cstr(*ret, options->comments.items[i]));
	symbols->progress = options->quiet ? NULL : term_progress_start();
	err = symbolize(*ret, symbols);
	term_progress_end();
	if (err)
		build_free(*ret);
	return err;
}

struct err *load(const struct options *options, struct profile **ret, const char **program_ret, bool *partial_ret)
{
	struct symbolize_opts symbols = options->symbolize;
	struct arena *arena = arena_new();
	struct build *build = NULL;
	struct err *err = objects_fill(options, arena, &symbols);

	if (!err)
		err = load_with(options, &symbols, &build, partial_ret);
	arena_free(arena);
	if (err)
		return err;
	*ret = build_finish(build);
	*program_ret = symbols.program;
	return NULL;
}

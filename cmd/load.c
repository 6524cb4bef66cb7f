#include "cmd/load.h"

#include "analyze/base/file.h"
#include "analyze/base/pool.h"
#include "analyze/base/text.h"
#include "analyze/misfits.h"
#include "analyze/snapshots.h"
#include "cmd/objects.h"
#include "cmd/term.h"
#include "render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static bool is_trend(const struct options *options)
{
	return options->trend != TREND_OFF;
}

static int by_path(const void *a, const void *b)
{
	return text_compare_naturally(*(const char *const *)a, *(const char *const *)b);
}

/* ---- reading ---- */

/* How many profiles are in memory at once, beside their sum. */
enum { WAVE = 16 };

struct reading {
	const struct options *options;
	struct strings paths;
	struct build **builds; /* NULL: could not be read, or added to the sum */
	struct err **errors;
	uint32_t first;    /* of those that are read now */
	struct build *sum; /* of the profiles; NULL: none was read */
	uint32_t n_read;
};

/* A time below 1970, or one that 64 bits do not hold, is not known. */
static int64_t time_in_nanos(const struct timespec *time)
{
	int64_t nanos;

	if (time->tv_sec < 0 || __builtin_mul_overflow((int64_t)time->tv_sec, 1000000000, &nanos) ||
	    __builtin_add_overflow(nanos, (int64_t)time->tv_nsec, &nanos))
		return 0;
	return nanos;
}

static void take_file_time(const char *path, struct build *build)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN,
		         "%s: --file-times: expected a regular file, which has a time", file_shown(path));
	else
		build_source_time(build, time_in_nanos(&st.st_mtim));
}

static struct err *read_job(void *context, uint32_t job)
{
	struct reading *reading = context;
	uint32_t at = reading->first + job;
	const char *path = reading->paths.items[at];

	reading->errors[at] = profile_read(path, &reading->options->read, &reading->builds[at]);
	if (!reading->errors[at] && reading->options->file_times)
		take_file_time(path, reading->builds[at]);
	return NULL;
}

static void start_reading(const struct options *options, struct strings paths, struct reading *ret)
{
	*ret = (struct reading){.options = options, .paths = paths};
	ret->builds = mem_zalloc(paths.n, sizeof *ret->builds);
	ret->errors = mem_zalloc(paths.n, sizeof *ret->errors);
}

/* Reads the next n. */
static struct err *read_some(struct reading *reading, uint32_t n)
{
	return pool_run((unsigned)reading->options->jobs, n, read_job, reading);
}

static void free_reading(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->paths.n; i++) {
		build_free(reading->builds[i]);
		err_free(reading->errors[i]);
	}
	build_free(reading->sum);
	free(reading->builds);
	free(reading->errors);
}

static struct err *take_error(struct reading *reading, uint32_t at)
{
	struct err *err = reading->errors[at];

	reading->errors[at] = NULL;
	return err;
}

/* The first that could not be read, or as many as there are. */
static uint32_t find_bad(const struct reading *reading)
{
	uint32_t i = 0;

	while (i < reading->paths.n && !reading->errors[i])
		i++;
	return i;
}

/* The first argument may have been meant as the program. */
static struct err *check_first(struct reading *reading, bool has_program)
{
	if (!reading->errors[0] || has_program || reading->paths.n == 1 || is_trend(reading->options))
		return NULL;
	return err_wrap(take_error(reading, 0), "expected a program (an ELF file) or a profile first");
}

/* Adds one to the sum, or puts it behind the others. */
static struct err *add(struct reading *reading, struct build *build)
{
	struct err *err = NULL;

	if (!reading->sum) {
		reading->sum = build;
		if (is_trend(reading->options))
			snapshots_begin(build, reading->paths.n);
	} else {
		err = is_trend(reading->options) ? snapshots_add(reading->sum, build_profile(build), reading->n_read)
		                                 : build_append(reading->sum, build_profile(build), SET_MAIN);
		build_free(build);
	}
	reading->n_read++;
	return err;
}

static struct err *add_wave(struct reading *reading, uint32_t n)
{
	struct err *err = NULL;

	for (uint32_t i = reading->first; i < reading->first + n && !err; i++) {
		struct build *build = reading->builds[i];

		reading->builds[i] = NULL;
		if (build)
			err = add(reading, build);
	}
	return err;
}

static struct err *add_all(struct reading *reading, bool has_program)
{
	struct err *err = NULL;

	for (; reading->first < reading->paths.n && !err; reading->first += WAVE) {
		uint32_t left = reading->paths.n - reading->first, n = left < WAVE ? left : WAVE;

		err = read_some(reading, n);
		if (!err)
			err = check_first(reading, has_program);
		if (!err)
			err = add_wave(reading, n);
	}
	return err;
}

static struct err *end_series(struct reading *reading)
{
	uint32_t bad = find_bad(reading);
	const char *wanted = "--trend: expected two snapshots or more that can be read";

	if (reading->n_read < 2 && bad < reading->paths.n)
		return err_wrap(take_error(reading, bad), "%s", wanted);
	if (reading->n_read < 2)
		return err_new("%s, found %" PRIu32, wanted, reading->n_read);
	snapshots_end(reading->sum, reading->n_read);
	misfits_note(reading->sum);
	return NULL;
}

static void note_bad(struct reading *reading)
{
	for (uint32_t i = 0; i < reading->paths.n; i++)
		if (reading->errors[i])
			diag_add(build_notes(reading->sum), NOTE_WARNING, NOTE_LOSS, "%s; the other profiles are used",
			         err_text(reading->errors[i]));
}

/* Adds the profiles up, or puts them side by side; one that cannot be read costs its part only. */
static struct err *combine_profiles(struct reading *reading, bool has_program, struct build **ret, bool *partial_ret)
{
	struct err *err = add_all(reading, has_program);

	if (!err && !reading->sum)
		err = take_error(reading, 0);
	if (!err && is_trend(reading->options))
		err = end_series(reading);
	if (err)
		return err;
	*partial_ret |= find_bad(reading) < reading->paths.n;
	note_bad(reading);
	*ret = reading->sum;
	reading->sum = NULL;
	return NULL;
}

static struct err *subtract_bases(struct reading *reading, struct build *build)
{
	struct err *failure = read_some(reading, reading->paths.n);

	if (failure)
		return failure;
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

	start_reading(options, paths, &profiles);
	struct err *err = combine_profiles(&profiles, has_program, &build, partial_ret);
	free_reading(&profiles);
	if (err)
		return err;
	if (!is_trend(options))
		note_summed_snapshots(build);
	start_reading(options, options->bases.n ? options->bases : options->diff_bases, &bases);
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
	if (!err && paths.n && options->sort_files)
		qsort(paths.items, paths.n, sizeof *paths.items, by_path);
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
